/// A value of a metadata item.
public enum MetadataValue: Sendable, Hashable {
    case text(String)
    /// JSON as it is written, in UTF-8.
    case json(String)
    case integer(Int64)
    case unsignedInteger(UInt64)
    case number(Double)
    case point(x: Float, y: Float)
    case rectangle(x: Float, y: Float, width: Float, height: Float)
    case data([UInt8])

    public var dataType: MetadataDataType {
        switch self {
        case .text: .text
        case .json: .json
        case .integer: .integer
        case .unsignedInteger: .unsignedInteger
        case .number: .number
        case .point: .point
        case .rectangle: .rectangle
        case .data: .data
        }
    }

    /// The value's bytes in a sample, numbers in big endian.
    package var bytes: [UInt8] {
        switch self {
        case .text(let text), .json(let text): Array(text.utf8)
        case .integer(let value): Self.bytes(of: UInt64(bitPattern: value))
        case .unsignedInteger(let value): Self.bytes(of: value)
        case .number(let value): Self.bytes(of: value.bitPattern)
        case .point(let x, let y): [x, y].flatMap { Self.bytes(of: $0.bitPattern) }
        case .rectangle(let x, let y, let width, let height):
            [x, y, width, height].flatMap { Self.bytes(of: $0.bitPattern) }
        case .data(let bytes): bytes
        }
    }

    /// - Returns: nil where the bytes are no value of the type. Text that is no UTF-8 is repaired.
    package init?(_ dataType: MetadataDataType, bytes: some Collection<UInt8>) {
        if let size = dataType.size, bytes.count != size { return nil }
        func word(_ place: Int, _ count: Int) -> UInt64 {
            bytes.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func float(_ index: Int) -> Float {
            Float(bitPattern: UInt32(truncatingIfNeeded: word(index * 4, 4)))
        }
        switch dataType {
        case .text: self = .text(String(decoding: bytes, as: UTF8.self))
        case .json: self = .json(String(decoding: bytes, as: UTF8.self))
        case .integer: self = .integer(Int64(bitPattern: word(0, 8)))
        case .unsignedInteger: self = .unsignedInteger(word(0, 8))
        case .number: self = .number(Double(bitPattern: word(0, 8)))
        case .point: self = .point(x: float(0), y: float(1))
        case .rectangle:
            self = .rectangle(x: float(0), y: float(1), width: float(2), height: float(3))
        case .data: self = .data(Array(bytes))
        }
    }

    private static func bytes<Word: FixedWidthInteger>(of word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
}
