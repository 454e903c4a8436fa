/// A failure while writing, reading or repairing a movie.
public struct WriterError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    public struct Code: Sendable, Hashable {
        public let name: String
        public init(_ name: String) { self.name = name }

        public static let noSuchFile = Code("no-such-file")
        public static let cannotCreate = Code("cannot-create")
        public static let alreadyExists = Code("already-exists")
        public static let notPermitted = Code("not-permitted")
        public static let diskFull = Code("disk-full")
        public static let ioError = Code("io-error")
        public static let inUse = Code("in-use")
        public static let damagedFile = Code("damaged-file")
        public static let unsupported = Code("unsupported")
        public static let invalidSetting = Code("invalid-setting")
        public static let invalidState = Code("invalid-state")
        public static let encoderFailed = Code("encoder-failed")
        public static let sourceSilent = Code("source-silent")
    }

    public let code: Code
    /// The C function that failed, or "" when our own check refused.
    public let function: String
    /// The file, track, setting or time concerned.
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
