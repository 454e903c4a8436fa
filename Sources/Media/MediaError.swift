/// A failure: of a device, a file, a setting, a codec or a film. Every room throws this one.
///
/// The rooms do not wrap each other's errors: what a frame reader found out is what the reader of a film
/// throws. A caller that knows more on the way says so with a better sentence (`describing`) and leaves the rest.
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }

        public var description: String { name }
    }

    public let code: Code
    /// The C function or ioctl that failed, or "" when our own check refused.
    public let function: String
    /// The device, control, file, track, setting, item or time concerned.
    public let subject: String
    /// The system's error number; a library's own where that is negative (libav); 0 when there is none.
    public let errno: Int32
    /// The library's last log line before the failure, where it wrote one; `message` holds it too.
    public let logLine: String?
    /// One sentence a user can act on.
    public let message: String

    public var description: String { message }

    public init(
        code: Code, function: String = "", subject: String, errno: Int32 = 0,
        logLine: String? = nil, message: String
    ) {
        self.code = code
        self.function = function
        self.subject = subject
        self.errno = errno
        self.logLine = logLine
        self.message = message
    }

    /// The same failure in the words of a caller that knows more of it.
    package func describing(
        code: Code? = nil, subject: String? = nil, message: String? = nil
    ) -> MediaError {
        MediaError(
            code: code ?? self.code, function: function, subject: subject ?? self.subject,
            errno: errno, logLine: logLine, message: message ?? self.message)
    }

    /// The same of a file, which its sentence names then.
    /// - Parameter track: its number, where one track is read.
    package func of(_ path: String, track: Int? = nil) -> MediaError {
        let place = track.map { "track \($0) of \(path)" } ?? path
        return describing(
            subject: path, message: message.contains(path) ? nil : "\(place): \(message)")
    }
}

// MARK: Files

extension MediaError.Code {
    /// A file to be read is not there, or is none that can be opened.
    public static let noSuchFile = Self("no-such-file")
    /// A file or device that this user may not use so.
    public static let notPermitted = Self("not-permitted")
    /// A file cannot be made, or opened under that name.
    public static let cannotCreate = Self("cannot-create")
    /// A file of that name is there and may not be replaced.
    public static let alreadyExists = Self("already-exists")
    /// Another process is writing the file.
    public static let inUse = Self("in-use")
    /// There is no room for what is written.
    public static let diskFull = Self("disk-full")
    /// The system could not read or write.
    public static let ioError = Self("io-error")
}

// MARK: What is read

extension MediaError.Code {
    /// A file, or a sample of it, that is not what it claims to be: damaged, cut off, or endless to read.
    public static let damagedFile = Self("damaged-file")
    /// A form that is not read or written, or a thing that is not there to be used.
    public static let unsupported = Self("unsupported")
    /// Larger, longer or more than is taken from strangers.
    public static let overLimit = Self("over-limit")
    /// A decoder could not be opened or used.
    public static let decoderFailed = Self("decoder-failed")
    /// Frames or audio could not be brought to another format.
    public static let conversionFailed = Self("conversion-failed")
    /// What was read asks for more memory than there is or may be used.
    public static let outOfMemory = Self("out-of-memory")
}

// MARK: What is written

extension MediaError.Code {
    /// A value that is no valid setting, or that encoder or container cannot have.
    public static let invalidSetting = Self("invalid-setting")
    /// A call at a moment when it cannot be answered; samples that come too late.
    public static let invalidState = Self("invalid-state")
    /// A sample that is not after the one before.
    public static let outOfOrder = Self("out-of-order")
    /// An encoder or muxer could not be opened or used.
    public static let encoderFailed = Self("encoder-failed")
    /// A source of a recording gave nothing.
    public static let sourceSilent = Self("source-silent")
}

// MARK: Devices

extension MediaError.Code {
    public static let noSuchDevice = Self("no-such-device")
    /// The words mean several devices.
    public static let ambiguousDevice = Self("ambiguous-device")
    /// The device was there and is no more.
    public static let deviceGone = Self("device-gone")
    /// The device is there, but nothing arrives at its input.
    public static let noSignal = Self("no-signal")
    /// Another program uses the device.
    public static let deviceBusy = Self("device-busy")
    /// The device has no format that would do.
    public static let unsupportedFormat = Self("unsupported-format")
    /// The bus carries no more.
    public static let noBandwidth = Self("no-bandwidth")
    /// A driver or sound server answered with an error.
    public static let deviceFailed = Self("device-failed")
}

// MARK: Films

extension MediaError.Code {
    /// A range, time or track that the composition does not have, or that would overlap.
    public static let invalidEdit = Self("invalid-edit")
    /// A project file that cannot be understood; the message names line and column.
    public static let invalidProject = Self("invalid-project")
    /// No font has the characters of a title.
    public static let missingGlyphs = Self("missing-glyphs")
    /// Recordings whose audio does not say where they lie to each other.
    public static let notAligned = Self("not-aligned")
    /// A custom compositor threw, or gave a frame of another kind.
    public static let compositorFailed = Self("compositor-failed")
    /// The user ended it.
    public static let cancelled = Self("cancelled")
}
