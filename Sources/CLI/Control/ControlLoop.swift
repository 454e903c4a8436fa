internal import Glibc
import Media

/// The control server's thread: one `poll` over the listener, the clients and the end signal.
struct ControlLoop {
    private struct Client {
        let descriptor: Int32
        let number: Int
        var incoming: [UInt8] = []
        var outgoing: [UInt8] = []
        /// Cut off at this host time without a whole request.
        var deadline: Int64
        /// Answers that others have still to bring (count).
        var awaited = 0
        /// It asks no more, and may still read.
        var hasAsked = false
        var isClosing = false

        /// What is waited for.
        var events: Int32 {
            if !outgoing.isEmpty { return POLLOUT }
            return hasAsked ? 0 : POLLIN
        }
    }

    /// Answers that others bring, and who waits for them.
    private final class Late: Sendable {
        let answers = Lock<[(number: Int, answer: JSONValue)]>([])
        let signal = WakeSignal()
    }

    private let listener: Int32
    private let limits: ControlServer.Limits
    private let end: WakeSignal
    private let recording: any RecordingCommands
    private let clock = HostClock()
    private let late = Late()
    private var clients: [Client] = []
    private var nextNumber = 0

    init(
        _ listener: Int32, _ limits: ControlServer.Limits, _ end: WakeSignal,
        _ recording: any RecordingCommands
    ) {
        self.listener = listener
        self.limits = limits
        self.end = end
        self.recording = recording
    }

    mutating func run() {
        while true {
            var entries = [
                entry(listener, POLLIN), entry(end.descriptor, POLLIN),
                entry(late.signal.descriptor, POLLIN),
            ]
            for client in clients {
                entries.append(entry(client.descriptor, client.events))
            }
            if poll(&entries, nfds_t(entries.count), timeout) < 0, errno != EINTR { break }
            if entries[1].revents != 0 { break }
            for index in clients.indices where entries[index + 3].revents != 0 {
                serve(index, Int32(entries[index + 3].revents))
            }
            if entries[2].revents != 0 { deliverLate() }
            // those that have gone make room first
            removeClosed()
            if entries[0].revents != 0 { acceptAll() }
        }
        // what was answered until now reaches who asked
        deliverLate()
        for client in clients { close(client.descriptor) }
    }

    private func entry(_ descriptor: Int32, _ events: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    private var now: Int64 { clock.now().nanoseconds() }

    /// Milliseconds until the next client must be cut off.
    private var timeout: Int32 {
        guard let next = clients.map(\.deadline).min() else { return -1 }
        return Int32(clamping: max(0, (next - now) / 1_000_000 + 1))
    }

    private mutating func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let user = UnixSocket.peerUser(of: descriptor)
            guard let user, user == getuid() || user == 0 else {
                refuse(descriptor, "this recording belongs to another user")
                continue
            }
            guard clients.count < limits.clients else {
                refuse(descriptor, "too many clients at once")
                continue
            }
            nextNumber += 1
            clients.append(
                Client(
                    descriptor: descriptor, number: nextNumber, deadline: now + limits.timeout))
        }
    }

    private func refuse(_ descriptor: Int32, _ message: String) {
        let line = Array((ControlProtocol.failure(message).compact + "\n").utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }

    private mutating func serve(_ index: Int, _ events: Int32) {
        if clients[index].outgoing.isEmpty {
            if !clients[index].hasAsked {
                receive(index)
            } else if events & (POLLHUP | POLLERR) != 0 {
                clients[index].isClosing = true
            }
        }
        send(index)
    }

    private mutating func receive(_ index: Int) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(clients[index].descriptor, &bytes, bytes.count)
        guard count > 0 else {
            if count == 0 {
                // it has closed its end, and reads what it asked for before
                clients[index].hasAsked = true
                clients[index].isClosing = clients[index].awaited == 0
            } else if errno != EAGAIN && errno != EINTR {
                clients[index].isClosing = true
            }
            return
        }
        clients[index].incoming += bytes.prefix(count)
        answerLines(index)
        if clients[index].incoming.count > ControlProtocol.longestFrame {
            let message = "a request is at most \(ControlProtocol.longestFrame) bytes long"
            reply(index, ControlProtocol.failure(message))
            clients[index].incoming = []
            send(index)
            clients[index].isClosing = true
        }
    }

    private mutating func answerLines(_ index: Int) {
        while let newline = clients[index].incoming.firstIndex(of: 0x0A) {
            let line = Array(clients[index].incoming[..<newline])
            clients[index].incoming.removeSubrange(...newline)
            clients[index].deadline = now + limits.timeout
            if line.isEmpty { continue }
            guard line.count <= ControlProtocol.longestFrame else {
                reply(index, ControlProtocol.failure("the request is too long"))
                continue
            }
            let (late, number) = (late, clients[index].number)
            let answer = ControlProtocol.answer(line, recording) { answer in
                late.answers.withLock { $0.append((number, answer)) }
                late.signal.raise()
            }
            if let answer { reply(index, answer) } else { clients[index].awaited += 1 }
        }
    }

    /// To clients that still wait.
    private mutating func deliverLate() {
        late.signal.lower()
        let answers = late.answers.withLock { answers in
            let all = answers
            answers = []
            return all
        }
        for (number, answer) in answers {
            guard let index = clients.firstIndex(where: { $0.number == number }) else { continue }
            clients[index].deadline = now + limits.timeout
            clients[index].awaited -= 1
            reply(index, answer)
            send(index)
        }
    }

    private mutating func reply(_ index: Int, _ answer: JSONValue) {
        clients[index].outgoing += Array((answer.compact + "\n").utf8)
        // a client that asks and does not read is cut off
        if clients[index].outgoing.count > ControlProtocol.longestFrame {
            clients[index].isClosing = true
        }
    }

    private mutating func send(_ index: Int) {
        let client = clients[index]
        guard !client.outgoing.isEmpty else { return }
        let count = write(client.descriptor, client.outgoing, client.outgoing.count)
        if count > 0 {
            clients[index].outgoing.removeFirst(count)
            let isDone = clients[index].hasAsked && clients[index].awaited == 0
            if isDone, clients[index].outgoing.isEmpty { clients[index].isClosing = true }
        } else if errno != EAGAIN && errno != EINTR {
            clients[index].isClosing = true
        }
    }

    private mutating func removeClosed() {
        let now = now
        for client in clients where client.isClosing || client.deadline <= now {
            close(client.descriptor)
        }
        clients.removeAll { $0.isClosing || $0.deadline <= now }
    }
}
