internal import Glibc
import Media

/// Asks a running recording one thing.
struct ControlClient {
    let folder: SessionFolder

    /// The session meant: the one named, or the only one running.
    func session(named name: String?) throws(CommandFailure) -> String {
        if let name { return name }
        let running = folder.running()
        switch running.count {
        case 1: return running[0]
        case 0:
            throw CommandFailure(
                .noDevice, "no recording of yours is running; start one with vcap record")
        default:
            throw CommandFailure(
                .usage,
                "several recordings are running: choose one with --session "
                    + running.joined(separator: ", "))
        }
    }

    /// What is answered when a file is on the disk takes as long as its encoder and the disk do.
    private static func timeout(of request: JSONValue) -> MediaTime {
        request["command"]?.text == "photo" ? .seconds(30) : .seconds(5)
    }

    /// Sends a request and waits for its answer (5 s at most, 30 s for that of a photo).
    func ask(_ request: JSONValue, session: String) throws(CommandFailure) -> JSONValue {
        signal(SIGPIPE, SIG_IGN)
        let path = folder.socketPath(of: session)
        do throws(SystemErrorNumber) {
            let socket = try UnixSocket()
            try socket.connect(to: path)
            try send(request, to: socket.descriptor)
            let line = try receive(from: socket.descriptor, within: Self.timeout(of: request))
            if let answer = try? JSONParser.parse(line, as: .json) { return answer }
        } catch {
            if error.number == ENOENT || error.number == ECONNREFUSED {
                throw CommandFailure(
                    .noDevice, "no recording named \(session) is running (\(path): \(error.text))")
            }
            if error.number == EACCES {
                throw CommandFailure(
                    .notPermitted, "cannot reach the recording at \(path): it is another user's")
            }
            throw CommandFailure(
                .ioError, "cannot talk to the recording at \(path): \(error.text)")
        }
        throw CommandFailure(.ioError, "the recording at \(path) gave no answer; it may be ending")
    }

    private func send(_ request: JSONValue, to descriptor: Int32) throws(SystemErrorNumber) {
        var bytes = Array((request.compact + "\n").utf8)
        while !bytes.isEmpty {
            let count = write(descriptor, bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            // a recording that refuses says why and hangs up; the sentence waits to be read
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            guard count > 0 else { throw SystemErrorNumber() }
            bytes.removeFirst(count)
        }
    }

    private func receive(
        from descriptor: Int32, within timeout: MediaTime
    ) throws(SystemErrorNumber) -> [UInt8] {
        let deadline = HostClock().now() + timeout
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while line.count <= ControlProtocol.longestFrame {
            let left = (deadline - HostClock().now()).nanoseconds() / 1_000_000
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&entry, 1, Int32(left)) > 0 else {
                errno = ETIMEDOUT
                throw SystemErrorNumber()
            }
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            // hung up with a request unread; what was said before has come
            if count < 0, errno == ECONNRESET { return line }
            guard count >= 0 else { throw SystemErrorNumber() }
            if count == 0 { return line }
            line += bytes.prefix(count)
            if let newline = line.firstIndex(of: 0x0A) { return Array(line[..<newline]) }
        }
        return line
    }
}
