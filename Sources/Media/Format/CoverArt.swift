/// A frame that stands for a whole file: a record's sleeve, a film's poster.
public struct CoverArt: Sendable, Hashable, Codable {
    /// How it is coded.
    public enum Kind: String, Sendable, Hashable, Codable {
        case jpeg, png
    }

    /// Nil: neither, and containers have no common place for it.
    public let kind: Kind?
    /// A whole file of that kind.
    public let bytes: [UInt8]
    /// As the bytes say (pixels); 0: they do not.
    public let width: Int
    public let height: Int

    /// Looks at the first bytes; whatever they are, nothing is decoded.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            kind = .png
            (width, height) = Self.sensible(
                Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
            (width, height) = Self.sizeOfJPEG(bytes) ?? (0, 0)
        } else {
            (kind, width, height) = (nil, 0, 0)
        }
    }

    /// What containers can say of a frame; else nothing.
    private static func sensible(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        1...65_535 ~= width && 1...65_535 ~= height ? (width, height) : (0, 0)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Of the first frame header (ITU-T T.81, B.2.2).
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            // C4, C8 and CC are tables and no frames
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return sensible(
                    number(bytes[(place + 7)..<(place + 9)]),
                    number(bytes[(place + 5)..<(place + 7)]))
            }
            place += 2 + number(bytes[(place + 2)..<(place + 4)])
        }
        return nil
    }
}
