package import Media

/// Other numbers for the parameter sets of an HEVC track, so that its samples can stand in one track with those of another
/// that has the same numbers. Only the numbers change: what is decoded does not.
///
/// Source: ITU-T H.265, 7.3.2.1 to 7.3.2.3, 7.3.6.1, 7.4.2.2 and 8.1.3.
package struct HEVCRenumbering: Sendable {
    /// The sets with their new numbers.
    package let sets: HEVCParameterSets

    private let old: HEVCParameterSets
    /// Of picture parameter sets, by the old one.
    private let numbers: [Int: Int]

    /// Takes the lowest numbers that other sets leave free. Those of picture parameter sets are as many whole bytes longer
    /// than the old ones: 0 becomes 15, say.
    /// - Returns: nil where they do not suffice, and for sets that cannot be read, have one number twice or miss each other.
    package init?(_ sets: HEVCParameterSets, besides others: HEVCParameterSets) {
        let otherSequences = others.sequences.map(\.id)
        let videos = Self.numbers(sets.videoIDs, below: 16, besides: others.videoIDs) { _, _ in true
        }
        let sequences = Self.numbers(
            sets.sequences.map(\.id), below: 16, besides: otherSequences
        ) { _, _ in true }
        let pictures = Self.numbers(sets.pictureIDs, below: 64, besides: others.pictureIDs) {
            (BitWriter.count(unsigned: $0) - BitWriter.count(unsigned: $1)).isMultiple(of: 8)
        }
        guard let videos, let sequences, let pictures,
            let new = sets.renumbered(videos, sequences, pictures)
        else { return nil }
        (self.sets, old, numbers) = (new, sets, pictures)
    }

    /// New numbers by the old ones.
    private static func numbers(
        _ old: [Int], below limit: Int, besides others: [Int], _ fits: (Int, Int) -> Bool
    ) -> [Int: Int]? {
        var numbers: [Int: Int] = [:]
        var free = (0..<limit).filter { !others.contains($0) }
        for id in old {
            guard numbers[id] == nil, let place = free.firstIndex(where: { fits($0, id) }) else {
                return nil
            }
            numbers[id] = free.remove(at: place)
        }
        return numbers
    }

    /// A sample whose slices name the new numbers. Parameter sets that stand in it as in the record are left out.
    /// - Parameters:
    ///   - sample: with units whose lengths have 4 bytes.
    ///   - begins: as that of `begun`.
    /// - Returns: nil for damage, slices of sets that are not known, sets that are not those of the record, units of an unknown
    ///   kind and of layers above the lowest.
    package func rewritten(_ sample: BlockBuffer, begins: Bool) -> BlockBuffer? {
        let change = HEVCSliceHead.Change(numbers: numbers, begins: begins)
        return NALUnits.rewritten(sample) { unit, output in
            guard unit.count > 2, unit[0] < 0x80 else { return false }  // forbidden_zero_bit
            // nuh_layer_id
            guard unit[0] & 1 == 0, unit[1] & 0xF8 == 0 else { return false }
            switch NALCodec.hevc.type(unit[0]) {
            case 0...9, HEVCSliceHead.entries:
                return HEVCSliceHead.append(unit, change, to: &output)
            case 32...34: return old.hold(unit)
            case 39: PlainMessages.hevc.append(unit, to: &output)
            case 35...38, 40, 48...63: output += unit
            default: return false
            }
            return true
        }
    }

    /// A sample at which decoding begins and before which others' pictures are shown; pictures that are shown before it
    /// and decoded behind it are left out.
    /// - Returns: nil for damage.
    package static func begun(_ sample: BlockBuffer) -> BlockBuffer? {
        let change = HEVCSliceHead.Change(numbers: nil, begins: true)
        return NALUnits.rewritten(sample) { unit, output in
            guard unit.count > 2, HEVCSliceHead.entries.contains(NALCodec.hevc.type(unit[0])) else {
                output += unit
                return true
            }
            return HEVCSliceHead.append(unit, change, to: &output)
        }
    }
}

extension HEVCParameterSets {
    /// Whether a unit is one of them.
    fileprivate func hold(_ unit: UnsafeRawBufferPointer) -> Bool {
        (videoUnits + sequenceUnits + pictureUnits).contains { $0.elementsEqual(unit) }
    }

    /// The same sets with other numbers, by the old ones.
    fileprivate func renumbered(
        _ videos: [Int: Int], _ sequences: [Int: Int], _ pictures: [Int: Int]
    ) -> HEVCParameterSets? {
        var units: (video: [[UInt8]], sequence: [[UInt8]], picture: [[UInt8]]) = ([], [], [])
        for (unit, id) in zip(videoUnits, videoIDs) {
            guard let new = videos[id] else { return nil }
            var bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
            bytes[2] = UInt8(new) << 4 | bytes[2] & 0xF
            units.video.append(Self.unit(bytes))
        }
        for (unit, fields) in zip(sequenceUnits, self.sequences) {
            guard let new = sequences[fields.id], let video = videos[fields.videoID] else {
                return nil
            }
            let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
            guard let end = AVCSetRenumbering.end(of: bytes), end > fields.numberEnd else {
                return nil
            }
            var writer = BitWriter()
            writer.append(bytes, bits: 0..<16)
            writer.append(UInt64(video), count: 4)
            writer.append(bytes, bits: 20..<fields.numberStart)
            writer.append(unsigned: new)
            writer.append(bytes, bits: fields.numberEnd..<end)
            units.sequence.append(Self.unit(writer.bytes))
        }
        for ((unit, id), sequence) in zip(zip(pictureUnits, pictureIDs), sequenceIDs) {
            guard let new = pictures[id], let newSequence = sequences[sequence] else { return nil }
            let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
            let start = 16 + BitWriter.count(unsigned: id) + BitWriter.count(unsigned: sequence)
            guard let end = AVCSetRenumbering.end(of: bytes), end > start else { return nil }
            var writer = BitWriter()
            writer.append(bytes, bits: 0..<16)
            writer.append(unsigned: new)
            writer.append(unsigned: newSequence)
            writer.append(bytes, bits: start..<end)
            units.picture.append(Self.unit(writer.bytes))
        }
        return with(video: units.video, sequence: units.sequence, picture: units.picture)
    }

    private static func unit(_ payload: [UInt8]) -> [UInt8] {
        var unit: [UInt8] = []
        EmulationPrevention.append(payload, to: &unit)
        return unit
    }
}
