package import Media

/// `elst`: the map from movie time to track time (ISO/IEC 14496-12, 8.6.6).
package struct EditListBox: Box {
    package static let type: FourCC = "elst"

    package struct Entry: Sendable, Hashable {
        /// In the movie's timescale; 0 in a growing file means to the end.
        package var duration: UInt64
        /// In the track's timescale; `nil` shows nothing (an empty edit).
        package var mediaTime: Int64?
        /// Speed, 16.16 fixed point; 0 holds one frame.
        package var rate: Int32

        package init(duration: UInt64, mediaTime: Int64?, rate: Int32 = 0x1_0000) {
            self.duration = duration
            self.mediaTime = mediaTime
            self.rate = rate
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let version = try reader.full().version
        let count = try reader.u32()
        guard Int(count) * (version == 1 ? 20 : 12) <= reader.remaining else {
            throw reader.damaged("\(count) edits do not fit")
        }
        entries = []
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            let duration = version == 1 ? try reader.u64() : UInt64(try reader.u32())
            let time = version == 1 ? try reader.i64() : Int64(try reader.i32())
            let rate = try reader.i32()
            guard time >= -1, duration <= Int64.max else {
                throw reader.damaged("an edit begins at \(time) and lasts \(duration)")
            }
            entries.append(Entry(duration: duration, mediaTime: time < 0 ? nil : time, rate: rate))
        }
    }

    package func write(to builder: inout BoxBuilder) {
        let isLong = entries.contains {
            $0.duration > UInt32.max || $0.mediaTime ?? 0 > Int32.max
        }
        builder.full(isLong ? 1 : 0, 0)
        builder.u32(UInt32(entries.count))
        for entry in entries {
            if isLong {
                builder.u64(entry.duration)
                builder.i64(entry.mediaTime ?? -1)
            } else {
                builder.u32(UInt32(entry.duration))
                builder.i32(Int32(entry.mediaTime ?? -1))
            }
            builder.i32(entry.rate)
        }
    }
}
