/// Addresses of media: relative ones, and `file:` URLs.
enum OTIOAddress {
    /// A path as a relative or file URL reference.
    static func url(_ path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            let isPlain =
                byte.isDigit || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/-._~".utf8.contains(byte)
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                text += "%" + (hex.count == 1 ? "0" : "") + hex
            }
        }
        return text
    }

    /// What a clip is called: by its file unless it has a name.
    static func name(_ name: String?, _ path: String) -> String {
        name ?? path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Nil when the address is no file's.
    static func path(_ url: String) -> String? {
        var rest = url[...]
        if rest.hasPrefix("file://") {
            rest = rest.dropFirst(7)
            if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
            guard rest.hasPrefix("/") else { return nil }
        } else if let colon = rest.firstIndex(of: ":"),
            rest[..<colon].allSatisfy({ $0.isASCII && $0.isLetter }),
            rest[colon...].hasPrefix("://")
        {
            return nil
        }
        var bytes: [UInt8] = []
        var source = Array(rest.utf8)[...]
        while let byte = source.popFirst() {
            if byte == UInt8(ascii: "%"), source.count >= 2,
                let value = UInt8(String(decoding: source.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                source.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
