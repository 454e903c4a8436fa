internal import Glibc

/// A socket of the local machine, closed when the value goes.
struct UnixSocket: ~Copyable {
    let descriptor: Int32

    /// - Throws: the system's error number.
    init() throws(SystemErrorNumber) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if descriptor < 0 { throw SystemErrorNumber() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    borrowing func makeNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Binds to a path that is not there yet.
    borrowing func bind(to path: String) throws(SystemErrorNumber) {
        let result = UnixSocket.withAddress(path) { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else { throw SystemErrorNumber() }
    }

    borrowing func connect(to path: String) throws(SystemErrorNumber) {
        let result = UnixSocket.withAddress(path) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else { throw SystemErrorNumber() }
    }

    /// Longest path a socket can have (bytes).
    static let longestPath = 107

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let bytes = Array(path.utf8)
        guard bytes.count <= longestPath else {
            errno = ENAMETOOLONG
            return -1
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The user on the other end of a connection; `nil` when the system does not say.
    static func peerUser(of descriptor: Int32) -> uid_t? {
        // struct ucred, which Glibc does not lend to Swift: pid, uid, gid
        var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
            return nil
        }
        return credentials.uid
    }
}

/// The system's error number as it was when this value was made.
struct SystemErrorNumber: Error, Equatable {
    let number: Int32

    init() { number = errno }

    var text: String { String(cString: strerror(number)) }
}
