internal import Glibc
import Media

/// Answers `vcap ctl` on a socket of this user's own. It has a thread of its own and no client can
/// hold it: requests and answers are bounded, and a client that is slow or silent is cut off.
final class ControlServer: Sendable {
    struct Limits: Sendable {
        /// Clients at once (count).
        var clients = 16
        /// How long a client may go without a whole request (nanoseconds).
        var timeout: Int64 = 30_000_000_000
    }

    let path: String
    private let end = WakeSignal()
    private let thread: NamedThread

    /// Listens at the session's socket. A socket left by a dead recorder is replaced, a living one's
    /// is not.
    init(
        session: String, in folder: SessionFolder, limits: Limits = Limits(),
        recording: any RecordingCommands
    ) throws(CommandFailure) {
        try folder.prepare()
        folder.removeAbandoned()
        path = folder.socketPath(of: session)
        let listener = try ControlServer.listen(session, folder)
        let end = end
        // the thread takes the listener along; a struct that is not copyable cannot be captured
        let box = ListenerBox(listener)
        thread = NamedThread(name: "vcap-control") {
            var loop = ControlLoop(box.descriptor, limits, end, recording)
            loop.run()
            _ = box
        }
    }

    /// Closes the socket and every connection. Blocks until the thread has ended.
    func stop() {
        end.raise()
        thread.join()
        unlink(path)
    }

    private final class ListenerBox: Sendable {
        private let socket: UnixSocket
        init(_ socket: consuming UnixSocket) { self.socket = socket }
        var descriptor: Int32 { socket.descriptor }
    }

    private static func listen(
        _ session: String, _ folder: SessionFolder
    ) throws(CommandFailure) -> UnixSocket {
        let path = folder.socketPath(of: session)
        do throws(SystemErrorNumber) {
            let socket = try UnixSocket()
            do throws(SystemErrorNumber) {
                try socket.bind(to: path)
            } catch {
                guard error.number == EADDRINUSE else { throw error }
                if folder.isAlive(session) {
                    throw SessionTaken.error
                }
                unlink(path)
                try socket.bind(to: path)
            }
            chmod(path, 0o600)
            guard Glibc.listen(socket.descriptor, 8) == 0 else { throw SystemErrorNumber() }
            socket.makeNonBlocking()
            return socket
        } catch {
            if error == SessionTaken.error {
                throw CommandFailure(
                    .cannotCreate,
                    "a recording named \(session) is running: choose another --session")
            }
            throw CommandFailure(
                .cannotCreate, "cannot make the control socket \(path): \(error.text)")
        }
    }

    /// Stands for a socket whose owner answers.
    private enum SessionTaken {
        static var error: SystemErrorNumber {
            errno = EBUSY
            return SystemErrorNumber()
        }
    }
}
