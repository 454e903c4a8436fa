package import Media

/// `tkhd`: a track's number, length, orientation and size (ISO/IEC 14496-12, 8.3.2).
package struct TrackHeaderBox: Box {
    package static let type: FourCC = "tkhd"
    package var trackID: UInt32
    /// In the movie's timescale.
    package var duration: UInt64
    package var isEnabled: Bool
    /// Tracks of one group are alternatives (0 = none).
    package var alternateGroup: UInt16
    package var isAudio: Bool
    package var matrix: TransformMatrix
    /// Size shown (pixels, 16.16 fixed point).
    package var width: UInt32
    package var height: UInt32
    /// Seconds since 1904-01-01T00:00:00Z.
    package var creationTime: UInt64

    package init(
        trackID: UInt32, duration: UInt64, isEnabled: Bool = true, alternateGroup: UInt16 = 0,
        isAudio: Bool = false, matrix: TransformMatrix = .identity, width: UInt32 = 0,
        height: UInt32 = 0, creationTime: UInt64 = 0
    ) {
        self.trackID = trackID
        self.duration = duration
        self.isEnabled = isEnabled
        self.alternateGroup = alternateGroup
        self.isAudio = isAudio
        self.matrix = matrix
        self.width = width
        self.height = height
        self.creationTime = creationTime
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let (version, flags) = try reader.full()
        isEnabled = flags & 1 != 0
        if version == 1 {
            creationTime = try reader.u64()
            try reader.skip(8)
            trackID = try reader.u32()
            try reader.skip(4)
            duration = try reader.u64()
        } else {
            creationTime = UInt64(try reader.u32())
            try reader.skip(4)
            trackID = try reader.u32()
            try reader.skip(4)
            let short = try reader.u32()
            duration = short == .max ? 0 : UInt64(short)
        }
        try reader.skip(10)
        alternateGroup = try reader.u16()
        isAudio = try reader.u16() != 0
        try reader.skip(2)
        matrix = try TransformMatrix(from: &reader)
        width = try reader.u32()
        height = try reader.u32()
    }

    package func write(to builder: inout BoxBuilder) {
        let flags: UInt32 = isEnabled ? 7 : 6  // enabled, in movie, in preview
        if creationTime >= UInt32.max || duration >= UInt32.max {
            builder.full(1, flags)
            builder.u64(creationTime)
            builder.u64(creationTime)
            builder.u32(trackID)
            builder.u32(0)
            builder.u64(duration)
        } else {
            builder.full(0, flags)
            builder.u32(UInt32(creationTime))
            builder.u32(UInt32(creationTime))
            builder.u32(trackID)
            builder.u32(0)
            builder.u32(UInt32(duration))
        }
        builder.zeros(10)
        builder.u16(alternateGroup)
        builder.u16(isAudio ? 0x0100 : 0)
        builder.u16(0)
        matrix.write(to: &builder)
        builder.u32(width)
        builder.u32(height)
    }
}
