/// The index of one track, built sample by sample while the take grows: 2 to 3 bytes for a packet of audio, 5 to 8
/// for a frame.
///
/// Offsets are what the caller says they are (logical while recording, physical when repairing).
package struct SampleIndex: Sendable {
    // one entry a sample, but none for PCM
    private var sizes = NumberLog()
    private var durations = RunLog()
    private var compositionOffsets = RunLog()
    // one entry a sync sample: how many samples after the one before
    private var syncSteps = RunLog()
    private var lastSync: UInt32 = 0
    private var syncCount = 0
    // one entry a chunk: how many samples, and how far behind the start of the one before
    private var samplesPerChunk = RunLog()
    private var chunkSteps = NumberLog()
    private var lastChunkOffset: Int64 = 0
    private var farthestChunkOffset: Int64 = 0
    /// Bytes of one audio frame; samples are then frames, not what was appended (PCM).
    private let bytesPerFrame: Int
    /// Samples as appended.
    private(set) var count = 0
    /// Samples as the file counts them.
    private(set) var fileCount: UInt32 = 0
    private(set) var bytes: Int64 = 0
    private(set) var firstDecodeTime: Int64 = 0
    private(set) var lastDecodeTime: Int64 = 0
    private var lastDuration: UInt32 = 0
    private(set) var firstPresentationTime = Int64.max
    private(set) var presentationEnd = Int64.min
    /// Whether frames are shown in another order, or at other times, than decoded.
    private(set) var hasCompositionOffsets = false
    private var hasNonSync = false

    /// One sample as the index wants it. Times are in ticks of the track.
    package struct Sample: Sendable, Hashable {
        package var decodeTime: Int64
        package var compositionOffset: Int32
        /// Used only if no sample follows.
        package var duration: UInt32
        package var size: UInt32
        package var isSync: Bool

        package init(
            decodeTime: Int64, compositionOffset: Int32, duration: UInt32, size: UInt32,
            isSync: Bool
        ) {
            self.decodeTime = decodeTime
            self.compositionOffset = compositionOffset
            self.duration = duration
            self.size = size
            self.isSync = isSync
        }
    }

    package init(bytesPerFrame: Int = 0) { self.bytesPerFrame = bytesPerFrame }

    /// Adds samples that lie one after the other from `offset`.
    /// - Precondition: decode times increase, by less than 2^32 ticks.
    package mutating func appendChunk(_ samples: some Sequence<Sample>, at offset: Int64) {
        let before = fileCount
        for sample in samples { append(sample) }
        guard fileCount > before else { return }
        chunkSteps.append(signed: offset - lastChunkOffset)
        lastChunkOffset = offset
        farthestChunkOffset = max(farthestChunkOffset, offset)
        samplesPerChunk.append(fileCount - before)
    }

    private mutating func append(_ sample: Sample) {
        if count == 0 {
            firstDecodeTime = sample.decodeTime
        } else if bytesPerFrame == 0 {
            durations.append(UInt32(sample.decodeTime - lastDecodeTime))
        }
        lastDecodeTime = sample.decodeTime
        lastDuration = sample.duration
        let shown = sample.decodeTime + Int64(sample.compositionOffset)
        firstPresentationTime = min(firstPresentationTime, shown)
        presentationEnd = max(presentationEnd, shown + Int64(sample.duration))
        count += 1
        bytes += Int64(sample.size)
        guard bytesPerFrame == 0 else {
            fileCount += sample.size / UInt32(bytesPerFrame)
            return
        }
        fileCount += 1
        sizes.append(UInt64(sample.size))
        compositionOffsets.append(UInt32(bitPattern: sample.compositionOffset))
        if sample.compositionOffset != 0 { hasCompositionOffsets = true }
        guard sample.isSync else {
            hasNonSync = true
            return
        }
        syncSteps.append(fileCount - lastSync)
        lastSync = fileCount
        syncCount += 1
    }

    /// Says when the last frame shown ends, where frames are not decoded in the order they are shown: the
    /// distance of decode times does not state. All samples together then last as long as what is shown, so that
    /// frames by time is the true rate.
    mutating func settle(presentationEnd end: Int64) {
        guard hasCompositionOffsets, count > 0 else { return }
        presentationEnd = end
        let before = lastDecodeTime - firstDecodeTime
        lastDuration = UInt32(clamping: max(1, end - firstPresentationTime - before))
    }

    /// Lets the last sample of metadata end with the movie, if it has no length of its own or a longer one.
    mutating func settleOpenEnd(movieEnd: Int64?) {
        guard count > 0 else { return }
        let left = movieEnd.map { max(1, $0 - lastDecodeTime) }
        if lastDuration == 0 {
            lastDuration = UInt32(clamping: left ?? 1)
        } else if let left {
            lastDuration = min(lastDuration, UInt32(clamping: left))
        }
        presentationEnd = lastDecodeTime + Int64(lastDuration)
        // an empty sample at the movie's end must have a length, which is not shown
        if let movieEnd, movieEnd > firstDecodeTime {
            presentationEnd = min(presentationEnd, movieEnd)
        }
    }

    /// Length of the track in its own time (ticks).
    var mediaDuration: Int64 {
        count == 0 ? 0 : lastDecodeTime + Int64(lastDuration) - firstDecodeTime
    }

    /// Memory held (bytes).
    package var memory: Int {
        sizes.memory + durations.memory + compositionOffsets.memory + syncSteps.memory
            + samplesPerChunk.memory + chunkSteps.memory
    }
}

