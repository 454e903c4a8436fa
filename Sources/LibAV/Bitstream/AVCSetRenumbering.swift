/// Parameter sets of H.264 as they get other numbers.
struct AVCSetRenumbering {
    private var sequenceUnits: [[UInt8]] = []
    private var pictureUnits: [[UInt8]] = []
    /// By the old number.
    private var sequences: [UInt64: (fields: AVCSequenceFields, newID: Int)] = [:]
    /// By the old number of the picture parameter set.
    private(set) var slices: [UInt64: AVCRenumbering.Slices] = [:]

    /// - Returns: false for a set that cannot be read or has the number of another.
    mutating func addSequence(_ unit: [UInt8], _ newID: Int) -> Bool {
        let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
        var reader = BitReader(bytes)
        reader.skip(8)
        let fields = AVCSequenceFields(&reader)
        guard !reader.isExhausted, sequences[fields.id] == nil, fields.id < 32, fields.chroma < 4,
            fields.frameNumber < 13, fields.orderType < 3, fields.order < 13,
            fields.last.column < 1 << 16, fields.last.row < 1 << 16, let end = Self.end(of: bytes)
        else { return false }
        // behind the header, the profile, its compatibility and the level
        let first = 32 + BitWriter.count(unsigned: Int(fields.id))
        guard end > first else { return false }
        var writer = BitWriter()
        writer.append(bytes, bits: 0..<32)
        writer.append(unsigned: newID)
        writer.append(bytes, bits: first..<end)
        sequences[fields.id] = (fields, newID)
        return Self.append(writer, to: &sequenceUnits)
    }

    /// - Returns: false for a set that cannot be read, has the number of another or is of an unknown sequence.
    mutating func addPicture(_ unit: [UInt8], _ newID: Int) -> Bool {
        let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
        var reader = BitReader(bytes)
        reader.skip(8)
        guard let fields = AVCPictureFields(&reader), slices[fields.id] == nil,
            let sequence = sequences[fields.sequence], let end = Self.end(of: bytes),
            end > fields.numbersEnd
        else { return false }
        var writer = BitWriter()
        writer.append(bytes, bits: 0..<8)
        writer.append(unsigned: newID)
        writer.append(unsigned: sequence.newID)
        writer.append(bytes, bits: fields.numbersEnd..<end)
        slices[fields.id] = AVCRenumbering.Slices(
            sequence: sequence.fields, picture: fields, newID: newID)
        return Self.append(writer, to: &pictureUnits)
    }

    /// As far as `AVCParameterSets` reads it.
    var record: [UInt8] {
        var record: [UInt8] = [1, 0, 0, 0, 0xFF, 0xE0 | UInt8(sequenceUnits.count)]
        for unit in sequenceUnits { AVCConfiguration.append(unit[...], to: &record) }
        record.append(UInt8(pictureUnits.count))
        for unit in pictureUnits { AVCConfiguration.append(unit[...], to: &record) }
        return record
    }

    /// - Returns: false for a set that is too long for a record.
    private static func append(_ writer: BitWriter, to units: inout [[UInt8]]) -> Bool {
        var unit: [UInt8] = []
        EmulationPrevention.append(writer.bytes, to: &unit)
        units.append(unit)
        return unit.count <= UInt16.max
    }

    /// Bits up to and with the one that ends a unit (`rbsp_stop_one_bit`); nil: there is none.
    static func end(of payload: [UInt8]) -> Int? {
        guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
        return 8 * last + 8 - payload[last].trailingZeroBitCount
    }
}
