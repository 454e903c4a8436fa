package import Media

/// `mvhd`: the movie's timescale and length (ISO/IEC 14496-12, 8.2.2).
package struct MovieHeaderBox: Box {
    package static let type: FourCC = "mvhd"
    /// Seconds since 1904-01-01T00:00:00Z.
    package var creationTime: UInt64
    package var timescale: UInt32
    package var duration: UInt64
    package var nextTrackID: UInt32

    package init(creationTime: UInt64, timescale: UInt32, duration: UInt64, nextTrackID: UInt32) {
        self.creationTime = creationTime
        self.timescale = timescale
        self.duration = duration
        self.nextTrackID = nextTrackID
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let version = try reader.full().version
        let times = try MediaHeaderBox.times(from: &reader, version: version)
        (creationTime, timescale, duration) = times
        guard timescale > 0, timescale <= Int32.max else {
            throw reader.damaged("the timescale is \(timescale)")
        }
        try reader.skip(10 + 6 + 36 + 24)
        nextTrackID = try reader.u32()
    }

    package func write(to builder: inout BoxBuilder) {
        MediaHeaderBox.write(
            creationTime: creationTime, timescale: timescale, duration: duration, to: &builder)
        builder.u32(0x0001_0000)  // rate 1
        builder.u16(0x0100)  // volume 1
        builder.zeros(10)
        TransformMatrix.identity.write(to: &builder)
        builder.zeros(24)
        builder.u32(nextTrackID)
    }
}
