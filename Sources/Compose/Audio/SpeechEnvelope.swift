internal import Media

/// Where the speech of a ducking rule is, and the volume ramps that follow from it.
///
/// Speech is the sum of the rule's speech tracks at their volumes, without taps. It is *on* in every
/// window of 10 ms whose RMS over all channels is at or above the threshold. Around each run of such
/// windows the gain is a trapezoid: down from 1 to `10^(−depth/20)` in `attack`, so that it is
/// all the way down where the speech begins; down until `hold` after its end; up to 1 again in `release`; all linear in
/// amplitude. Where trapezoids overlap the lower gain holds.
struct SpeechEnvelope {
    static let windowMilliseconds = 10

    let sampleRate: Int
    /// Runs of loud windows (film frames), in order, not touching.
    let runs: [Range<Int64>]

    init(sampleRate: Int, runs: [Range<Int64>]) {
        self.sampleRate = sampleRate
        self.runs = runs
    }

    init(
        rule: DuckingRule, composition: Composition, mix: AudioMix,
        gains: [Int: [[VolumeRamp]]] = [:], sampleRate: Int,
        open: @escaping AudioOpener, isCancelled: () -> Bool
    ) throws(MediaError) {
        let plan = try MixPlan(
            composition: composition, mix: mix, gains: gains, sampleRate: sampleRate, channels: 2,
            only: Set(rule.speechTrackIDs))
        let mixTracks = plan.mixTracks.map {
            MixTrackRenderer($0, sampleRate: sampleRate, channels: 2, open: open)
        }
        let window = max(sampleRate * Self.windowMilliseconds / 1000, 1)
        let least = Decibel.amplitude(rule.threshold)
        var runs: [Range<Int64>] = []
        var frame: Int64 = 0
        while frame < plan.frameCount {
            if isCancelled() { throw .cancelledMix }
            let range = frame..<frame + Int64(window * 50)
            let levels = try Self.levels(mixTracks, range, window)
            for (index, level) in levels.enumerated() where level >= least {
                let start = frame + Int64(index * window)
                if let last = runs.last, last.upperBound == start {
                    runs[runs.count - 1] = last.lowerBound..<start + Int64(window)
                } else {
                    runs.append(start..<start + Int64(window))
                }
            }
            frame = range.upperBound
        }
        self.init(sampleRate: sampleRate, runs: runs)
    }

    /// The RMS of each window; empty where no track sounds.
    private static func levels(
        _ mixTracks: [MixTrackRenderer], _ range: Range<Int64>, _ window: Int
    ) throws(MediaError) -> [Double] {
        var sum: [Float] = []
        for mixTrack in mixTracks {
            guard let frames = try mixTrack.block(range, tapping: false) else { continue }
            sum = sum.isEmpty ? frames : zip(sum, frames).map { $0 + $1 }
        }
        return stride(from: 0, to: sum.count, by: window * 2).map { start in
            let energy = sum[start..<start + window * 2].reduce(0.0) {
                $0 + Double($1) * Double($1)
            }
            return (energy / Double(window * 2)).squareRoot()
        }
    }

    /// The gains over the whole film as ramps, in order, without overlaps.
    func ramps(for rule: DuckingRule) -> [VolumeRamp] {
        let low = Decibel.amplitude(-rule.depth)
        let attack = rule.attack.ticks(per: Int32(sampleRate), rounding: .nearest)
        let hold = rule.hold.ticks(per: Int32(sampleRate), rounding: .nearest)
        let release = rule.release.ticks(per: Int32(sampleRate), rounding: .nearest)
        let spans = held(hold)
        var ramps: [VolumeRamp] = []
        var rising: (start: Int64, end: Int64, volume: Double)?
        for (index, span) in spans.enumerated() {
            var fall = (start: span.lowerBound - attack, volume: 1.0)
            if let before = rising, fall.start < before.start + release {
                fall = (before.end, before.volume)
            }
            ramps.append(ramp(fall.start, span.lowerBound, fall.volume, low))
            let next = index + 1 < spans.count ? spans[index + 1].lowerBound : nil
            let rise = meeting(
                span.upperBound, release, next.map { ($0, attack) }, low: low)
            rising = (span.upperBound, rise.end, rise.volume)
            ramps.append(ramp(span.upperBound, rise.end, low, rise.volume))
        }
        return ramps
    }

    /// Runs with their hold; those that touch are one.
    private func held(_ hold: Int64) -> [Range<Int64>] {
        var spans: [Range<Int64>] = []
        for run in runs {
            let end = run.upperBound + hold
            if let last = spans.last, run.lowerBound <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<end
            } else {
                spans.append(run.lowerBound..<end)
            }
        }
        return spans
    }

    /// Where the way up from `start` ends: at 1, or where it meets the next way down.
    private func meeting(
        _ start: Int64, _ release: Int64, _ next: (start: Int64, attack: Int64)?, low: Double
    ) -> (end: Int64, volume: Double) {
        guard let next, next.start - next.attack < start + release else {
            return (start + release, 1)
        }
        let part = Double(next.start - start) / Double(next.attack + release)
        let end = start + Int64((part * Double(release)).rounded())
        let volume =
            release > 0 ? low + (1 - low) * Double(end - start) / Double(release) : 1
        return (end, min(volume, 1))
    }

    /// A ramp on the timeline; what lies before its start is cut off.
    private func ramp(_ start: Int64, _ end: Int64, _ from: Double, _ to: Double) -> VolumeRamp {
        let rate = Int32(sampleRate)
        let first = max(start, 0)
        let volume =
            end > start ? from + (to - from) * Double(first - start) / Double(end - start) : to
        return VolumeRamp(
            timeRange: MediaTimeRange(
                from: MediaTime(value: first, timescale: rate),
                to: MediaTime(value: max(end, first), timescale: rate)),
            from: first > start ? volume : from, to: to)
    }
}

extension MediaError {
    static var cancelledMix: MediaError {
        MediaError(code: .cancelled, subject: "sound", message: "Mixing the audio was cancelled.")
    }
}