extension SampleIndex {
    /// What `writeTables` writes at most (bytes).
    var tableBytes: Int {
        var cells = bytesPerFrame > 0 ? 0 : sizes.count
        cells += 2 * (durations.runs + 1) + 3 * samplesPerChunk.runs + 2 * chunkSteps.count
        if hasCompositionOffsets { cells += 2 * compositionOffsets.runs }
        if hasNonSync { cells += syncCount }
        return 4 * cells + 6 * 20
    }

    /// Adds the sample tables but `stsd`.
    /// - Parameter place: converts a stored offset into a physical one, and keeps their order.
    func writeTables(to builder: inout BoxBuilder, place: (Int64) -> Int64) {
        writeDurations(to: &builder)
        if hasCompositionOffsets {
            builder.table(CompositionOffsetBox.type, 1, rows: compositionOffsets.runs) { cells in
                for run in compositionOffsets { cells.add(run.count, run.value) }
            }
        }
        if hasNonSync {
            builder.table(SyncSampleBox.type, rows: syncCount) { cells in
                var number: UInt32 = 0
                for run in syncSteps {
                    for _ in 0..<run.count {
                        number += run.value
                        cells.add(number)
                    }
                }
            }
        }
        builder.table(SampleToChunkBox.type, rows: samplesPerChunk.runs) { cells in
            var chunk: UInt32 = 1
            for run in samplesPerChunk {
                cells.add(chunk, run.value)
                cells.add(1)  // the one description
                chunk += run.count
            }
        }
        builder.box(SampleSizeBox.type) { builder in
            builder.full(0, 0)
            builder.u32(UInt32(bytesPerFrame))
            builder.u32(fileCount)
            builder.cells { cells in for size in sizes { cells.add(UInt32(size)) } }
        }
        writeChunkOffsets(to: &builder, place: place)
    }

    private func writeDurations(to builder: inout BoxBuilder) {
        var durations = durations
        if bytesPerFrame == 0, count > 0 { durations.append(lastDuration) }
        let rows = bytesPerFrame > 0 ? 1 : durations.runs
        builder.table(TimeToSampleBox.type, rows: rows) { cells in
            if bytesPerFrame > 0 { cells.add(fileCount, 1) }
            for run in durations { cells.add(run.count, run.value) }
        }
    }

    /// `stco` where 32 bits are enough.
    private func writeChunkOffsets(to builder: inout BoxBuilder, place: (Int64) -> Int64) {
        let isShort = place(farthestChunkOffset) <= UInt32.max
        let type = isShort ? ChunkOffsetBox.shortType : ChunkOffsetBox.type
        builder.table(type, rows: chunkSteps.count) { cells in
            var offset: Int64 = 0
            var steps = chunkSteps.makeIterator()
            while let step = steps.nextSigned() {
                offset += step
                let physical = UInt64(place(offset))
                if !isShort { cells.add(UInt32(physical >> 32)) }
                cells.add(UInt32(truncatingIfNeeded: physical))
            }
        }
    }
}

extension BoxBuilder {
    /// A full box of rows: their number, then their cells.
    fileprivate mutating func table(
        _ type: FourCC, _ version: UInt8 = 0, rows: Int, _ body: (inout CellWriter) -> Void
    ) {
        box(type) { builder in
            builder.full(version, 0)
            builder.u32(UInt32(rows))
            builder.cells(body)
        }
    }

    fileprivate mutating func cells(_ body: (inout CellWriter) -> Void) {
        var cells = CellWriter(builder: self)
        // so that the bytes have one owner, and stay where they are
        self = BoxBuilder()
        body(&cells)
        self = cells.finish()
    }
}

/// Adds words by the thousand: millions of them one by one take three times as long.
private struct CellWriter {
    private static let limit = 4096

    private var builder: BoxBuilder
    private var words: [UInt32] = []

    init(builder: consuming BoxBuilder) {
        self.builder = builder
        words.reserveCapacity(Self.limit)
    }

    mutating func add(_ cell: UInt32) {
        words.append(cell.bigEndian)
        if words.count == Self.limit { flush() }
    }

    mutating func add(_ first: UInt32, _ second: UInt32) {
        add(first)
        add(second)
    }

    private mutating func flush() {
        words.withUnsafeBytes { builder.raw($0) }
        words.removeAll(keepingCapacity: true)
    }

    mutating func finish() -> BoxBuilder {
        flush()
        return builder
    }
}
