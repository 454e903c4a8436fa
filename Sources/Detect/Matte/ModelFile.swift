internal import Glibc
internal import Media

/// A model's file, read whole and with a bound.
enum ModelFile {
    /// - Throws: `noSuchFile` and others as the system answers; `unsupported` for what is no regular file, is empty or too
    ///   large.
    static func read(_ path: String) throws(MediaError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw MediaError(
                code: errno == EACCES ? .notPermitted : .noSuchFile, function: "open",
                subject: path,
                message:
                    "Cannot read the model \(path): \(String(cString: strerror(errno))).\(hint(path))"
            )
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .model("is no file").of(path)
        }
        guard status.st_size > 0 else { throw .model("is empty").of(path) }
        guard status.st_size <= ModelOutline.mostBytes else {
            throw .model("is larger than \(ModelOutline.mostBytes >> 20) MB").of(path)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }
}

extension ModelFile {
    /// What looks like a setting and is none is a part of the name.
    private static func hint(_ path: String) -> String {
        guard let word = path.split(separator: ",").dropFirst().last,
            let sign = word.firstIndex(of: "=")
        else { return "" }
        return " \(word[..<sign])= is no setting of a model: size=, class= and colors= are."
    }
}

extension MediaError {
    fileprivate func of(_ path: String) -> MediaError {
        describing(
            code: code, subject: path,
            message: "The model \(path) \(message.dropFirst("The model ".count))")
    }
}

/// e to a power, as the C library has it.
func exponential(_ power: Float) -> Float { expf(power) }
