package import Media

/// `tfhd`: which track a part of a fragment belongs to (ISO/IEC 14496-12, 8.8.7).
package struct TrackFragmentHeaderBox: Box {
    package static let type: FourCC = "tfhd"
    package var trackID: UInt32
    /// Where data offsets count from; `nil`: from the fragment's own `moof`.
    package var baseDataOffset: UInt64?
    /// False in old files: offsets then count on from the track part before.
    package var baseIsFragment: Bool
    package var descriptionIndex: UInt32?
    package var duration: UInt32?
    package var size: UInt32?
    package var flags: UInt32?

    package init(
        trackID: UInt32, baseDataOffset: UInt64? = nil, baseIsFragment: Bool = true,
        descriptionIndex: UInt32? = nil, duration: UInt32? = nil, size: UInt32? = nil,
        flags: UInt32? = nil
    ) {
        self.trackID = trackID
        self.baseDataOffset = baseDataOffset
        self.baseIsFragment = baseIsFragment
        self.descriptionIndex = descriptionIndex
        self.duration = duration
        self.size = size
        self.flags = flags
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let present = try reader.full().flags
        trackID = try reader.u32()
        baseDataOffset = present & 1 != 0 ? try reader.u64() : nil
        descriptionIndex = present & 2 != 0 ? try reader.u32() : nil
        duration = present & 8 != 0 ? try reader.u32() : nil
        size = present & 0x10 != 0 ? try reader.u32() : nil
        flags = present & 0x20 != 0 ? try reader.u32() : nil
        baseIsFragment = present & 0x2_0000 != 0
    }

    package func write(to builder: inout BoxBuilder) {
        var present: UInt32 = baseIsFragment ? 0x2_0000 : 0
        if baseDataOffset != nil { present |= 1 }
        if descriptionIndex != nil { present |= 2 }
        if duration != nil { present |= 8 }
        if size != nil { present |= 0x10 }
        if flags != nil { present |= 0x20 }
        builder.full(0, present)
        builder.u32(trackID)
        if let baseDataOffset { builder.u64(baseDataOffset) }
        for value in [descriptionIndex, duration, size, flags] {
            if let value { builder.u32(value) }
        }
    }
}
