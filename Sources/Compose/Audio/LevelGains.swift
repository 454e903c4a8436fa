internal import Media

/// The gains that bring parts of a mix to their loudness: one reading of those tracks.
struct LevelGains {
    /// More would raise little but noise (dB).
    static let highestGain = 24.0

    /// By track.
    private(set) var ramps: [Int: [VolumeRamp]] = [:]
    /// In the order of the mix's rules.
    private(set) var reports: [LevelReport] = []

    /// - Parameter isCancelled: asked for each second of audio; true ends the work with `cancelled`.
    init(
        composition: Composition, mix: AudioMix, sampleRate: Int, open: @escaping AudioOpener,
        isCancelled: () -> Bool
    ) throws(MediaError) {
        var steps: [Int: [(range: MediaTimeRange, gain: Double)]] = [:]
        for rule in mix.levels {
            let loudness = try Self.measure(
                rule, composition, mix, sampleRate, open, isCancelled)
            // as loud as it would be without the volume that is put on top
            let before = loudness.map { $0 - Decibel.level(rule.volume) }
            let gain = before.map { min(rule.loudness - $0, Self.highestGain) } ?? 0
            reports.append(LevelReport(rule: rule, before: before, gain: gain))
            for track in rule.trackIDs {
                steps[track, default: []].append((rule.timeRange, Decibel.amplitude(gain)))
            }
        }
        for (track, spans) in steps {
            ramps[track] = Self.ramps(spans.sorted { $0.range.start < $1.range.start })
        }
    }

    /// The gain of each span, and 1 between them.
    private static func ramps(
        _ spans: [(range: MediaTimeRange, gain: Double)]
    ) -> [VolumeRamp] {
        var ramps = [VolumeRamp(1, from: .zero)]
        for (index, span) in spans.enumerated() {
            ramps.append(VolumeRamp(span.gain, from: span.range.start))
            let next = index + 1 < spans.count ? spans[index + 1].range.start : nil
            if next.map({ $0 > span.range.end }) ?? true {
                ramps.append(VolumeRamp(1, from: span.range.end))
            }
        }
        return ramps
    }

    /// As it is heard, without the tracks' limiters and taps (LUFS; nil: silence).
    private static func measure(
        _ rule: LevelRule, _ composition: Composition, _ mix: AudioMix, _ sampleRate: Int,
        _ open: @escaping AudioOpener, _ isCancelled: () -> Bool
    ) throws(MediaError) -> Double? {
        var own = AudioMix(inputs: mix.inputs)
        for index in own.inputs.indices { own.inputs[index].treatment.limiter = nil }
        let plan = try MixPlan(
            composition: composition, mix: own, sampleRate: sampleRate, channels: 2,
            only: Set(rule.trackIDs))
        let tracks = plan.mixTracks.map {
            MixTrackRenderer($0, sampleRate: sampleRate, channels: 2, open: open)
        }
        let rate = Int32(sampleRate)
        let meter = try LoudnessMeter(channels: 2, sampleRate: sampleRate)
        var frame = rule.timeRange.start.ticks(per: rate, rounding: .nearest)
        let last = min(rule.timeRange.end.ticks(per: rate, rounding: .nearest), plan.frameCount)
        while frame < last {
            if isCancelled() { throw .cancelledMix }
            let range = frame..<min(last, frame + Int64(sampleRate))
            var sum = [Float](repeating: 0, count: range.count * 2)
            for track in tracks {
                guard let frames = try track.block(range, tapping: false) else { continue }
                for index in sum.indices { sum[index] += frames[index] }
            }
            try meter.add(sum)
            frame = range.upperBound
        }
        return try meter.loudness().integrated
    }
}
