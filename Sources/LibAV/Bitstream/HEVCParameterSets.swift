/// The parameter sets of an HEVC track (ISO/IEC 14496-15, 8.3.3.1): what its samples need besides themselves. Those of two
/// tracks can stand in one record as long as their numbers differ.
package struct HEVCParameterSets: Sendable, Hashable {
    /// What a sequence parameter set says that decides whether frames can follow others.
    package struct Sequence: Sendable, Hashable {
        /// `sps_seq_parameter_set_id` (0…15).
        package let id: Int
        /// `sps_video_parameter_set_id` (0…15).
        let videoID: Int
        /// `chroma_format_idc` (1 = 4:2:0).
        package let chroma: Int
        /// Of luma and chroma, the greater (bits).
        package let bitDepth: Int
        /// Whether its frames are not said to be fields (`general_interlaced_source_flag` alone).
        package let isProgressive: Bool
        /// Bits before its number, the unit's header counted.
        let numberStart: Int
        /// Bits up to and with it.
        let numberEnd: Int
    }

    /// Units without start codes or lengths, as in the record.
    let videoUnits: [[UInt8]]
    let sequenceUnits: [[UInt8]]
    let pictureUnits: [[UInt8]]
    /// `vps_video_parameter_set_id` of each (0…15).
    package let videoIDs: [Int]
    package let sequences: [Sequence]
    /// `pps_pic_parameter_set_id` of each (0…63), and the sequence's number it names.
    package let pictureIDs: [Int]
    let sequenceIDs: [Int]
    /// The record's bytes before its units.
    private let head: [UInt8]

    private static let headSize = 22

    /// - Returns: nil for what is no record, or holds a set that cannot be read.
    package init?(record: [UInt8]) {
        guard record.count > Self.headSize, record[0] == 1 else { return nil }
        var arrays: [UInt8: [[UInt8]]] = [:]
        var rest = record[(Self.headSize + 1)...]
        for _ in 0..<record[Self.headSize] {
            guard rest.count >= 3 else { return nil }
            let bytes = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            for _ in 0..<(Int(bytes[1]) << 8 | Int(bytes[2])) {
                guard let unit = AVCSequence.unit(rest) else { return nil }
                arrays[bytes[0] & 63, default: []].append(Array(unit))
                rest = rest.dropFirst(2 + unit.count)
            }
        }
        self.init(
            head: Array(record[..<Self.headSize]), video: arrays[32] ?? [],
            sequence: arrays[33] ?? [], picture: arrays[34] ?? [])
    }

    private init?(head: [UInt8], video: [[UInt8]], sequence: [[UInt8]], picture: [[UInt8]]) {
        let videoIDs = video.compactMap { $0.count > 2 ? Int($0[2] >> 4) : nil }
        let sequences = sequence.compactMap(Sequence.init)
        let pictures = picture.compactMap(Self.pictureNumbers)
        guard !video.isEmpty, !sequence.isEmpty, !picture.isEmpty, videoIDs.count == video.count,
            sequences.count == sequence.count, pictures.count == picture.count
        else { return nil }
        (self.head, videoUnits, sequenceUnits, pictureUnits) = (head, video, sequence, picture)
        (self.videoIDs, self.sequences) = (videoIDs, sequences)
        (pictureIDs, sequenceIDs) = (pictures.map(\.own), pictures.map(\.sequence))
    }

    private static func pictureNumbers(_ unit: [UInt8]) -> (own: Int, sequence: Int)? {
        var reader = BitReader(unescaping: unit.dropFirst(2).prefix(8))
        let (own, sequence) = (reader.unsigned(), reader.unsigned())
        guard !reader.isExhausted, own < 64, sequence < 16 else { return nil }
        return (Int(own), Int(sequence))
    }

    /// Others in their place.
    func with(
        video: [[UInt8]], sequence: [[UInt8]], picture: [[UInt8]]
    ) -> HEVCParameterSets? {
        HEVCParameterSets(head: head, video: video, sequence: sequence, picture: picture)
    }

    // MARK: Several

    /// Numbers of picture parameter sets that an encoder's frames can have which has 0.
    private static let encoders = [0] + Array(15...30)

    /// Whether an encoder's sets find numbers beside these.
    package var hasRoom: Bool {
        videoIDs.count < 16 && sequences.count < 16
            && Self.encoders.contains { !pictureIDs.contains($0) }
    }

    /// A record for samples of both. Profile, tier and level are the greater ones, and what only one of both promises is not
    /// promised.
    /// - Returns: nil where two different sets have one number, or there are too many.
    package func record(with other: HEVCParameterSets) -> [UInt8]? {
        var units = (videoUnits, sequenceUnits, pictureUnits)
        for (unit, id) in zip(other.videoUnits, other.videoIDs) where !videoUnits.contains(unit) {
            guard !videoIDs.contains(id) else { return nil }
            units.0.append(unit)
        }
        for (unit, own) in zip(other.sequenceUnits, other.sequences)
        where !sequenceUnits.contains(unit) {
            guard !sequences.contains(where: { $0.id == own.id }) else { return nil }
            units.1.append(unit)
        }
        for (unit, id) in zip(other.pictureUnits, other.pictureIDs)
        where !pictureUnits.contains(unit) {
            guard !pictureIDs.contains(id) else { return nil }
            units.2.append(unit)
        }
        return HEVCParameterSets(
            head: Self.joined(head, other.head), video: units.0, sequence: units.1,
            picture: units.2)?.record
    }

    /// How many frames are decoded ahead at most, as the sets say (count).
    var reorder: Int {
        sequenceUnits.compactMap(StatedReorder.frames(inHEVC:)).max() ?? 0
    }

    /// The same sets, which say that at least so many frames are decoded ahead (count).
    package func stating(reorder frames: Int) -> HEVCParameterSets? {
        with(
            video: videoUnits,
            sequence: sequenceUnits.map { StatedReorder.stating(frames, inHEVC: $0) },
            picture: pictureUnits)
    }

    /// The record of these alone.
    package var record: [UInt8] {
        var record = head
        record.append(3)
        for (type, units) in zip([32, 33, 34], [videoUnits, sequenceUnits, pictureUnits]) {
            // all there are (array_completeness)
            record += [0x80 | UInt8(type), 0, UInt8(truncatingIfNeeded: units.count)]
            for unit in units { AVCConfiguration.append(unit[...], to: &record) }
        }
        return record
    }

    /// The beginnings of two records in one.
    private static func joined(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var head = one
        // profile and tier: spaces are the same wherever there is but one
        head[1] = one[1] & 0xC0 | max(one[1] & 0x3F, other[1] & 0x3F)
        // compatibility and constraints
        for index in 2..<12 { head[index] = one[index] & other[index] }
        head[12] = max(one[12], other[12])
        // nothing of segments, parallelism and the rate
        (head[13], head[14], head[15]) = (0xF0, 0, 0xFC)
        (head[19], head[20]) = (0, 0)
        let layers = max(one[21] >> 3 & 7, other[21] >> 3 & 7)
        head[21] = layers << 3 | one[21] & other[21] & 4 | 3
        return head
    }

    /// Whether a sample brings no other sets than these.
    package func hold(_ entry: CodedEntry) -> Bool {
        entry.sets.allSatisfy { unit in
            videoUnits.contains(unit) || sequenceUnits.contains(unit) || pictureUnits.contains(unit)
        }
    }
}

extension HEVCParameterSets.Sequence {
    /// - Parameter unit: with its header.
    fileprivate init?(_ unit: [UInt8]) {
        guard unit.count > 15 else { return nil }
        var reader = BitReader(unescaping: unit)
        reader.skip(16)
        videoID = Int(reader.bits(4))
        let layers = Int(reader.bits(3))
        reader.skip(1 + 8 + 32)  // nesting, profile, compatibility
        let (isProgressive, isInterlaced) = (reader.flag(), reader.flag())
        self.isProgressive = isProgressive || !isInterlaced
        reader.skip(46 + 8)  // constraints, level
        HEVCConfiguration.skipLayers(layers, &reader)
        numberStart = reader.position
        let id = reader.unsigned()
        numberEnd = reader.position
        guard !reader.isExhausted, id < 16,
            let format = HEVCConfiguration.Sequence(unit[...])
        else { return nil }
        self.id = Int(id)
        chroma = Int(format.chroma)
        bitDepth = 8 + Int(max(format.lumaDepth, format.chromaDepth))
    }
}
