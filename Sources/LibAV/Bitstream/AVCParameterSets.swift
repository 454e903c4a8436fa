/// The parameter sets of an H.264 track (ISO/IEC 14496-15, 5.3.3.1): what its samples need besides
/// themselves. Those of two tracks can stand in one record as long as their numbers differ.
package struct AVCParameterSets: Sendable, Hashable {
    /// What a sequence parameter set says that decides whether frames can follow others.
    package struct Sequence: Sendable, Hashable {
        /// `seq_parameter_set_id` (0…31).
        package let id: Int
        package let profile: UInt8
        package let level: UInt8
        /// `chroma_format_idc` (1 = 4:2:0).
        package let chroma: Int
        /// Of luma and chroma, the greater (bits).
        package let bitDepth: Int
        /// Whether no frame is of two fields (`frame_mbs_only_flag`).
        package let isProgressive: Bool
    }

    /// Units without start codes or lengths, as in the record.
    let sequenceUnits: [[UInt8]]
    let pictureUnits: [[UInt8]]
    package let sequences: [Sequence]
    /// `pic_parameter_set_id` of each (0…255).
    package let pictureIDs: [Int]

    /// - Returns: nil for what is no record, or holds a set that cannot be read.
    package init?(record: [UInt8]) {
        guard record.count > 6, record[0] == 1 else { return nil }
        var rest = record[6...]
        func units(_ count: Int) -> [[UInt8]]? {
            var units: [[UInt8]] = []
            for _ in 0..<count {
                guard let unit = AVCSequence.unit(rest) else { return nil }
                units.append(Array(unit))
                rest = rest.dropFirst(2 + unit.count)
            }
            return units
        }
        guard let sequence = units(Int(record[5] & 31)), !sequence.isEmpty,
            let pictures = rest.popFirst(), let picture = units(Int(pictures)), !picture.isEmpty
        else { return nil }
        self.init(sequence: sequence, picture: picture)
    }

    private init?(sequence: [[UInt8]], picture: [[UInt8]]) {
        let sequences = sequence.compactMap(Sequence.init)
        guard sequences.count == sequence.count else { return nil }
        var ids: [Int] = []
        for unit in picture {
            var reader = BitReader(unescaping: unit.dropFirst().prefix(8))
            let id = reader.unsigned()
            guard !reader.isExhausted, id < 256 else { return nil }
            ids.append(Int(id))
        }
        (sequenceUnits, pictureUnits) = (sequence, picture)
        (self.sequences, pictureIDs) = (sequences, ids)
    }

    /// The lowest number that neither a sequence nor a picture set has; nil: none up to 31.
    package var freeID: Int? {
        (0...31).first { id in !pictureIDs.contains(id) && !sequences.contains { $0.id == id } }
    }

    /// A record for samples of both. Profile and level are the greater ones, and what only one of both
    /// promises (`profile_compatibility`) is not promised.
    /// - Returns: nil where two different sets have one number, or there are too many.
    package func record(with other: AVCParameterSets) -> [UInt8]? {
        var (sequence, picture) = (sequenceUnits, pictureUnits)
        for (unit, id) in zip(other.sequenceUnits, other.sequences.map(\.id))
        where !sequence.contains(unit) {
            guard !sequences.contains(where: { $0.id == id }) else { return nil }
            sequence.append(unit)
        }
        for (unit, id) in zip(other.pictureUnits, other.pictureIDs) where !picture.contains(unit) {
            guard !pictureIDs.contains(id) else { return nil }
            picture.append(unit)
        }
        guard sequence.count < 32, picture.count < 256,
            let all = AVCParameterSets(sequence: sequence, picture: picture)
        else { return nil }
        return all.record
    }

    /// The same sets, which say that at least so many frames are decoded ahead (count) where they say how many.
    package func stating(reorder frames: Int) -> AVCParameterSets? {
        AVCParameterSets(
            sequence: sequenceUnits.map { StatedReorder.stating(frames, inAVC: $0) },
            picture: pictureUnits)
    }

    /// The record of these alone.
    package var record: [UInt8] {
        let heads = sequenceUnits.map { ($0[1], $0[2], $0[3]) }
        let profile = heads.map(\.0).max() ?? 0
        let compatibility = heads.reduce(UInt8(0xFF)) { $0 & $1.1 }
        let level = heads.map(\.2).max() ?? 0
        var record: [UInt8] = [1, profile, compatibility, level, 0xFF]
        record.append(0xE0 | UInt8(sequenceUnits.count))
        for unit in sequenceUnits { AVCConfiguration.append(unit[...], to: &record) }
        record.append(UInt8(pictureUnits.count))
        for unit in pictureUnits { AVCConfiguration.append(unit[...], to: &record) }
        let ending = sequenceUnits.compactMap { AVCConfiguration.highProfileFormat($0[...]) }.first
        if let ending { record += AVCConfiguration.ending(ending) }
        return record
    }
}

extension AVCParameterSets.Sequence {
    /// - Parameter unit: with its header.
    fileprivate init?(_ unit: [UInt8]) {
        guard unit.count >= 5 else { return nil }
        (profile, level) = (unit[1], unit[3])
        var numbers = BitReader(unescaping: unit.dropFirst(4))
        let id = numbers.unsigned()
        guard !numbers.isExhausted, id < 32 else { return nil }
        self.id = Int(id)
        let format = AVCConfiguration.highProfileFormat(unit[...])
        chroma = Int(format?.chroma ?? 1)
        bitDepth = 8 + Int(max(format?.lumaDepth ?? 0, format?.chromaDepth ?? 0))
        var reader = BitReader(unescaping: unit.dropFirst())
        isProgressive = AVCSequence.skipToUsability(&reader)
        guard !reader.isExhausted else { return nil }
    }
}

extension AVCParameterSets {
    /// Whether a sample brings no other sets than these.
    package func hold(_ entry: CodedEntry) -> Bool {
        entry.sets.allSatisfy { sequenceUnits.contains($0) || pictureUnits.contains($0) }
    }
}
