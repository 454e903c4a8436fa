import Foundation
import Media
import TestSupport

/// A program with a terminal of its own, as a person has it: keys go in, what it shows comes out.
final class PseudoTerminal: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which Glibc does not lend to Swift
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let master: Int32
    private let slave: Int32
    private let program: Process
    private let shown = BlockingLock<[UInt8]>([])
    private let end = WakeSignal()
    private let isGone = BlockingLock(false)
    private let output = BlockingLock<(bytes: [UInt8], isDone: Bool)>(([], false))

    /// Starts `vcap` as the leader of the terminal's session, 100 columns wide.
    /// - Parameters:
    ///   - wrapper: a command that starts the words behind it.
    ///   - frozenAfter: what was shown last before nobody reads the screen any more, as after Ctrl-S.
    ///   - isControlling: whether it is the terminal of the program's session, and job control's.
    ///   - showsResults: whether standard output is the terminal too.
    init(
        _ arguments: [String], environment: [String: String] = [:], wrapper: [String] = [],
        frozenAfter: String? = nil, isControlling: Bool = true, showsResults: Bool = false
    ) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var number: Int32 = -1
        var lock: Int32 = 0
        guard master >= 0, ioctl(master, PseudoTerminal.setLock, &lock) == 0,
            ioctl(master, PseudoTerminal.getNumber, &number) == 0
        else { throw Failure(description: "no pseudo-terminal: errno \(errno)") }
        let name = "/dev/pts/\(number)"
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure(description: "no terminal: errno \(errno)") }
        var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
        guard let setsid = Program.tool("setsid") else {
            throw Failure(description: "setsid is not installed")
        }
        program = Process()
        program.executableURL = URL(fileURLWithPath: setsid.path)
        let options = isControlling ? ["--ctty", "--wait"] : ["--wait"]
        program.arguments = options + wrapper + [Program.vcap.path] + arguments
        program.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        let results = Pipe()
        program.standardInput = terminal
        program.standardError = terminal
        program.standardOutput = results
        if showsResults { program.standardOutput = terminal }
        try program.run()
        // nothing else would end the pipe
        if showsResults { try results.fileHandleForWriting.close() }
        collect(results, frozenAfter)
    }

    deinit {
        if !isGone.withLock({ $0 }) { hangUp() }
        close(slave)
    }

    /// The terminal goes away, as when a window is closed.
    func hangUp() {
        end.raise()
        // the screen's thread holds the terminal too
        _ = isGone.wait { $0 ? true : nil }
        close(master)
    }

    private func collect(_ results: Pipe, _ last: String?) {
        let (master, shown, output, end, isGone) = (master, shown, output, end, isGone)
        NamedThread(name: "test-screen") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            var entries = [
                pollfd(fd: master, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&entries, 2, -1) >= 0, entries[1].revents == 0 {
                let count = read(master, &bytes, bytes.count)
                if count <= 0 { usleep(1000) }
                let chunk = bytes.prefix(max(0, count))
                let isFrozen = shown.withLock { shown in
                    shown += chunk
                    return last.map { String(decoding: shown, as: UTF8.self).contains($0) } ?? false
                }
                if isFrozen { _ = end.wait(nanoseconds: .max) }
            }
            isGone.withLock { $0 = true }
        }.detach()
        let handle = results.fileHandleForReading
        NamedThread(name: "test-results") {
            while true {
                let chunk = handle.availableData
                if chunk.isEmpty { break }
                output.withLock { $0.bytes += chunk }
            }
            output.withLock { $0.isDone = true }
        }.detach()
    }

    /// What was shown so far.
    var screen: String { String(decoding: shown.withLock { $0 }, as: UTF8.self) }

    /// What was shown behind so many bytes.
    func shown(behind count: Int) -> ArraySlice<UInt8> { shown.read { $0.dropFirst(count) } }

    /// Makes it so many columns wide.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    /// The process that reads keys now: the recorder. A number no process has when there is none: the
    /// system's -1 would send a signal to every process.
    var foreground: pid_t {
        let group = isGone.withLock { $0 } ? -1 : tcgetpgrp(master)
        return group > 1 ? group : pid_t.max
    }

    /// Types.
    func type(_ text: String) { _ = write(master, text, text.utf8.count) }

    /// Waits until `text` was shown so many times.
    func waitFor(_ text: String, times: Int = 1, seconds: Int64 = 20) -> Bool {
        shown.wait(nanoseconds: seconds * 1_000_000_000) { bytes in
            String(decoding: bytes, as: UTF8.self).ranges(of: text).count >= times ? true : nil
        } ?? false
    }

    /// Waits for the end, two minutes at most; the exit status or minus the signal.
    func wait() -> (status: Int32, output: String) {
        for _ in 0..<6000 where program.isRunning { usleep(20_000) }
        if program.isRunning { program.terminate() }
        program.waitUntilExit()
        let bytes = output.wait { $0.isDone ? $0.bytes : nil }
        let status =
            program.terminationReason == .exit
            ? program.terminationStatus : -program.terminationStatus
        return (status, String(decoding: bytes, as: UTF8.self))
    }

    /// Whether keys come one by one and unseen.
    var isRaw: Bool { flags & tcflag_t(ICANON | ECHO) == 0 }

    /// The terminal's local modes.
    var flags: tcflag_t {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        return attributes.c_lflag
    }
}
