/// A failure while composing, reading a project or exporting a film.
public struct ComposeError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    public struct Code: Sendable, Hashable {
        public let name: String
        public init(_ name: String) { self.name = name }

        public static let noSuchFile = Code("no-such-file")
        public static let notPermitted = Code("not-permitted")
        public static let damagedFile = Code("damaged-file")
        public static let unsupported = Code("unsupported")
        /// A range, time or track that the composition does not have, or that would overlap.
        public static let invalidEdit = Code("invalid-edit")
        /// A value that is no valid setting.
        public static let invalidSetting = Code("invalid-setting")
        /// A project file that cannot be understood; the message names line and column.
        public static let invalidProject = Code("invalid-project")
        public static let missingGlyphs = Code("missing-glyphs")
        public static let cannotCreate = Code("cannot-create")
        public static let alreadyExists = Code("already-exists")
        /// Another process is writing the file.
        public static let inUse = Code("in-use")
        public static let diskFull = Code("disk-full")
        public static let ioError = Code("io-error")
        public static let decoderFailed = Code("decoder-failed")
        /// A custom compositor threw, or gave a picture of another kind.
        public static let compositorFailed = Code("compositor-failed")
        public static let encoderFailed = Code("encoder-failed")
        public static let cancelled = Code("cancelled")
    }

    public let code: Code
    /// The C function that failed, or "" when our own check refused.
    public let function: String
    /// The file, item, track or time concerned.
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
