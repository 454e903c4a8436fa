internal import Glibc
internal import Media

/// Tries a model (ONNX) that comes from elsewhere before it is read here: what reads models was not made for hostile
/// ones, and an error of it would end the recording beside it. `vcap-check-model` reads it and lets it run first, within
/// 2 GiB and 20 s of a processor; it may die of it.
struct ModelCheck {
    /// The program, looked for as the libraries are.
    static let program = "vcap-check-model"

    private let program: String
    /// How long it may take, however busy the machine is (seconds).
    private let timeout: Int64

    /// - Parameters:
    ///   - paths: the first that is there is taken; `nil`: where it usually is.
    ///   - timeout: how long it may take (seconds).
    /// - Throws: `unsupported` where it is not installed.
    init(paths: [String]? = nil, timeout: Int64 = 60) throws(MediaError) {
        let places = paths ?? ShimLibrary.places(of: Self.program).filter { $0.contains("/") }
        guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
            throw MediaError(
                code: .unsupported, function: "access", subject: Self.program,
                message:
                    "Cannot use a model without \(Self.program), which tries it first: keep it "
                    + "beside vcap, as make install does.")
        }
        self.program = program
        self.timeout = timeout
    }

    /// Blocks while the model is tried: a second or so.
    /// - Parameters:
    ///   - model: its path.
    ///   - library: the path of the library that will read it.
    ///   - shape: of the input that it is tried on, where the library wants one.
    /// - Returns: a half-sentence about why the model is of no use; `nil` where it is.
    /// - Throws: `noSuchFile` and `notPermitted` for the model, `unsupported` where nothing can be tried.
    func refusal(
        of model: String, by library: String, shape: [Int32] = []
    ) throws(MediaError) -> String? {
        guard access(model, R_OK) == 0 else {
            throw MediaError(
                code: errno == ENOENT ? .noSuchFile : .notPermitted, function: "access",
                subject: model,
                message: "Cannot read the model \(model): \(String(cString: strerror(errno))).")
        }
        let sides = shape.map(String.init).joined(separator: ",")
        let words = [program, library, model] + (sides.isEmpty ? [] : [sides])
        return switch try run(words) {
        case .exited(0, _): nil
        case .exited(_, let words): words.isEmpty ? "cannot be tried" : words
        case .died(SIGXCPU): "reading and running it once takes more than 20 s of a processor"
        case .died: "what reads it dies of it"
        case .late: "reading and running it once does not end within \(timeout) s"
        }
    }

    /// As `refusal(of:by:shape:)`.
    /// - Throws: `damagedFile` for a model that is of no use.
    func require(_ model: String, for library: String) throws(MediaError) {
        guard let why = try refusal(of: model, by: library) else { return }
        throw MediaError(
            code: .damagedFile, function: Self.program, subject: model,
            message: "Cannot use the model \(model): \(why).")
    }

    private enum Outcome {
        /// With a code, and the line that it printed.
        case exited(Int32, String)
        /// Of a signal.
        case died(Int32)
        case late
    }

    private func run(_ words: [String]) throws(MediaError) -> Outcome {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var process = pid_t()
        let error = spawn(words, output: ends[1], &process)
        close(ends[1])
        guard error == 0 else { throw failure("posix_spawn", error) }
        let printed = line(from: ends[0])
        if printed == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard let printed else { return .late }
        return status & 0x7F == 0
            ? .exited((status >> 8) & 0xFF, printed) : .died(status & 0x7F)
    }

    /// What is printed until the end.
    /// - Returns: nil where it does not end in time.
    private func line(from descriptor: Int32) -> String? {
        let deadline = HostClock().now() + .seconds(timeout)
        var bytes: [UInt8] = []
        while true {
            let left = (deadline - HostClock().now()).approximateSeconds * 1000
            // also where it prints all the time
            guard left > 0 else { return nil }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let answer = poll(&wait, 1, Int32(left.rounded(.up)))
            if answer < 0, errno == EINTR { continue }
            guard answer > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            // more is no sentence of ours
            if bytes.count < 512 { bytes += buffer.prefix(count) }
        }
        let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        return String(String.UnicodeScalarView(line.unicodeScalars.filter { !$0.steersTerminals }))
    }

    /// Its signals are those of a new program, and no terminal's key reaches it.
    private func spawn(_ words: [String], output: Int32, _ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return posix_spawn(&process, words[0], &actions, &attributes, &pointers, environ)
    }

    private func failure(_ function: String, _ number: Int32) -> MediaError {
        MediaError(
            code: .unsupported, function: function, subject: program,
            message: "Cannot try a model with \(program): \(String(cString: strerror(number))).")
    }
}
