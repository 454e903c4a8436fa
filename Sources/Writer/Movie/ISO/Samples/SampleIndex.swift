/// The index of one track, built sample by sample while the take grows: 2 to 3 bytes for a packet of sound, 5 to 8
/// for a picture.
///
/// Offsets are what the caller says they are (logical while recording, physical when repairing).
package struct SampleIndex: Sendable {
    // one entry a sample, but none for PCM
    private(set) var sizes = NumberLog()
    private(set) var durations = RunLog()
    private(set) var compositionOffsets = RunLog()
    // one entry a sync sample: how many samples after the one before
    private(set) var syncSteps = RunLog()
    private var lastSync: UInt32 = 0
    private(set) var syncCount = 0
    // one entry a chunk: how many samples, and how far behind the start of the one before
    private(set) var samplesPerChunk = RunLog()
    private(set) var chunkSteps = NumberLog()
    private var lastChunkOffset: Int64 = 0
    private(set) var farthestChunkOffset: Int64 = 0
    /// Bytes of one audio frame; samples are then frames, not what was appended (PCM).
    let bytesPerFrame: Int
    /// Samples as appended.
    private(set) var count = 0
    /// Samples as the file counts them.
    private(set) var fileCount: UInt32 = 0
    private(set) var bytes: Int64 = 0
    private(set) var firstDecodeTime: Int64 = 0
    private(set) var lastDecodeTime: Int64 = 0
    private(set) var lastDuration: UInt32 = 0
    private(set) var firstPresentationTime = Int64.max
    private(set) var presentationEnd = Int64.min
    /// Whether pictures are shown in another order, or at other times, than decoded.
    private(set) var hasCompositionOffsets = false
    private(set) var hasNonSync = false

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

    /// Says when the last picture shown ends, where pictures are not decoded in the order they are shown: the
    /// distance of decode times does not tell. All samples together then last as long as what is shown, so that
    /// pictures by time is the true rate.
    mutating func settle(presentationEnd end: Int64) {
        guard hasCompositionOffsets, count > 0 else { return }
        presentationEnd = end
        let before = lastDecodeTime - firstDecodeTime
        lastDuration = UInt32(clamping: max(1, end - firstPresentationTime - before))
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
