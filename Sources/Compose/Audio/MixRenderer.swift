package import Media
package import Writing

/// Mixes the audio tracks of a composition. Any frames may be asked for, in blocks of any size: the
/// samples are the same. Thread-bound; blocks on the sources.
///
/// - A segment begins at `round(start · rate)` and holds exactly as many frames as lie up to the
///   rounded start of what follows. Its first frame is the source's frame `round(source start · rate)`.
/// - Every cut has a raised-cosine fade of 3 ms on either side, inside the segments; a split that goes
///   on in the source is no cut. A tone of amplitude A and frequency f that is cut has no step above
///   A · (2π f / rate + π / (2 · fade frames)).
/// - The order is: speed, low cut, gate, fades, volume · ramps · ducking, pan, the track's limiter, tap; then the
///   sum, the master gain and, only around frames above the ceiling, the mix's limiter.
package final class MixRenderer {
    // immutable
    package let sampleRate: Int
    package let channels: Int
    private let composition: Composition
    private let mix: AudioMix
    private let open: AudioOpener
    private let blockFrames: Int64
    /// How the mix will be coded, where its peaks are promised; nil: it is not, or without loss.
    let coding: AudioOutputSettings?

    // owned by the calling thread
    private var plan: MixPlan
    private var mixTracks: [MixTrackRenderer]
    private var isPrepared: Bool
    private var limiter: PeakLimiter
    private var gain: Float = 1
    private var sums: [Int64: [Float]] = [:]
    private var finished: [Int64: [Float]] = [:]
    private var ledger = LimiterLedger()
    private var loudness: LoudnessReport?
    private var levels: [LevelReport] = []

    /// Length of the film: `round(duration · rate)` (frames).
    package var frameCount: Int64 { plan.frameCount }

    /// What has been limited since `prepare`; every frame counts once, however often it is read.
    package var report: MixReport {
        var report = ledger.report
        report.loudness = loudness
        report.levels = levels
        return report
    }

    /// - Parameters:
    ///   - codedAs: what the mix becomes, so that a loudness target holds for what is heard then.
    ///   - sampleRate: Hz; 8,000…192,000.
    ///   - channels: 1 or 2.
    ///   - open: gives the audio of a source; called when a segment first sounds, and again after others
    ///     of its track have sounded since.
    /// - Throws: `invalid-setting` for a rate, channel count or mix out of range.
    package init(
        composition: Composition, mix: AudioMix = AudioMix(), sampleRate: Int = 48_000,
        channels: Int = 2, codedAs coding: AudioOutputSettings? = nil, open: @escaping AudioOpener
    ) throws(MediaError) {
        self.composition = composition
        self.mix = mix
        self.sampleRate = sampleRate
        self.channels = channels
        self.coding = coding.flatMap { $0.codec.isLossy ? $0 : nil }
        self.open = open
        plan = try MixPlan(
            composition: composition, mix: mix, sampleRate: sampleRate, channels: channels)
        mixTracks = Self.mixTracks(plan, open)
        isPrepared = mix.ducking.isEmpty && mix.levels.isEmpty && mix.loudness == nil
        limiter = PeakLimiter(channels: channels, sampleRate: sampleRate)
        blockFrames = Int64(4096 * max(1, (sampleRate + 47_999) / 48_000))
    }

    private static func mixTracks(_ plan: MixPlan, _ open: @escaping AudioOpener)
        -> [MixTrackRenderer]
    {
        plan.mixTracks.map {
            MixTrackRenderer($0, sampleRate: plan.sampleRate, channels: plan.channels, open: open)
        }
    }

    /// `count` frames of interleaved float32 from `frame` on; silence outside the film. The first call
    /// prepares the mix, unless `prepare` has been called.
    package func read(from frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        if !isPrepared { try prepare() }
        let samples = try samples(frame..<frame + Int64(max(count, 0)))
        return samples.withUnsafeBytes { BlockBuffer($0) }
    }

    /// Does what must be known before the first sample: measures what has a loudness of its own, then listens to the
    /// speech of the ducking rules (one reading each of those tracks), then measures the loudness if there is a target (one reading of
    /// the mix; up to six if its peaks have to be limited or it is to be coded). Costs nothing where the mix asks for neither.
    /// - Parameter isCancelled: asked at least once a second of audio; true ends the work with `cancelled`.
    package func prepare(isCancelled: () -> Bool = { false }) throws(MediaError) {
        guard !isPrepared else { return }
        try setGains(isCancelled)
        loudness = try mix.loudness.map { target throws(MediaError) in
            try normalise(to: target, isCancelled: isCancelled)
        }
        isPrepared = true
    }

    /// Makes the ramps of the levels and of the ducking rules.
    private func setGains(_ isCancelled: () -> Bool) throws(MediaError) {
        let own = try LevelGains(
            composition: composition, mix: mix, sampleRate: sampleRate, open: open,
            isCancelled: isCancelled)
        levels = own.reports
        let levelled = own.ramps.mapValues { [$0] }
        var ramps = levelled
        for rule in mix.ducking {
            let envelope = try SpeechEnvelope(
                rule: rule, composition: composition, mix: mix, gains: levelled,
                sampleRate: sampleRate, open: open, isCancelled: isCancelled)
            let made = envelope.ramps(for: rule)
            for track in Set(rule.trackIDs) { ramps[track, default: []].append(made) }
        }
        guard !ramps.isEmpty else { return }
        plan = try MixPlan(
            composition: composition, mix: mix, gains: ramps, sampleRate: sampleRate,
            channels: channels)
        mixTracks = Self.mixTracks(plan, open)
        forget()
    }

    /// The gain of the whole mix and the height it may reach; forgets what was counted.
    func setMaster(gain: Float, ceiling: Float, isTruePeak: Bool) {
        self.gain = gain
        limiter = PeakLimiter(
            channels: channels, sampleRate: sampleRate, ceiling: ceiling, isTruePeak: isTruePeak)
        forget()
    }

    func forget() {
        sums = [:]
        finished = [:]
        ledger = LimiterLedger()
    }

    /// Frames of a range, block by block.
    func samples(_ range: Range<Int64>) throws(MediaError) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(range.count * channels)
        var frame = range.lowerBound
        while frame < range.upperBound {
            let index = frame.floored(by: blockFrames)
            let start = index * blockFrames
            let end = min(start + blockFrames, range.upperBound)
            let block = try finishedBlock(index)
            result +=
                block[
                    Int(frame - start) * channels..<Int(end - start) * channels]
            frame = end
        }
        return result
    }

    /// A block behind the limiter.
    private func finishedBlock(_ index: Int64) throws(MediaError) -> [Float] {
        if let block = finished[index] { return block }
        let parts = [try sum(index - 1), try sum(index), try sum(index + 1)]
        let (block, outcome) = limiter.limit(
            parts.flatMap { $0 }, before: Int(blockFrames), count: Int(blockFrames))
        ledger.add(outcome, block: index, firstFrame: index * blockFrames, sampleRate: sampleRate)
        finished = finished.filter { abs($0.key - index) <= 1 }
        finished[index] = block
        return block
    }

    /// The sum of all tracks in a block, times the master gain.
    private func sum(_ index: Int64) throws(MediaError) -> [Float] {
        if let block = sums[index] { return block }
        var block = [Float](repeating: 0, count: Int(blockFrames) * channels)
        let range = (index * blockFrames..<(index + 1) * blockFrames).clamped(to: 0..<frameCount)
        if !range.isEmpty {
            for mixTrack in mixTracks {
                guard let frames = try mixTrack.block(range) else { continue }
                for sample in frames.indices { block[sample] += frames[sample] }
            }
            if gain != 1 { for sample in block.indices { block[sample] *= gain } }
        }
        sums = sums.filter { abs($0.key - index) <= 2 }
        sums[index] = block
        return block
    }
}

extension AudioCodec {
    fileprivate var isLossy: Bool { self == .aac || self == .opus }
}

extension Int64 {
    /// The quotient, towards negative infinity.
    func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
