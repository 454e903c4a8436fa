package import Media

/// The sample entry of time code (QuickTime File Format, "Timecode Sample Description").
package struct TimeCodeEntry: Box {
    package static let type: FourCC = "tmcd"
    private static let (dropFrame, wraps, counter): (UInt32, UInt32, UInt32) = (1, 2, 8)

    /// Nil: it is none that can be counted, such as that of a plain counter or of an absurd rate.
    package let rate: TimeCodeRate?
    package let timescale: Int32
    package let frameDuration: Int32

    package init(rate: TimeCodeRate, timescale: Int32, frameDuration: Int32) {
        self.rate = rate
        self.timescale = timescale
        self.frameDuration = frameDuration
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        try reader.skip(6 + 2 + 4)
        let flags = try reader.u32()
        timescale = try reader.i32()
        frameDuration = try reader.i32()
        guard timescale > 0, frameDuration > 0, flags & Self.counter == 0 else {
            rate = nil
            return
        }
        let frameRate = FrameRate(timescale, per: frameDuration)
        rate = TimeCodeRate(frameRate, isDropFrame: flags & Self.dropFrame != 0)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.zeros(6)
        builder.u16(1)  // data reference
        builder.u32(0)
        builder.u32((rate?.isDropFrame ?? false ? Self.dropFrame : 0) | Self.wraps)
        builder.i32(timescale)
        builder.i32(frameDuration)
        builder.u8(UInt8(clamping: rate?.framesPerSecond ?? 0))
        builder.u8(0)
    }
}
