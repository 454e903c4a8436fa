internal import LibAV
public import Media

/// Brings raw audio of one format to another: sample format, rate, channels. What an `AssetWriter` does with settings of
/// another rate, for those who want the audio. Thread-safe; samples come in their order.
///
/// Output frame 0 is at the time of input frame 0, later ones are counted from there. After `finish` the number of
/// frames is exact: input frames times the ratio of rates, to the nearest.
public final class AudioConverter: Sendable {
    private struct State: Sendable {
        let resampler: AudioResampler
        /// Of output frame 0 (frames of the output).
        var start: Int64?
        var frames: Int64 = 0
        var isFinished = false
    }

    // immutable
    public let inputFormat: AudioFormat
    public let outputFormat: AudioFormat
    // guarded by itself
    private let state: Lock<State>

    /// - Parameters:
    ///   - input: raw audio.
    ///   - output: raw audio; channels are mixed down or spread as is usual for their numbers.
    /// - Throws: `unsupported` for coded formats, more than 64 channels and rates outside 1…768,000 Hz.
    public init(from input: AudioFormat, to output: AudioFormat) throws(MediaError) {
        inputFormat = input
        outputFormat = output
        state = Lock(
            State(resampler: try AudioResampler(from: input, to: output, isSteerable: false)))
    }

    /// Converts a sample of any length.
    /// - Returns: what is ready: more or fewer frames than the ratio of rates says; nil while nothing is.
    /// - Throws: `unsupported` for another format than agreed; `invalidState` after `finish`.
    public func convert(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer? {
        guard case .audio(let block) = sample.payload, let format = sample.format.audio,
            format.coding == inputFormat.coding, format.channels == inputFormat.channels,
            format.sampleRate == inputFormat.sampleRate
        else {
            throw MediaError(
                code: .unsupported, subject: "audio converter",
                message: "Cannot convert audio of another format than agreed; make a converter for "
                    + "it.")
        }
        let rate = Int32(outputFormat.sampleRate)
        return try state.withLock { state throws(MediaError) in
            guard !state.isFinished else {
                throw .state("convert audio", "the converter was finished.")
            }
            if state.start == nil {
                state.start = sample.presentationTime.ticks(per: rate, rounding: .nearest)
            }
            return stamped(try state.resampler.convert(block), &state)
        }
    }

    /// Hands out the rest; no sample may follow.
    /// - Returns: nil where nothing is left.
    public func finish() throws(MediaError) -> SampleBuffer? {
        try state.withLock { state throws(MediaError) in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            guard state.start != nil else { return nil }
            return stamped(try state.resampler.finish(), &state)
        }
    }

    private func stamped(_ block: BlockBuffer, _ state: inout State) -> SampleBuffer? {
        let frames = Int64(block.count / max(1, outputFormat.bytesPerFrame))
        guard frames > 0 else { return nil }
        let rate = Int32(outputFormat.sampleRate)
        defer { state.frames += frames }
        return SampleBuffer(
            payload: .audio(block), format: .audio(outputFormat),
            presentationTime: MediaTime(
                value: (state.start ?? 0) + state.frames, timescale: rate),
            duration: MediaTime(value: frames, timescale: rate))
    }
}
