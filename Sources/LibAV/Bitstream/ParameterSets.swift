package import Media

/// The parameter sets of a track of H.264 or HEVC.
package enum ParameterSets: Sendable, Hashable {
    case h264(AVCParameterSets)
    case hevc(HEVCParameterSets)

    /// - Parameter record: a track's configuration (avcC, hvcC).
    /// - Returns: nil for other codecs, and for what cannot be read.
    package init?(record: [UInt8], of codec: VideoCodec?) {
        switch codec {
        case .h264:
            guard let sets = AVCParameterSets(record: record) else { return nil }
            self = .h264(sets)
        case .hevc:
            guard let sets = HEVCParameterSets(record: record) else { return nil }
            self = .hevc(sets)
        default: return nil
        }
    }

    /// A configuration of samples whose units have lengths of 4 bytes.
    package static func withFourByteLengths(_ record: [UInt8], of codec: VideoCodec?) -> [UInt8] {
        let place = codec == .hevc ? 21 : 4
        guard record.indices.contains(place) else { return record }
        var record = record
        record[place] |= 3
        return record
    }

    package var codec: VideoCodec {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        }
    }

    package var isProgressive: Bool {
        switch self {
        case .h264(let sets): sets.sequences.allSatisfy(\.isProgressive)
        case .hevc(let sets): sets.sequences.allSatisfy(\.isProgressive)
        }
    }

    /// Whether all frames are 4:2:0 of a depth (bits).
    package func areSubsampled(depth: Int) -> Bool {
        switch self {
        case .h264(let sets):
            sets.sequences.allSatisfy { $0.chroma == 1 && $0.bitDepth == depth }
        case .hevc(let sets):
            sets.sequences.allSatisfy { $0.chroma == 1 && $0.bitDepth == depth }
        }
    }

    /// Whether an encoder's sets find numbers beside these.
    package var hasRoom: Bool {
        switch self {
        case .h264(let sets): sets.freeID != nil
        case .hevc(let sets): sets.hasRoom
        }
    }

    /// The number that an encoder can be given for its sets: H.264's lowest that is free; of others it has 0.
    package var encoderID: Int {
        switch self {
        case .h264(let sets): sets.freeID ?? 0
        case .hevc: 0
        }
    }

    /// Whether decoders show frames of these behind those of other sets: not H.264's 4:4:4 profile, whose frames without loss
    /// libavcodec decodes wrongly there.
    package var canFollowOthers: Bool {
        if case .h264(let sets) = self {
            sets.sequences.allSatisfy { $0.profile != 244 }
        } else {
            true
        }
    }

    /// The record of a track of these alone, of whose frames as many are decoded ahead as a number says (count).
    package func record(reorder frames: Int) -> [UInt8]? {
        switch self {
        case .h264(let sets): sets.stating(reorder: frames)?.record
        case .hevc(let sets): sets.stating(reorder: frames)?.record
        }
    }

    /// These and others.
    /// - Returns: nil where two different ones have one number, there are too many, and for another codec's.
    package func joined(with other: ParameterSets) -> ParameterSets? {
        let record: [UInt8]?
        switch (self, other) {
        case (.h264(let sets), .h264(let other)): record = sets.record(with: other)
        case (.hevc(let sets), .hevc(let other)): record = sets.record(with: other)
        default: record = nil
        }
        return record.flatMap { ParameterSets(record: $0, of: codec) }
    }

    /// A sample without the sets that stand in it as here: a record that says more of them (`record(reorder:)`) would be
    /// contradicted by them. Most samples bring none and are the same.
    /// One that brings others, or is damaged, is the same too, and so are all of sets of which two have one number.
    /// - Parameter sample: with units whose lengths have 4 bytes.
    package func withoutSets(_ sample: BlockBuffer) -> BlockBuffer {
        let kind: NALCodec = codec == .hevc ? .hevc : .h264
        guard hasUniqueNumbers, NALUnits.holds(sample, where: kind.isParameterSet) else {
            return sample
        }
        let units =
            switch self {
            case .h264(let sets): sets.sequenceUnits + sets.pictureUnits
            case .hevc(let sets): sets.videoUnits + sets.sequenceUnits + sets.pictureUnits
            }
        return NALUnits.rewritten(sample) { unit, output in
            if kind.isParameterSet(unit[0]) { return units.contains { $0.elementsEqual(unit) } }
            output += unit
            return true
        } ?? sample
    }

    private var hasUniqueNumbers: Bool {
        func areUnique(_ numbers: [Int]) -> Bool { Set(numbers).count == numbers.count }
        return switch self {
        case .h264(let sets): areUnique(sets.sequences.map(\.id)) && areUnique(sets.pictureIDs)
        case .hevc(let sets):
            areUnique(sets.videoIDs) && areUnique(sets.sequences.map(\.id))
                && areUnique(sets.pictureIDs)
        }
    }

    /// Whether a sample brings no other sets than these.
    package func hold(_ entry: CodedEntry) -> Bool {
        switch self {
        case .h264(let sets): sets.hold(entry)
        case .hevc(let sets): sets.hold(entry)
        }
    }
}

/// Other numbers for the parameter sets of a track of H.264 or HEVC.
package enum Renumbering: Sendable {
    case h264(AVCRenumbering)
    case hevc(HEVCRenumbering)

    /// Takes numbers that other sets leave free.
    /// - Returns: nil where they do not suffice or something cannot be read, and for another codec's.
    package init?(_ sets: ParameterSets, besides others: ParameterSets) {
        switch (sets, others) {
        case (.h264(let sets), .h264(let others)):
            guard let found = AVCRenumbering(sets, besides: others) else { return nil }
            self = .h264(found)
        case (.hevc(let sets), .hevc(let others)):
            guard let found = HEVCRenumbering(sets, besides: others) else { return nil }
            self = .hevc(found)
        default: return nil
        }
    }

    /// The sets with their new numbers.
    package var sets: ParameterSets {
        switch self {
        case .h264(let change): .h264(change.sets)
        case .hevc(let change): .hevc(change.sets)
        }
    }

    /// A sample whose slices name the new numbers.
    /// - Parameters:
    ///   - sample: with units whose lengths have 4 bytes.
    ///   - begins: whether decoding begins there behind others' pictures (`HEVCRenumbering.begun`).
    /// - Returns: nil for what cannot be changed.
    package func rewritten(_ sample: BlockBuffer, begins: Bool) -> BlockBuffer? {
        switch self {
        case .h264(let change): change.rewritten(sample)
        case .hevc(let change): change.rewritten(sample, begins: begins)
        }
    }
}
