internal import Media

extension MediaError {
    static func damaged(_ path: String, _ what: String, function: String = "") -> MediaError {
        MediaError(
            code: .damagedFile, function: function, subject: path,
            message: "Cannot read \(path): \(what); the file is damaged or incomplete.")
    }

    static func cutOff(_ path: String) -> MediaError { damaged(path, "it is cut off") }

    static func overLimit(_ path: String, _ what: String) -> MediaError {
        MediaError(
            code: .overLimit, subject: path,
            message: "Cannot read \(path): \(what) above the limit.")
    }
}
