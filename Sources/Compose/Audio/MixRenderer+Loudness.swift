extension MixRenderer {
    /// Gains above this would raise little but noise (dB).
    private static var highestGain: Double { 30 }
    /// Readings after the first in which the limiter's own effect is made up for.
    private static var corrections: Int { 3 }
    /// What counts as reached (LU).
    private static var tolerance: Double { 0.1 }

    /// Measures the mix and sets its gain so that it is as loud as wanted. Where the peaks then
    /// pass the ceiling they are limited, and what that takes from the loudness is made up for in up to three
    /// more readings.
    func normalise(
        to target: LoudnessTarget, isCancelled: () -> Bool
    ) throws(ComposeError) -> LoudnessReport {
        setMaster(gain: 1, ceiling: .infinity, isTruePeak: false)
        let before = try measure(isCancelled)
        guard let loudness = before.integrated, let peak = before.truePeak else {
            setMaster(gain: 1, ceiling: 1, isTruePeak: false)
            return LoudnessReport(
                target: target, before: before, after: before, gain: 0, passes: 1)
        }
        var gain = min(target.integrated - loudness, Self.highestGain)
        if peak + gain <= target.truePeak {
            setMaster(gain: amplitude(gain), ceiling: 1, isTruePeak: false)
            let after = Loudness(integrated: loudness + gain, truePeak: peak + gain)
            return LoudnessReport(
                target: target, before: before, after: after, gain: gain, passes: 1)
        }
        var pass = 1
        while true {
            setMaster(
                gain: amplitude(gain), ceiling: amplitude(target.truePeak), isTruePeak: true)
            let after = try measure(isCancelled)
            pass += 1
            let missing = target.integrated - (after.integrated ?? target.integrated)
            let next = min(gain + missing, Self.highestGain)
            if abs(missing) <= Self.tolerance || pass > Self.corrections || next == gain {
                forget()
                return LoudnessReport(
                    target: target, before: before, after: after, gain: gain, passes: pass)
            }
            gain = next
        }
    }

    private func amplitude(_ level: Double) -> Float { Float(Decibel.amplitude(level)) }

    /// The loudness of the whole film as it is set now.
    private func measure(_ isCancelled: () -> Bool) throws(ComposeError) -> Loudness {
        let meter = try LoudnessMeter(channels: channels, sampleRate: sampleRate)
        var frame: Int64 = 0
        while frame < frameCount {
            if isCancelled() { throw .cancelledMix }
            let end = min(frame + Int64(sampleRate), frameCount)
            try meter.add(try samples(frame..<end))
            frame = end
        }
        return try meter.loudness()
    }
}
