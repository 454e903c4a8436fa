internal import Media

extension MixRenderer {
    /// Gains above this would raise little but noise (dB).
    private static var highestGain: Double { 30 }
    /// Readings after the first in which the effect of limiter and coder is made up for.
    private static var corrections: Int { 5 }
    /// Readings after those in which only peaks that a coder made are still brought down.
    private static var reductions: Int { 4 }
    /// What counts as reached (LU); half of what is promised.
    private static var tolerance: Double { 0.05 }

    /// Measures the mix and sets its gain so that it is as loud as wanted. Where the peaks then
    /// pass the ceiling they are limited; what that takes from the loudness, and what coding adds to the
    /// peaks, is made up for in up to five more readings; the peaks, if they must be, in four more.
    func normalise(
        to target: LoudnessTarget, isCancelled: () -> Bool
    ) throws(MediaError) -> LoudnessReport {
        setMaster(gain: 1, ceiling: .infinity, isTruePeak: false)
        let before = try measure(isCancelled, coded: nil)
        guard let loudness = before.integrated, let peak = before.truePeak else {
            setMaster(gain: 1, ceiling: 1, isTruePeak: false)
            return LoudnessReport(
                target: target, before: before, after: before, gain: 0, passes: 1)
        }
        var gain = min(target.integrated - loudness, Self.highestGain)
        if peak + gain <= target.truePeak, coding == nil {
            setMaster(gain: amplitude(gain), ceiling: 1, isTruePeak: false)
            let after = Loudness(integrated: loudness + gain, truePeak: peak + gain)
            return LoudnessReport(
                target: target, before: before, after: after, gain: gain, passes: 1)
        }
        var (ceiling, pass) = (target.truePeak, 1)
        while true {
            let after = try heard(gain: gain, ceiling: ceiling, peak: peak, isCancelled)
            pass += 1
            let missing = target.integrated - (after.integrated ?? target.integrated)
            let next = min(gain + missing, Self.highestGain)
            // without a coder the limiter keeps its word by itself
            let over = coding == nil ? 0 : max(0, (after.truePeak ?? peak) - target.truePeak)
            let isLoud = abs(missing) <= Self.tolerance || next == gain
            let isLast = pass > Self.corrections
            if over == 0 && (isLoud || isLast) || pass > Self.corrections + Self.reductions {
                forget()
                return LoudnessReport(
                    target: target, before: before, after: after, gain: gain, passes: pass)
            }
            if !isLoud, !isLast { gain = next }
            if over > 0 { ceiling -= over + (isLast ? 0.2 : 0.05) }
        }
    }

    /// Sets gain and ceiling and measures what is heard then, coded if it will be.
    /// - Parameter peak: of the mix as the volumes make it; where it stays below the ceiling nothing is limited.
    private func heard(
        gain: Double, ceiling: Double, peak: Double, _ isCancelled: () -> Bool
    ) throws(MediaError) -> Loudness {
        let isLimited = peak + gain > ceiling
        setMaster(
            gain: amplitude(gain), ceiling: isLimited ? amplitude(ceiling) : 1,
            isTruePeak: isLimited)
        let trial = try coding.map { settings throws(MediaError) in
            try CodingTrial(settings, input: .floats(sampleRate, channels))
        }
        return try measure(isCancelled, coded: trial)
    }

    private func amplitude(_ level: Double) -> Float { Float(Decibel.amplitude(level)) }

    /// The loudness of the whole film as it is set now, and as a coder leaves it.
    private func measure(
        _ isCancelled: () -> Bool, coded trial: CodingTrial?
    ) throws(MediaError) -> Loudness {
        let meter = try LoudnessMeter(channels: channels, sampleRate: sampleRate)
        var frame: Int64 = 0
        while frame < frameCount {
            if isCancelled() { throw .cancelledMix }
            let end = min(frame + Int64(sampleRate), frameCount)
            let frames = try samples(frame..<end)
            try meter.add(try trial?.pass(frames, at: frame) ?? frames)
            frame = end
        }
        if let trial { try meter.add(try trial.finish()) }
        return try meter.loudness()
    }
}

extension AudioFormat {
    fileprivate static func floats(_ sampleRate: Int, _ channels: Int) -> AudioFormat {
        AudioFormat(coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
    }
}
