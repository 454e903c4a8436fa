internal import Media

/// The gains that bring parts of a mix to their loudness: one reading of those tracks.
struct LevelGains {
    /// More would raise little but noise (dB).
    static let highestGain = 24.0
    /// From one gain to the next: as long as a cut's fade to either side of it (ms).
    private static let fade = MediaTime.milliseconds(3)

    /// By track.
    private(set) var ramps: [Int: [VolumeRamp]] = [:]
    /// In the order of the mix's rules.
    private(set) var reports: [LevelReport] = []

    /// - Parameter isCancelled: asked for each second of audio; true ends the work with `cancelled`.
    init(
        composition: Composition, mix: AudioMix, sampleRate: Int, open: @escaping AudioOpener,
        isCancelled: () -> Bool
    ) throws(MediaError) {
        var spans: [Int: [(range: MediaTimeRange, gain: Double)]] = [:]
        for rule in mix.levels {
            func heard(gain: Double?) throws(MediaError) -> Double? {
                try Self.measure(
                    rule, gain: gain, composition, mix, sampleRate, open, isCancelled)
            }
            let before = try heard(gain: nil)
            let gain = before.map { min(rule.loudness - $0, Self.highestGain) } ?? 0
            let amplitude = Decibel.amplitude(gain)
            let isLimited = rule.trackIDs.contains {
                mix.input(forTrack: $0).treatment.limiter != nil
            }
            // a limiter may take some of it again
            let after = isLimited && before != nil ? try heard(gain: amplitude) : nil
            reports.append(
                LevelReport(
                    rule: rule, before: before, gain: gain, after: after ?? before.map { $0 + gain }
                ))
            for track in rule.trackIDs {
                spans[track, default: []].append((rule.timeRange, amplitude))
            }
        }
        for (track, spans) in spans {
            ramps[track] = Self.ramps(spans.sorted { $0.range.start < $1.range.start })
        }
    }

    /// The gain of each span, and 1 between them. Where a part of a recording continues another one no cut fades, so the
    /// gain itself does.
    private static func ramps(
        _ spans: [(range: MediaTimeRange, gain: Double)]
    ) -> [VolumeRamp] {
        var steps: [(tick: Int64, gain: Double)] = [(0, 1)]
        for span in spans {
            let start = span.range.start.timelineTicks
            if let last = steps.last, last.tick >= start { steps.removeLast() }
            steps += [(start, span.gain), (span.range.end.timelineTicks, 1)]
        }
        var ramps = [VolumeRamp(steps[0].gain, from: .zero)]
        for (index, step) in steps.enumerated().dropFirst() {
            let before = steps[index - 1]
            let next = index + 1 < steps.count ? steps[index + 1].tick : .max
            let half = min(
                fade.timelineTicks / 2, (step.tick - before.tick) / 2, (next - step.tick) / 2)
            ramps.append(
                VolumeRamp(
                    timeRange: .ticks(step.tick - half, 2 * half), from: before.gain,
                    to: step.gain))
        }
        return ramps
    }

    /// As it is heard at full volume, without the tracks' taps (LUFS; nil: silence).
    /// - Parameter gain: in the place of every volume, before the limiters; nil: 1, and without limiters.
    private static func measure(
        _ rule: LevelRule, gain: Double?, _ composition: Composition, _ mix: AudioMix,
        _ sampleRate: Int, _ open: @escaping AudioOpener, _ isCancelled: () -> Bool
    ) throws(MediaError) -> Double? {
        var own = AudioMix(inputs: mix.inputs)
        for index in own.inputs.indices {
            own.inputs[index].volume = gain ?? 1
            own.inputs[index].volumeRamps = []
            if gain == nil { own.inputs[index].treatment.limiter = nil }
        }
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
