internal import Glibc

/// What the bytes of a text file mean: UTF-8, or what they are converted from.
struct TextEncoding: Sendable, Hashable {
    /// As iconv calls it.
    let name: String

    static let utf8 = TextEncoding(name: "UTF-8")

    private init(name: String) { self.name = name }

    /// - Parameter name: such as "windows-1252", "shift_jis" or "utf-16".
    /// - Returns: nil: the system knows no such encoding.
    init?(named name: String) {
        // a name and nothing that iconv would take for an instruction
        let isName =
            (1...40).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789-_.:".unicodeScalars.contains($0))
            }
        guard isName else { return nil }
        guard let descriptor = TextEncoding.converter(from: name) else { return nil }
        iconv_close(descriptor)
        self.name = name
    }

    /// By the mark of the byte order that a text begins with, if it does.
    /// - Returns: also how long the mark is (bytes).
    static func marked(_ bytes: [UInt8]) -> (encoding: TextEncoding, mark: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
            return (TextEncoding(name: "UTF-32LE"), 4)
        }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return (TextEncoding(name: "UTF-32BE"), 4)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return (TextEncoding(name: "UTF-16LE"), 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (TextEncoding(name: "UTF-16BE"), 2) }
        return nil
    }

    /// The bytes as UTF-8.
    /// - Returns: nil: they are no text of the encoding; and at which byte that shows.
    func text(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8]?, wrongByte: Int) {
        if self == .utf8 {
            let wrong = bytes.firstInvalidUTF8
            return (wrong == nil ? Array(bytes) : nil, wrong ?? 0)
        }
        guard let descriptor = TextEncoding.converter(from: name) else { return (nil, 0) }
        defer { iconv_close(descriptor) }
        var source = bytes.map { CChar(bitPattern: $0) }
        var result: [UInt8] = []
        var chunk = [CChar](repeating: 0, count: 64 << 10)
        var done = 0
        while done < source.count {
            let (used, made, isFine) = source.withUnsafeMutableBufferPointer { input in
                chunk.withUnsafeMutableBufferPointer { output -> (Int, Int, Bool) in
                    var from = input.baseAddress.map { $0 + done }
                    var to = output.baseAddress
                    var (left, room) = (input.count - done, output.count)
                    let made = iconv(descriptor, &from, &left, &to, &room)
                    let isFull = made == -1 && errno == E2BIG
                    return (
                        input.count - done - left, output.count - room, made != -1 || isFull
                    )
                }
            }
            result += chunk[..<made].map { UInt8(bitPattern: $0) }
            done += used
            guard isFine, used > 0 else { return (nil, done) }
        }
        // converted twice, a mark within the text is one still
        if result.starts(with: [0xEF, 0xBB, 0xBF]) { result.removeFirst(3) }
        return (result, 0)
    }

    private static func converter(from name: String) -> iconv_t? {
        let descriptor = iconv_open("UTF-8", name)
        return descriptor == iconv_t(bitPattern: -1) ? nil : descriptor
    }
}

extension ArraySlice<UInt8> {
    /// Where the bytes stop being UTF-8 (from the beginning); nil: nowhere.
    fileprivate var firstInvalidUTF8: Int? {
        var decoder = Unicode.UTF8.ForwardParser()
        var rest = makeIterator()
        var done = 0
        while true {
            switch decoder.parseScalar(from: &rest) {
            case .valid(let scalar): done += scalar.count
            case .emptyInput: return nil
            case .error: return done
            }
        }
    }
}
