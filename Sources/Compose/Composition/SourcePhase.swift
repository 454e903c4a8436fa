internal import Media
internal import Reading

/// Where between the frames of a source a film looks at it.
struct SourcePhase: Sendable, Hashable {
    /// Of the track (1/s).
    let timescale: Int32
    /// By how much its frames begin after the movie, where that is at most half of one (ticks of the track): WebM
    /// with Opus begins with audio. A film shows them as much earlier all along: the nearest ones, each once.
    let lateness: Int64
    /// Half of the average time between two of its frames, where they do not come evenly, as no camera's do (ticks);
    /// else zero.
    let halfStep: Int64

    init(timescale: Int32, lateness: Int64 = 0, halfStep: Int64 = 0) {
        (self.timescale, self.lateness, self.halfStep) = (timescale, lateness, halfStep)
    }

    /// As of even frames: frames that are mixed are weighted by when they are on show.
    var atBeginnings: SourcePhase { SourcePhase(timescale: timescale, lateness: lateness) }
}

extension AssetTrack {
    var phase: SourcePhase {
        guard mediaType == .video, !isStill, !isAnimation, !isSequence else {
            return SourcePhase(timescale: timescale)
        }
        return SourcePhase(timescale: timescale, lateness: lateness, halfStep: halfStep)
    }

    private var lateness: Int64 {
        guard start > .zero, let step = nominalRate?.frameDuration ?? commonestFrameDuration,
            start + start <= step
        else { return 0 }
        return start.ticks(per: timescale, rounding: .up)
    }

    private var halfStep: Int64 {
        guard isUneven, let average = averageRate, average > 0 else { return 0 }
        // in the middle of two fields the second one begins
        return Int64(Double(timescale) / average / (isInterlaced ? 4 : 2))
    }

    /// Whether the times between its frames differ by more than what counting in ticks makes of equal ones.
    private var isUneven: Bool {
        guard let steps = frameDurations else { return false }
        let (least, most) = (steps.lowerBound, steps.upperBound)
        return most.ticks(per: timescale, rounding: .nearest)
            > least.ticks(per: timescale, rounding: .nearest) + 1
    }

    /// The usual rate that its frames keep on average, where how far they are apart, or what the file states, says another
    /// one; nil elsewhere.
    var steadyRate: FrameRate? {
        guard keepsRate, let average = averageRate else { return nil }
        return .steady(
            average, stated: format?.video?.nominalRate, isUneven: hasVariableRate)
    }

    /// Whether its frames come at one rate, each somewhat early or late, and none is left out.
    private var keepsRate: Bool {
        guard let steps = frameDurations, let average = averageRate, average > 0 else {
            return false
        }
        let (least, most) = (
            steps.lowerBound.approximateSeconds, steps.upperBound.approximateSeconds
        )
        return least > 0.5 / average && most < 1.5 / average
    }
}
