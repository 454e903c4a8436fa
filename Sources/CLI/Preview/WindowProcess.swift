internal import CLinux
internal import Glibc
import Media
import Play

/// The program that shows a window.
struct WindowProgram: Sendable, Equatable {
    let path: String
    /// Whether it takes the whole screen of a machine without a desktop.
    let isScreen: Bool

    /// What it is started with.
    var words: [String] { [path] + (isScreen ? ["kms"] : []) }
}

/// A window, which `vcap-window` shows in a process of its own: whatever becomes of the display costs that process and
/// not this one. Used by one thread at a time.
final class WindowProcess {
    /// What comes from it.
    enum Event: Sendable, Equatable {
        /// A picture fills it that is so large (pixels; per cent of the usual density).
        case size(PixelSize, scale: Int)
        /// There is room for the next picture.
        case shown
        /// - Parameter repeats: whether it is being held.
        case key(Key, repeats: Bool)
        /// The person wants it closed.
        case close
        /// There is none, or none any more; the sentence says why.
        case gone(String)
    }

    /// The program, looked for as the libraries are: beside vcap, and where `make install` puts it.
    static let program = "vcap-window"
    /// What brings what it is linked to.
    static let package = "libsdl2-2.0-0"

    private let process: pid_t
    private let input: Int32
    /// What it says comes here.
    let output: Int32
    private var bytes: [UInt8] = []
    private var isOver = false
    /// How it ended; `nil` while it runs.
    private var exit: Int32?

    /// - Parameters:
    ///   - size: of the window (as the display counts).
    ///   - title: of the window.
    /// - Throws: `.noDevice` where the program cannot be started.
    convenience init(
        _ program: WindowProgram, _ size: PixelSize, title: String
    ) throws(CommandFailure) {
        try self.init(program.words + ["\(size.width)", "\(size.height)", title])
    }

