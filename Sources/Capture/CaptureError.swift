/// A failure of a capture device or session.
public struct CaptureError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    public struct Code: Sendable, Hashable {
        public let name: String
        public init(_ name: String) { self.name = name }

        public static let noSuchDevice = Code("no-such-device")
        public static let ambiguousDevice = Code("ambiguous-device")
        public static let deviceGone = Code("device-gone")
        /// The device is there, but nothing arrives at its input.
        public static let noSignal = Code("no-signal")
        public static let deviceBusy = Code("device-busy")
        public static let notPermitted = Code("not-permitted")
        public static let unsupportedFormat = Code("unsupported-format")
        public static let invalidSetting = Code("invalid-setting")
        public static let invalidState = Code("invalid-state")
        public static let noBandwidth = Code("no-bandwidth")
        public static let deviceFailed = Code("device-failed")
    }

    public let code: Code
    /// The C function or ioctl that failed, or "" when our own check refused.
    public let function: String
    /// The device, control or connection concerned.
    public let subject: String
    /// The system's error number, or 0.
    public let errno: Int32
    /// One sentence a user can act on.
    public let message: String

    public var description: String { message }

    public init(
        code: Code, function: String = "", subject: String, errno: Int32 = 0, message: String
    ) {
        self.code = code
        self.function = function
        self.subject = subject
        self.errno = errno
        self.message = message
    }
}
