internal import CV4L2
internal import Glibc

/// An open V4L2 node; closed exactly once, when the value goes.
struct V4L2Node: ~Copyable {
    let path: String
    let descriptor: Int32

    /// What a system call answered.
    struct Failure: Error {
        let function: String
        let errno: Int32
    }

    init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(function: "open", errno: Glibc.errno) }
    }

    deinit { close(descriptor) }

    /// One ioctl, repeated when a signal interrupts it.
    func call<Argument>(
        _ request: V4L2Request, _ argument: inout Argument
    ) throws(Failure) {
        let result = withUnsafeMutablePointer(to: &argument) { pointer in
            Self.ioctl(descriptor, request, UnsafeMutableRawPointer(pointer))
        }
        if result != 0 { throw Failure(function: request.name, errno: result) }
    }

    /// As `call`, trying once more after EINVAL: some drivers refuse the first time and take the
    /// second (seen with vivid's injected errors of REQBUFS, QBUF and STREAMON, Linux 6.1).
    func callRetrying<Argument>(
        _ request: V4L2Request, _ argument: inout Argument
    ) throws(Failure) {
        let before = argument
        do throws(Failure) {
            try call(request, &argument)
        } catch {
            guard error.errno == EINVAL else { throw error }
            argument = before
            try call(request, &argument)
        }
    }

    /// 0 or the error number.
    static func ioctl(
        _ descriptor: Int32, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer
    ) -> Int32 {
        while vcap_ioctl(descriptor, request.code, argument) != 0 {
            if errno != EINTR { return errno }
        }
        return 0
    }
}
