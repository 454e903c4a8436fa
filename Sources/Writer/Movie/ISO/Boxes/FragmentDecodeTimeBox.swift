package import Media

/// `tfdt`: the decode time of a track part's first sample (ISO/IEC 14496-12, 8.8.12).
package struct FragmentDecodeTimeBox: Box {
    package static let type: FourCC = "tfdt"
    package var time: UInt64

    package init(time: UInt64) { self.time = time }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let version = try reader.full().version
        time = version == 1 ? try reader.u64() : UInt64(try reader.u32())
        guard time <= UInt64(Int64.max / 4) else {
            throw reader.damaged("the decode time is \(time)")
        }
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(1, 0)
        builder.u64(time)
    }
}
