/// A failure while reading a picture file.
package struct ImageError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    package struct Code: Sendable, Hashable {
        package let name: String
        package init(_ name: String) { self.name = name }

        package static let noSuchFile = Code("no-such-file")
        package static let notPermitted = Code("not-permitted")
        package static let ioError = Code("io-error")
        package static let damagedFile = Code("damaged-file")
        package static let overLimit = Code("over-limit")
        package static let unsupported = Code("unsupported")
    }

    package let code: Code
    /// The C function that failed, or "" when our own check refused.
    package let function: String
    /// The file concerned.
    package let subject: String
    /// The system's error number, or 0.
    package let errno: Int32
    /// One sentence a user can act on.
    package let message: String

    package var description: String { message }

    package init(
        code: Code, function: String = "", subject: String, errno: Int32 = 0, message: String
    ) {
        self.code = code
        self.function = function
        self.subject = subject
        self.errno = errno
        self.message = message
    }
}

extension ImageError {
    static func damaged(_ path: String, _ what: String, function: String = "") -> ImageError {
        ImageError(
            code: .damagedFile, function: function, subject: path,
            message: "Cannot read \(path): \(what); the file is damaged or incomplete.")
    }

    static func cutOff(_ path: String) -> ImageError { damaged(path, "it is cut off") }

    static func overLimit(_ path: String, _ what: String) -> ImageError {
        ImageError(
            code: .overLimit, subject: path,
            message: "Cannot read \(path): \(what) above the limit.")
    }
}
