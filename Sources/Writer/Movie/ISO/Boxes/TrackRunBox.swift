package import Media

/// `trun`: the samples of a track part that lie one after the other (ISO/IEC 14496-12, 8.8.8).
package struct TrackRunBox: Box {
    package static let type: FourCC = "trun"

    package struct Sample: Sendable, Hashable {
        package var duration: UInt32?
        package var size: UInt32?
        package var flags: UInt32?
        package var compositionOffset: Int32?

        package init(
            duration: UInt32? = nil, size: UInt32? = nil, flags: UInt32? = nil,
            compositionOffset: Int32? = nil
        ) {
            self.duration = duration
            self.size = size
            self.flags = flags
            self.compositionOffset = compositionOffset
        }
    }

    /// From the base of the track part (bytes).
    package var dataOffset: Int32?
    package var firstSampleFlags: UInt32?
    /// Every sample has the fields the first one has.
    package var samples: [Sample]

    package init(dataOffset: Int32?, firstSampleFlags: UInt32? = nil, samples: [Sample]) {
        self.dataOffset = dataOffset
        self.firstSampleFlags = firstSampleFlags
        self.samples = samples
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let present = try reader.full().flags
        let count = Int(try reader.u32())
        dataOffset = present & 1 != 0 ? try reader.i32() : nil
        firstSampleFlags = present & 4 != 0 ? try reader.u32() : nil
        let fields = [0x100, 0x200, 0x400, 0x800].filter { present & $0 != 0 }.count
        // without any field a sample costs no byte here: what is sane must be bounded by number
        guard fields > 0 ? count * fields * 4 <= reader.remaining : count <= 0x1_0000 else {
            throw reader.damaged("a run of \(count) samples does not fit")
        }
        samples = []
        samples.reserveCapacity(count)
        for _ in 0..<count {
            var sample = Sample()
            if present & 0x100 != 0 { sample.duration = try reader.u32() }
            if present & 0x200 != 0 { sample.size = try reader.u32() }
            if present & 0x400 != 0 { sample.flags = try reader.u32() }
            if present & 0x800 != 0 { sample.compositionOffset = try reader.i32() }
            samples.append(sample)
        }
    }

    package func write(to builder: inout BoxBuilder) {
        var present: UInt32 = 0
        if dataOffset != nil { present |= 1 }
        if firstSampleFlags != nil { present |= 4 }
        if let first = samples.first {
            if first.duration != nil { present |= 0x100 }
            if first.size != nil { present |= 0x200 }
            if first.flags != nil { present |= 0x400 }
            if first.compositionOffset != nil { present |= 0x800 }
        }
        builder.full(1, present)
        builder.u32(UInt32(samples.count))
        if let dataOffset { builder.i32(dataOffset) }
        if let firstSampleFlags { builder.u32(firstSampleFlags) }
        for sample in samples {
            if present & 0x100 != 0 { builder.u32(sample.duration ?? 0) }
            if present & 0x200 != 0 { builder.u32(sample.size ?? 0) }
            if present & 0x400 != 0 { builder.u32(sample.flags ?? 0) }
            if present & 0x800 != 0 { builder.i32(sample.compositionOffset ?? 0) }
        }
    }
}
