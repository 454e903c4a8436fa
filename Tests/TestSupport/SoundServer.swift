import Foundation
import Glibc
import Media

/// A private PulseAudio server with a null sink `lab` (recorded as `lab.monitor`), to record from
/// and to kill. The user's own server is neither asked nor touched.
package final class SoundServer: Sendable {
    /// Why tests that need one are skipped, or `nil`.
    package static let missing: String? =
        Program.tool("pulseaudio") == nil || Program.tool("pacat") == nil
        ? "needs the packages pulseaudio and pulseaudio-utils; scripts/install-deps test" : nil

    package static var isInstalled: Bool { missing == nil }

    private let folder: TemporaryFolder
    private let server = BlockingLock<RunningProgram?>(nil)

    package init() throws { folder = try TemporaryFolder() }

    deinit { kill() }

    /// libpulse's address of the server.
    package var address: String { "unix:\(folder.file("native"))" }

    /// For clients that are programs.
    package var environment: [String: String] {
        [
            "PULSE_SERVER": address, "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
            "PULSE_COOKIE": folder.file("cookie"),
        ]
    }

    /// Starts the server and waits until it listens.
    package func start() throws {
        // behind a shell, because the server closes every descriptor it inherits, and Foundation
        // takes that for its end and then waits for it with all other processes behind it
        let script =
            "pulseaudio \"$@\" & echo $! > \(pidFile).new; "
            + "mv \(pidFile).new \(pidFile); wait"
        let started = try Program(path: "/bin/sh").start(
            [
                "-c", script, "sh", "-n", "--daemonize=no", "--use-pid-file=no",
                "--exit-idle-time=-1", "--disable-shm=yes", "--realtime=no", "--high-priority=no",
                "-L",
                "module-native-protocol-unix socket=\(folder.file("native")) auth-anonymous=1",
                "-L", "module-null-sink sink_name=lab rate=48000 channels=2 format=s16le",
            ], environment: environment)
        server.withLock { $0 = started }
        for _ in 0..<500 {
            let answer = try Program.tool("pactl")?.run(["info"], environment: environment)
            if answer?.status == 0 { return }
            usleep(20_000)
        }
        throw CocoaError(.executableLoad)
    }

    /// Ends the server as a crash would.
    package func kill() {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        guard let running else { return }
        killProcess()
        _ = running.wait()
        try? FileManager.default.removeItem(atPath: folder.file("native"))
    }

    private var pidFile: String { folder.file("pid") }

    private func killProcess() {
        let text = (try? String(contentsOfFile: pidFile, encoding: .utf8)) ?? ""
        guard let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return }
        Glibc.kill(pid, SIGKILL)
    }

    /// Asks the server for something in pactl's words, which must succeed.
    /// - Returns: what it answered, such as a module's number.
    @discardableResult
    package func control(_ words: [String]) throws -> String {
        guard let answer = try Program.tool("pactl")?.run(words, environment: environment),
            answer.status == 0
        else { throw CocoaError(.featureUnsupported) }
        return answer.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Plays interleaved 16-bit stereo at 48 kHz into the sink until it ends.
    package func play(_ samples: [Int16]) throws -> RunningProgram? {
        let file = folder.file("sound-\(UUID().uuidString.prefix(8)).raw")
        try samples.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: file)) }
        return try Program.tool("pacat")?.start(
            [
                "--playback", "--raw", "--format=s16le", "--rate=48000", "--channels=2",
                "--device=lab", "--latency-msec=50", file,
            ], environment: environment)
    }
}
