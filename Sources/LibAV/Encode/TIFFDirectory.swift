/// A value of a TIFF's directory, as it is stored.
///
/// Source: TIFF 6.0, section 2.
struct TIFFField: Sendable, Hashable {
    let tag: UInt16
    let kind: UInt16
    let count: Int
    let bytes: [UInt8]

    /// Text, with the zero behind it.
    static func text(_ tag: UInt16, _ text: String) -> TIFFField {
        let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
        return TIFFField(tag: tag, kind: 2, count: bytes.count, bytes: bytes)
    }
    static func bytes(_ tag: UInt16, _ bytes: [UInt8]) -> TIFFField {
        TIFFField(tag: tag, kind: 1, count: bytes.count, bytes: bytes)
    }
    static func short(_ tag: UInt16, _ values: Int...) -> TIFFField {
        TIFFField(
            tag: tag, kind: 3, count: values.count, bytes: values.flatMap { little($0, 2) })
    }
    static func long(_ tag: UInt16, _ values: Int...) -> TIFFField {
        TIFFField(
            tag: tag, kind: 4, count: values.count, bytes: values.flatMap { little($0, 4) })
    }
    /// A fraction; of a negative numerator a signed one.
    static func fraction(_ tag: UInt16, _ value: Int, _ unit: Int, isSigned: Bool) -> TIFFField {
        fractions(tag, [value], unit, isSigned: isSigned)
    }
    /// Fractions of one denominator.
    static func fractions(
        _ tag: UInt16, _ values: [Int], _ unit: Int, isSigned: Bool
    ) -> TIFFField {
        TIFFField(
            tag: tag, kind: isSigned ? 10 : 5, count: values.count,
            bytes: values.flatMap { little($0, 4) + little(unit, 4) })
    }
    static func data(_ tag: UInt16, _ bytes: [UInt8]) -> TIFFField {
        TIFFField(tag: tag, kind: 7, count: bytes.count, bytes: bytes)
    }
    /// Four bytes that mean themselves.
    static func word(_ tag: UInt16, _ text: String) -> TIFFField {
        TIFFField(tag: tag, kind: 7, count: 4, bytes: Array(text.utf8))
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// A directory of a TIFF in little-endian order.
///
/// Source: TIFF 6.0, section 2.
struct TIFFDirectory: Sendable {
    private let fields: [TIFFField]

    /// - Parameter fields: in any order; a file has them by their tags.
    init(_ fields: [TIFFField]) { self.fields = fields.sorted { $0.tag < $1.tag } }

    /// A file's first bytes.
    /// - Parameter place: of its first directory (bytes).
    static func head(first place: Int) -> [UInt8] {
        [0x49, 0x49, 42, 0] + TIFFField.little(place, 4)
    }

    /// The directory, and behind it those of its values that have no room in it.
    /// - Parameter place: where it begins (bytes from the byte order).
    func bytes(at place: Int) -> [UInt8] {
        var entries = TIFFField.little(fields.count, 2)
        var values: [UInt8] = []
        let end = place + 2 + 12 * fields.count + 4
        for field in fields {
            entries += TIFFField.little(Int(field.tag), 2) + TIFFField.little(Int(field.kind), 2)
            entries += TIFFField.little(field.count, 4)
            if field.bytes.count <= 4 {
                entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
            } else {
                entries += TIFFField.little(end + values.count, 4)
                values += field.bytes + [UInt8](repeating: 0, count: field.bytes.count % 2)
            }
        }
        return entries + TIFFField.little(0, 4) + values
    }
}
