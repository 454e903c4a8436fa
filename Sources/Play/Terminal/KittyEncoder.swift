/// Pictures in the graphics protocol of kitty (its specification "Terminal graphics protocol"): the bytes themselves, in
/// base64, which the terminal scales over cells.
package enum KittyEncoder {
    /// Most of base64 in one sequence (bytes).
    static let chunk = 4096

    /// The number that a terminal is asked about.
    package static let query = 31

    /// Shows a picture over cells, from where the cursor stands, which stays there; it takes the place of the one of the
    /// same number.
    package static func bytes(
        of picture: PreviewPicture, number: Int, columns: Int, rows: Int
    ) -> [UInt8] {
        let text = base64(picture.bytes)
        var out: [UInt8] = []
        out.reserveCapacity(text.count + text.count / 100 + 200)
        var start = 0
        while start < text.count || start == 0 {
            let end = min(text.count, start + chunk)
            let more = end < text.count ? 1 : 0
            let keys =
                start == 0
                ? "a=T,f=24,s=\(picture.width),v=\(picture.height),i=\(number),p=1,c=\(columns),"
                    + "r=\(rows),C=1,q=2,m=\(more)"
                : "m=\(more),q=2"
            out += Array("\u{1B}_G\(keys);".utf8)
            out += text[start..<end]
            out += [0x1B, 0x5C]
            start = end
            if more == 0 { break }
        }
        return out
    }

    /// Removes every picture, and what the terminal keeps of them.
    package static let removal = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// As RFC 4648 has it.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { out, size in
            var place = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let left = min(3, bytes.count - start)
                var word = Int(bytes[start]) << 16
                if left > 1 { word |= Int(bytes[start + 1]) << 8 }
                if left > 2 { word |= Int(bytes[start + 2]) }
                for digit in 0..<4 {
                    out[place] =
                        digit <= left
                        ? alphabet[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
                    place += 1
                }
            }
            size = place
        }
    }
}
