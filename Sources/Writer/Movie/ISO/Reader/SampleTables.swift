package import Media

/// The sample tables of an ordinary track, and what they mean.
package struct SampleTables {
    private var durations = PackedTable(columns: 2)
    private var compositionOffsets: PackedTable?
    private var syncSamples: PackedTable?
    private var samplesPerChunk = PackedTable(columns: 3)
    private var sizes = SampleSizeBox(constantSize: 0, count: 0, table: PackedTable(columns: 1))
    private var chunks: [UInt64] = []
    package private(set) var description: BoxReader?

    /// Reads the children of `stbl`.
    package init(from reader: inout BoxReader) throws(MediaError) {
        while var child = try reader.child() {
            switch child.type {
            case "stsd": description = child
            case "stts": durations = try TimeToSampleBox(from: &child).table
            case "ctts": compositionOffsets = try CompositionOffsetBox(from: &child).table
            case "stss": syncSamples = try SyncSampleBox(from: &child).table
            case "stsc": samplesPerChunk = try SampleToChunkBox(from: &child).table
            case "stsz": sizes = try SampleSizeBox(from: &child)
            case "stco", "co64": chunks = try ChunkOffsetBox(from: &child).offsets
            default: break
            }
        }
    }

    /// Whether samples are single audio frames, to be read a chunk at a time (PCM).
    private var isByFrame: Bool {
        sizes.constantSize > 0 && durations.rows == 1 && durations[0, 1] == 1
    }

    /// Every sample. `budget` counts down what the file may still claim.
    package func expand(
        _ place: BoxReader, fileSize: Int64, budget: inout Int
    ) throws(MediaError) -> [MovieTrack.Sample] {
        if isByFrame { return try expandChunks(place, fileSize: fileSize, budget: &budget) }
        let count = Int(sizes.count)
        guard count <= budget, sizes.constantSize == 0 || Int64(count) <= fileSize else {
            throw place.damaged("\(count) samples are too many")
        }
        budget -= count
        var cursor = Cursor(tables: self)
        var samples: [MovieTrack.Sample] = []
        samples.reserveCapacity(count)
        for chunk in chunks.indices {
            guard var offset = Int64(exactly: chunks[chunk]) else {
                throw place.damaged("chunk \(chunk) is beyond every file")
            }
            let here = min(Int(cursor.samplesInChunk(UInt32(chunk + 1))), count - samples.count)
            for _ in 0..<here {
                let sample = try cursor.next(number: samples.count, at: offset, place)
                // what a cut file has lost is not there to be read
                guard sample.offset + Int64(sample.size) <= fileSize else { return samples }
                samples.append(sample)
                offset += Int64(sample.size)
            }
        }
        return samples
    }

    private func expandChunks(
        _ place: BoxReader, fileSize: Int64, budget: inout Int
    ) throws(MediaError) -> [MovieTrack.Sample] {
        guard chunks.count <= budget else { throw place.damaged("too many chunks") }
        budget -= chunks.count
        var cursor = Cursor(tables: self)
        var samples: [MovieTrack.Sample] = []
        var time: Int64 = 0
        var left = Int64(sizes.count)
        for (chunk, offset) in chunks.enumerated() where left > 0 {
            let frames = min(left, Int64(cursor.samplesInChunk(UInt32(chunk + 1))))
            let size = frames * Int64(sizes.constantSize)
            guard frames > 0, let size = UInt32(exactly: size), offset <= UInt64(fileSize),
                Int64(offset) + Int64(size) <= fileSize
            else { continue }
            samples.append(
                MovieTrack.Sample(
                    offset: Int64(offset), size: size, decodeTime: time, compositionOffset: 0,
                    duration: UInt32(frames), isSync: true))
            time += frames
            left -= frames
        }
        return samples
    }

    /// Walks all the tables side by side.
    private struct Cursor {
        let tables: SampleTables
        private var chunkRow = 0
        private var durationRow = 0
        private var durationUsed: UInt32 = 0
        private var offsetRow = 0
        private var offsetUsed: UInt32 = 0
        private var syncRow = 0
        private var time: Int64 = 0

        init(tables: SampleTables) { self.tables = tables }

        mutating func samplesInChunk(_ number: UInt32) -> UInt32 {
            let table = tables.samplesPerChunk
            guard table.rows > 0 else { return 0 }
            while chunkRow + 1 < table.rows, table[chunkRow + 1, 0] <= number { chunkRow += 1 }
            return table[chunkRow, 1]
        }

        mutating func next(
            number: Int, at offset: Int64, _ place: BoxReader
        ) throws(MediaError) -> MovieTrack.Sample {
            let sizes = tables.sizes
            let size = sizes.constantSize > 0 ? sizes.constantSize : sizes.table[number]
            let duration = nextDuration()
            let sample = MovieTrack.Sample(
                offset: offset, size: size, decodeTime: time,
                compositionOffset: nextCompositionOffset(), duration: duration,
                isSync: nextIsSync(UInt32(number + 1)))
            let (sum, overflow) = time.addingReportingOverflow(Int64(duration))
            guard !overflow, sum < Int64.max / 4, offset <= Int64.max / 2 else {
                throw place.damaged("sample \(number) is at an impossible time or place")
            }
            time = sum
            return sample
        }

        private mutating func nextDuration() -> UInt32 {
            let table = tables.durations
            while durationRow < table.rows, durationUsed >= table[durationRow, 0] {
                durationRow += 1
                durationUsed = 0
            }
            guard durationRow < table.rows else { return 0 }
            durationUsed += 1
            return table[durationRow, 1]
        }

        private mutating func nextCompositionOffset() -> Int32 {
            guard let table = tables.compositionOffsets else { return 0 }
            while offsetRow < table.rows, offsetUsed >= table[offsetRow, 0] {
                offsetRow += 1
                offsetUsed = 0
            }
            guard offsetRow < table.rows else { return 0 }
            offsetUsed += 1
            return Int32(bitPattern: table[offsetRow, 1])
        }

        private mutating func nextIsSync(_ number: UInt32) -> Bool {
            guard let table = tables.syncSamples else { return true }
            while syncRow < table.rows, table[syncRow] < number { syncRow += 1 }
            return syncRow < table.rows && table[syncRow] == number
        }
    }
}