    private init(_ words: [String]) throws(CommandFailure) {
        var ends: [Int32] = [-1, -1, -1, -1]
        let isMade = ends.withUnsafeMutableBufferPointer { ends in
            guard let base = ends.baseAddress else { return false }
            return pipe2(base, O_CLOEXEC) == 0 && pipe2(base + 2, O_CLOEXEC) == 0
        }
        guard isMade else { throw Self.failure(errno) }
        var process = pid_t()
        // the terminal's signals it ignores itself
        let error = ChildProgram(
            program: words[0], words: words, input: ends[0], output: ends[3], isMute: true,
            hasOwnGroup: true
        ).start(&process)
        close(ends[0])
        close(ends[3])
        guard error == 0 else {
            close(ends[1])
            close(ends[2])
            throw Self.failure(error)
        }
        (self.process, input, output) = (process, ends[1], ends[2])
        for end in [input, output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        // a picture goes through in few pieces; where that is not allowed it takes more of them
        _ = fcntl(input, F_SETPIPE_SZ, 1 << 20)
    }

    /// Where it is.
    static func find(beside executable: String = WindowProcess.executable) -> String? {
        let folder = executable.split(separator: "/").dropLast().map(String.init)
        let beside = "/" + (folder + [program]).joined(separator: "/")
        let installed = "/" + (folder.dropLast() + ["lib", "vcap", program]).joined(separator: "/")
        return [beside, installed].first { access($0, X_OK) == 0 }
    }

    private static var executable: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        return String(
            decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func failure(_ number: Int32) -> CommandFailure {
        CommandFailure(
            .noDevice, "cannot start \(program): \(String(cString: strerror(number)))")
    }

    /// How long a display may take to answer: a desktop, and the kernel's screen, whose driver is loaded for it; and when
    /// it is said that it is waited for.
    private static let answerTime = (
        desktop: Int64(3), screen: Int64(15), silent: MediaTime.milliseconds(500)
    )

    /// Tries whether there is a display, without a window. Blocks for a moment, or as long as a display may take.
    /// - Returns: why there is none; `nil` where there is.
    static func refusal(_ program: WindowProgram) -> String? {
        guard let check = try? WindowProcess(program.words + ["check"]) else {
            return "\(program.path) cannot be started"
        }
        let start = HostClock().now()
        let most = program.isScreen ? answerTime.screen : answerTime.desktop
        var isSaid = false
        while case let waited = HostClock().now() - start, waited < .seconds(most) {
            if waited > answerTime.silent, !isSaid {
                isSaid = true
                Console.shared.notice("the display does not answer yet: waiting \(most) s at most")
            }
            check.wait(nanoseconds: 100_000_000)
            for event in check.events() {
                switch event {
                case .shown: return nil
                case .gone(let why): return why
                default: continue
                }
            }
        }
        return "the display does not answer"
    }

    /// Why a process that said nothing ended.
    /// - Parameter status: as `waitpid` gives it; `nil` where it runs yet.
    static func reason(_ status: Int32?) -> String {
        guard let status else { return "\(program) does not answer" }
        let signal = status & 0x7f
        if signal != 0 { return "\(program) crashed (signal \(signal))" }
        // the loader's, which lacks a library
        if (status >> 8) & 0xff == 127 {
            return "\(program) needs SDL: install Debian's \(package)"
        }
        return status == 0 ? "\(program) has ended by itself" : "the display has closed it"
    }

    /// Waits for its end, 200 ms at most.
    private func reap() {
        var status: Int32 = 0
        for _ in 0..<20 where exit == nil {
            if waitpid(process, &status, WNOHANG) == process {
                exit = status
            } else {
                usleep(10_000)
            }
        }
    }

    /// Ends it, without waiting for a display.
    func end() {
        guard !isOver else { return }
        isOver = true
        close(input)
        close(output)
        // the end of its input ends it; one that a display holds is not waited for
        reap()
        guard exit == nil else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        exit = status
    }

    deinit { end() }

    /// What has come, in its order; empty where nothing has.
    func events() -> [Event] {
        var isEnd = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        // one that never ends to speak is heard piece by piece
        for _ in 0..<16 {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                isEnd = true
                break
            }
            bytes += buffer.prefix(count)
        }
        var found: [Event] = []
        // no line is that long
        if bytes.count > 1 << 16, !bytes.contains(10) { bytes = [] }
        while let end = bytes.firstIndex(of: 10) {
            let line = String(decoding: bytes[..<end], as: UTF8.self)
            bytes.removeFirst(end + 1)
            if let event = Self.event(line) { found.append(event) }
        }
        let isSaid = found.contains { if case .gone = $0 { true } else { false } }
        if isEnd, !isSaid {
            reap()
            found.append(.gone(Self.reason(exit)))
        }
        return found
    }

    /// Waits until something comes from it, a signal is raised or the time is over.
    func wait(nanoseconds: Int64, _ signals: WakeSignal?...) {
        var entries = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
        for signal in signals {
            entries.append(
                pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
        }
        _ = poll(&entries, nfds_t(entries.count), Int32(clamping: nanoseconds / 1_000_000))
    }

    /// What a line says; `nil`: nothing that is known.
    static func event(_ line: String) -> Event? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first {
        case "size":
            let numbers = rest.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3, (1...8192).contains(numbers[0]),
                (1...8192).contains(numbers[1])
            else { return nil }
            return .size(
                PixelSize(numbers[0], numbers[1]), scale: min(max(numbers[2], 50), 400))
        case "shown": return .shown
        case "key", "held":
            guard let key = key(rest) else { return nil }
            return .key(key, repeats: words.first == "held")
        case "close": return .close
        case "error": return .gone(VisibleText.line(rest))
        default: return nil
        }
    }

    private static func key(_ word: String) -> Key? {
        if let arrow = Key.Arrow(rawValue: word) { return Key(arrow) }
        guard word.count == 2, let byte = UInt8(word, radix: 16) else { return nil }
        return Key(byte: byte)
    }

    /// Gives it a picture, which takes as long as it takes to be read.
    /// - Parameters:
    ///   - time: when it is to be seen (host clock); at once where that is over.
    ///   - interruption: ends the writing when it is raised, and with it the window's use.
    ///   - waits: called each second in which nothing is read.
    /// - Returns: whether all of it was written.
    func show(
        _ picture: PreviewPicture, at time: MediaTime, unless interruption: WakeSignal,
        waits: () -> Void = {}
    ) -> Bool {
        let header = Self.header(
            "VCPI",
            [
                picture.width, picture.height, picture.bytes.count, Int(time.nanoseconds()),
                Int(time.nanoseconds() >> 32),
            ])
        return write(header[...], unless: interruption, waits)
            && write(picture.bytes[...], unless: interruption, waits)
    }

    /// Lets it fill the screen, or no longer.
    /// - Returns: as of `show`.
    func toggleFullScreen(unless interruption: WakeSignal) -> Bool {
        write(Self.header("VCPF", [0, 0, 0])[...], unless: interruption)
    }

    private static func header(_ kind: String, _ numbers: [Int]) -> [UInt8] {
        Array(kind.utf8)
            + numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, unless interruption: WakeSignal, _ waits: () -> Void = {}
    ) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            if count < 0, errno == EINTR { continue }
            guard count == 0 || errno == EAGAIN else { return false }
            var entries = [
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&entries, 2, 1000) == 0 { waits() }
            if entries[1].revents != 0 { return false }
        }
        return true
    }
}
