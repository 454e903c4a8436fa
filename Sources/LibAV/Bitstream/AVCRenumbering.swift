package import Media

/// Other numbers for the parameter sets of an H.264 track, so that its samples can stand in one track with those of another
/// that has the same numbers. Only the numbers change: what is decoded does not.
///
/// Source: ITU-T H.264, 7.3.2.1, 7.3.2.2, 7.3.3 and 7.4.1.1.
package struct AVCRenumbering: Sendable {
    /// The sets with their new numbers.
    package let sets: AVCParameterSets
    /// The same in a track's configuration.
    package let record: [UInt8]

    /// What slices of one picture parameter set depend on.
    struct Slices: Sendable {
        let sequence: AVCSequenceFields
        let picture: AVCPictureFields
        let newID: Int
    }

    private let old: AVCParameterSets
    /// By the old number.
    private let slices: [UInt64: Slices]

    /// - Parameters:
    ///   - sets: all that the samples need.
    ///   - sequenceIDs: numbers the sequence parameter sets may have (0…31), the first for the first.
    ///   - pictureIDs: numbers the picture parameter sets may have (0…255).
    /// - Returns: nil where they do not suffice, and for sets that cannot be read, have one number twice or miss each other.
    package init?(
        _ sets: AVCParameterSets, sequenceIDs: some Sequence<Int>,
        pictureIDs: some Sequence<Int>
    ) {
        let sequenceIDs = Array(sequenceIDs.prefix(sets.sequenceUnits.count))
        let pictureIDs = Array(pictureIDs.prefix(sets.pictureUnits.count))
        guard sequenceIDs.allSatisfy((0...31).contains),
            Set(sequenceIDs).count == sequenceIDs.count,
            pictureIDs.allSatisfy((0...255).contains), Set(pictureIDs).count == pictureIDs.count,
            sequenceIDs.count == sets.sequenceUnits.count,
            pictureIDs.count == sets.pictureUnits.count
        else { return nil }
        var renumbered = AVCSetRenumbering()
        for (unit, id) in zip(sets.sequenceUnits, sequenceIDs) {
            guard renumbered.addSequence(unit, id) else { return nil }
        }
        for (unit, id) in zip(sets.pictureUnits, pictureIDs) {
            guard renumbered.addPicture(unit, id) else { return nil }
        }
        guard let new = AVCParameterSets(record: renumbered.record),
            let record = new.record(with: new)
        else { return nil }
        (self.sets, self.record) = (new, record)
        (old, slices) = (sets, renumbered.slices)
    }

    /// Takes the lowest numbers that other sets leave free.
    package init?(_ sets: AVCParameterSets, besides others: AVCParameterSets) {
        let sequences = Set(others.sequences.map(\.id))
        let pictures = Set(others.pictureIDs)
        self.init(
            sets, sequenceIDs: (0...31).filter { !sequences.contains($0) },
            pictureIDs: (0...255).filter { !pictures.contains($0) })
    }

    // MARK: Samples

    /// A sample whose slices name the new numbers. Parameter sets that stand in it as in the record are left out.
    /// - Parameter sample: with units whose lengths have 4 bytes.
    /// - Returns: nil for damage, slices of sets that are not known, sets that are not those of the record, data partitions,
    ///   and the units of auxiliary pictures and of the scalable, multiview and 3D extensions.
    package func rewritten(_ sample: BlockBuffer) -> BlockBuffer? {
        NALUnits.rewritten(sample) { append($0, to: &$1) }
    }

    private func append(_ unit: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
        guard unit[0] < 0x80 else { return false }  // forbidden_zero_bit
        switch NALCodec.h264.type(unit[0]) {
        case 1, 5: return appendSlice(unit, to: &output)
        case 7, 8: return holds(unit)
        case 6: PlainMessages.h264.append(unit, to: &output)
        case 0, 9...12, 14, 16...18, 22...31: output += unit
        default: return false
        }
        return true
    }

    private func holds(_ set: UnsafeRawBufferPointer) -> Bool {
        (old.sequenceUnits + old.pictureUnits).contains { $0.elementsEqual(set) }
    }

    // MARK: Slices

    /// Slice headers are shorter (bytes).
    private static let longestHeader = 4096

    private func appendSlice(_ unit: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
        let head = EmulationPrevention.removed(
            from: UnsafeRawBufferPointer(rebasing: unit.prefix(Self.longestHeader)))
        var reader = BitReader(head)
        reader.skip(8)
        _ = reader.unsigned()  // first_mb_in_slice
        let type = reader.unsigned()
        let start = reader.position
        guard let slices = slices[reader.unsigned()], !reader.isExhausted else { return false }
        let end = reader.position
        var writer = BitWriter()
        writer.append(head, bits: 0..<start)
        writer.append(unsigned: slices.newID)
        let growth = BitWriter.count(unsigned: slices.newID) - (end - start)
        guard !growth.isMultiple(of: 8) else {
            writer.append(head, bits: end..<(end + 7) / 8 * 8)
            return Self.append(unit, head, from: (end + 7) / 8, writer, to: &output)
        }
        guard slices.picture.isArithmetic else {
            let whole = EmulationPrevention.removed(from: unit)
            guard let stop = AVCSetRenumbering.end(of: whole), stop > end else { return false }
            writer.append(whole, bits: end..<stop)
            EmulationPrevention.append(writer.bytes, to: &output)
            return true
        }
        let header = AVCSliceHeader(
            header: unit[0], type: type, sequence: slices.sequence, picture: slices.picture)
        guard var header, header.skip(&reader) else { return false }
        writer.append(head, bits: end..<reader.position)
        writer.align()
        while !reader.position.isMultiple(of: 8) {
            guard reader.flag() else { return false }  // cabac_alignment_one_bit
        }
        return Self.append(unit, head, from: reader.position / 8, writer, to: &output)
    }

    /// Appends what is written and what of a slice begins at a byte, which is copied as it stands behind the first byte
    /// that is not zero: from there on emulation prevention does not depend on what is before.
    /// - Parameter head: the beginning of the unit, without emulation prevention.
    private static func append(
        _ unit: UnsafeRawBufferPointer, _ head: [UInt8], from first: Int, _ writer: BitWriter,
        to output: inout [UInt8]
    ) -> Bool {
        guard first < head.count else { return false }
        var writer = writer
        if let border = head[first...].firstIndex(where: { $0 != 0 }) {
            writer.append(head[first...border])
            EmulationPrevention.append(writer.bytes, to: &output)
            let rest = EmulationPrevention.offset(of: border, in: unit) + 1
            output += UnsafeRawBufferPointer(rebasing: unit[rest...])
        } else {
            writer.append(EmulationPrevention.removed(from: unit)[first...])
            EmulationPrevention.append(writer.bytes, to: &output)
        }
        return true
    }
}
