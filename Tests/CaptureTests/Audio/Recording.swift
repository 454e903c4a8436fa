import Media

/// Interleaved 16-bit samples a stream delivered, and how long they claim to be.
struct Recording {
    /// The first channel.
    var values: [Int16] = []
    /// By counting frames, the last sample buffer left out.
    var countedNanoseconds: Int64 = 0
    /// By the stamps of the first and the last sample buffer.
    var stampedNanoseconds: Int64 = 0

    init?(_ samples: [SampleBuffer]) {
        guard let first = samples.first, let last = samples.last, let format = first.format.audio,
            format.sampleFormat == .int16
        else { return nil }
        var frames = 0
        for sample in samples {
            sample.block?.withUnsafeBytes { bytes in
                let all = bytes.bindMemory(to: Int16.self)
                values += stride(from: 0, to: all.count, by: format.channels).map { all[$0] }
            }
            frames += sample.audioFrameCount
        }
        frames -= last.audioFrameCount
        countedNanoseconds =
            MediaTime(value: Int64(frames), timescale: Int32(format.sampleRate)).nanoseconds()
        stampedNanoseconds =
            last.presentationTime.nanoseconds() - first.presentationTime.nanoseconds()
    }
}
