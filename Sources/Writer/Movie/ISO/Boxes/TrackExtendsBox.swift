package import Media

/// `trex`: what fragments of a track leave out (ISO/IEC 14496-12, 8.8.3).
package struct TrackExtendsBox: Box {
    package static let type: FourCC = "trex"
    package var trackID: UInt32
    package var defaults: SampleDefaults

    package init(trackID: UInt32, defaults: SampleDefaults = SampleDefaults()) {
        self.trackID = trackID
        self.defaults = defaults
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        trackID = try reader.u32()
        defaults = SampleDefaults(
            descriptionIndex: try reader.u32(), duration: try reader.u32(),
            size: try reader.u32(), flags: try reader.u32())
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(trackID)
        builder.u32(defaults.descriptionIndex)
        builder.u32(defaults.duration)
        builder.u32(defaults.size)
        builder.u32(defaults.flags)
    }
}

/// What a sample of a fragment is unless it says otherwise.
package struct SampleDefaults: Sendable, Hashable {
    package var descriptionIndex: UInt32
    package var duration: UInt32
    package var size: UInt32
    package var flags: UInt32

    package init(
        descriptionIndex: UInt32 = 1, duration: UInt32 = 0, size: UInt32 = 0, flags: UInt32 = 0
    ) {
        self.descriptionIndex = descriptionIndex
        self.duration = duration
        self.size = size
        self.flags = flags
    }

    /// Flags of a sync sample: it depends on no other.
    package static let syncFlags: UInt32 = 0x0200_0000
    /// Flags of a sample that depends on others and is no sync sample.
    package static let otherFlags: UInt32 = 0x0101_0000
    package static let nonSyncBit: UInt32 = 0x0001_0000
}
