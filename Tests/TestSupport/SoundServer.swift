import Foundation
import Glibc
import Media

/// A private sound server with a null sink `lab` (recorded as `lab.monitor`), to record from and to
/// kill. The user's own server is neither asked nor touched.
package final class SoundServer: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case pulseAudio
        /// PipeWire with its session manager and its server of PulseAudio's protocol.
        case pipeWire

        fileprivate var programs: [String] {
            switch self {
            case .pulseAudio: ["pulseaudio", "pacat"]
            case .pipeWire:
                ["pipewire", "wireplumber", "pipewire-pulse", "dbus-run-session", "pacat"]
            }
        }
    }

    /// Why tests that need one are skipped, or `nil`.
    package static let missing: String? = missing(.pulseAudio)

    package static func missing(_ kind: Kind) -> String? {
        let absent = kind.programs.filter { Program.tool($0) == nil }
        return absent.isEmpty
            ? nil : "needs \(absent.joined(separator: ", ")); scripts/install-deps test"
    }

    package static var isInstalled: Bool { missing == nil }

    private let kind: Kind
    private let folder: TemporaryFolder
    private let server = BlockingLock<RunningProgram?>(nil)

    package init(_ kind: Kind = .pulseAudio) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        // PipeWire refuses a folder that others may look into
        chmod(folder.path, 0o700)
    }

    deinit { kill() }

    private var socket: String { folder.file(kind == .pulseAudio ? "native" : "pulse/native") }

    /// libpulse's address of the server.
    package var address: String { "unix:\(socket)" }

    /// For clients that are programs.
    package var environment: [String: String] {
        [
            "PULSE_SERVER": address, "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
            "PULSE_COOKIE": folder.file("cookie"), "XDG_CONFIG_HOME": folder.file("config"),
            "XDG_STATE_HOME": folder.file("state"),
        ]
    }

    /// Starts the server and waits until it has its sink.
    package func start() throws {
        // a session, and so a process group, of its own, to be killed as one; behind a shell, because
        // the server closes every descriptor it inherits, and Foundation takes that for its end and
        // then waits for it with all other processes behind it
        let script = "echo $$ > \(pidFile).new; mv \(pidFile).new \(pidFile); \(command)\nwait"
        let started = try Program(path: "/usr/bin/setsid").start(
            ["--wait", "/bin/sh", "-c", script], environment: environment)
        server.withLock { $0 = started }
        try wait { try ask(["info"])?.contains("Server Name") == true }
        if kind == .pipeWire {
            // without a session manager a sink is not connected to anything
            try wait { try ask(["info"])?.contains("Default Sink: @DEFAULT") == false }
            try control(["load-module", "module-null-sink", "sink_name=lab", "rate=48000"])
        }
        try wait { try ask(["list", "short", "sources"])?.contains("lab.monitor") == true }
    }

    private var command: String {
        switch kind {
        case .pulseAudio:
            "pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1"
                + " --disable-shm=yes --realtime=no --high-priority=no"
                + " -L 'module-native-protocol-unix socket=\(socket) auth-anonymous=1'"
                + " -L 'module-null-sink sink_name=lab rate=48000 channels=2 format=s16le' &"
        case .pipeWire:
            // what a killed one left would be taken for the new one's socket
            "rm -f $XDG_RUNTIME_DIR/pipewire-0*; dbus-run-session -- sh -c 'pipewire & until [ -S $XDG_RUNTIME_DIR/pipewire-0 ]; do sleep 0.05; done;"
                + " wireplumber & pipewire-pulse & wait' &"
        }
    }

    private func wait(_ isTrue: () throws -> Bool) throws {
        for _ in 0..<500 {
            if try isTrue() { return }
            usleep(20_000)
        }
        throw CocoaError(.executableLoad)
    }

    /// What the server answers to pactl's words, or `nil`.
    private func ask(_ words: [String]) throws -> String? {
        let answer = try Program.tool("pactl")?.run(words, environment: environment)
        return answer?.status == 0 ? answer?.outputText : nil
    }

    /// Asks the server for something in pactl's words, which must succeed.
    /// - Returns: what it answered, such as a module's number.
    @discardableResult
    package func control(_ words: [String]) throws -> String {
        guard let answer = try ask(words) else { throw CocoaError(.featureUnsupported) }
        return answer.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the server as a crash would.
    package func kill() {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        guard let running else { return }
        killProcesses()
        _ = running.wait()
        try? FileManager.default.removeItem(atPath: socket)
    }

    private var pidFile: String { folder.file("pid") }

    private func killProcesses() {
        let text = (try? String(contentsOfFile: pidFile, encoding: .utf8)) ?? ""
        guard let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)), pid > 1
        else { return }
        Glibc.kill(-pid, SIGKILL)
    }

    /// Does what is heard of a player, at most five times: one that was held up, or stood with the
    /// machine, leaves silence in the sink, which is nobody's loss. The last time counts as it is.
    /// - Parameter isWhole: whether nothing is missing in what was heard, so that it counts however the machine stood.
    package static func hear<Heard>(
        isWhole: (Heard) -> Bool = { _ in false },
        _ body: () throws -> (heard: Heard, player: RunningProgram?)
    ) throws -> Heard {
        for _ in 1...4 {
            let watch = HostWatch(step: .milliseconds(10))
            let answer = Result { try body() }
            let stood = watch.stop() > .milliseconds(20)
            let (heard, player) = try answer.get()
            let isHeldUp = player?.errorTextSoFar.contains("underrun") ?? false
            if isWhole(heard) || !stood && !isHeldUp { return heard }
        }
        return try body().heard
    }

    /// Plays interleaved 16-bit stereo at 48 kHz into the sink until it ends; what it cannot deliver in
    /// time it says as "underrun".
    package func play(_ samples: [Int16]) throws -> RunningProgram? {
        let file = folder.file("sound-\(UUID().uuidString.prefix(8)).raw")
        try samples.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: file)) }
        return try Program.tool("pacat")?.start(
            [
                "--playback", "--raw", "--format=s16le", "--rate=48000", "--channels=2",
                "--device=lab", "--latency-msec=50", "--verbose", file,
            ], environment: environment)
    }
}
