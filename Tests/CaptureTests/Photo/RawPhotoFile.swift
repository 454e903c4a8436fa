import Foundation

/// What is in a DNG, read byte by byte and without any of our own code.
struct RawPhotoFile {
    private let bytes: [UInt8]
    /// Values of the first directory and of that of the mosaic, by their tags.
    let main: [Int: [Int]]
    let mosaic: [Int: [Int]]

    /// `nil` for what is no little-endian TIFF with a second directory in its first.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 16, Array(bytes[..<4]) == [0x49, 0x49, 42, 0] else { return nil }
        self.bytes = bytes
        main = Self.directory(Self.number(bytes, 4, 4), bytes)
        guard let place = main[330]?.first else { return nil }
        mosaic = Self.directory(place, bytes)
    }

    /// The values of the mosaic, row by row.
    var values: [UInt16] {
        let (start, count) = (mosaic[273]?[0] ?? 0, mosaic[279]?[0] ?? 0)
        let wide = mosaic[258]?[0] == 16 ? 2 : 1
        return stride(from: start, to: start + count, by: wide).map {
            UInt16(Self.number(bytes, $0, wide))
        }
    }

    /// A text of the first directory.
    func text(_ tag: Int) -> String? {
        main[tag].map { String(decoding: $0.dropLast().map { UInt8($0) }, as: UTF8.self) }
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func directory(_ place: Int, _ bytes: [UInt8]) -> [Int: [Int]] {
        var values: [Int: [Int]] = [:]
        for index in 0..<number(bytes, place, 2) {
            let at = place + 2 + 12 * index
            let kind = number(bytes, at + 2, 2)
            // fractions are two numbers
            let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 7: 1, 10: 4][kind] ?? 1
            let count = number(bytes, at + 4, 4) * (kind == 5 || kind == 10 ? 2 : 1)
            let start = size * count <= 4 ? at + 8 : number(bytes, at + 8, 4)
            values[number(bytes, at, 2)] = (0..<count).map {
                let value = number(bytes, start + $0 * size, size)
                return kind == 10 ? Int(Int32(truncatingIfNeeded: value)) : value
            }
        }
        return values
    }
}
