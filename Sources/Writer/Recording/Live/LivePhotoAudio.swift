internal import LibAV
internal import Media

/// The audio of a live photo's movie: on the movie's clock, without holes, and as long as the frames.
struct LivePhotoAudio {
    /// Rates that AAC has (Hz); any other becomes the first.
    private static let rates = [
        48_000, 44_100, 96_000, 88_200, 32_000, 24_000, 22_050, 16_000, 8_000,
    ]

    /// Coded.
    private(set) var format: AudioFormat
    /// Coded, in movie time; what an encoder needs before the beginning is before zero.
    private(set) var samples: [SampleBuffer]

    /// - Parameters:
    ///   - blocks: raw, on the host clock.
    ///   - device: of the blocks, unless they say another.
    ///   - start: movie time zero (host clock).
    ///   - duration: of the movie (seconds).
    init(
        _ blocks: [SampleBuffer], _ device: AudioFormat, start: MediaTime, duration: MediaTime
    ) throws(MediaError) {
        var track = device
        if !Self.rates.contains(track.sampleRate) { track.sampleRate = Self.rates[0] }
        track.channels = min(track.channels, 2)
        let encoder = try AudioEncoder(settings: AudioEncoderSettings(codec: .aac), input: track)
        let rate = Int32(track.sampleRate)
        let count = duration.ticks(per: rate, rounding: .nearest)
        var samples: [SampleBuffer] = []
        for run in try Self.runs(blocks, device, track, start, duration) {
            let left = count - run.firstFrame
            guard left > 0 else { break }
            let bytes = min(run.block.count, Int(left) * track.bytesPerFrame)
            samples += try encoder.encode(
                SampleBuffer(
                    payload: .audio(run.block.slice(0..<bytes)), format: .audio(track),
                    presentationTime: MediaTime(value: run.firstFrame, timescale: rate)))
        }
        samples += try encoder.finish()
        self.samples = samples
        format = encoder.format
    }

    /// The frames from movie time zero to the end, silence where there is nothing.
    private static func runs(
        _ blocks: [SampleBuffer], _ device: AudioFormat, _ track: AudioFormat, _ start: MediaTime,
        _ duration: MediaTime
    ) throws(MediaError) -> [AudioAligner.Run] {
        let end = (start + duration).nanoseconds()
        var aligner = AudioAligner(format: track, start: start.nanoseconds())
        var runs: [AudioAligner.Run] = []
        if blocks.isEmpty { aligner.expect(cause: "absent") }
        for sample in blocks {
            guard let block = sample.block else { continue }
            runs += try aligner.push(
                block, format: sample.format.audio ?? device,
                at: sample.presentationTime.nanoseconds(), lost: sample.attachments.lostBefore
            ).runs
        }
        // one that ended before the frames did is silent from there on
        let reached = blocks.last.map { sample in
            sample.presentationTime.nanoseconds()
                + MediaTime(
                    value: Int64(sample.audioFrameCount), timescale: Int32(device.sampleRate)
                ).nanoseconds()
        }
        if let reached, reached < end { runs += try aligner.interrupt(cause: "ended").runs }
        runs += aligner.fill(until: end).runs
        return runs + (try aligner.finish().runs)
    }
}
