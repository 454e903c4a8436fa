/// How a time code counts: the frames of its second, and whether it leaves numbers out.
public struct TimeCodeRate: Sendable, Hashable {
    /// Frames of one second of real time.
    public let frameRate: FrameRate
    /// Frames that one second of the code has (1…255): 30 at 30000/1001 a second.
    public let framesPerSecond: Int64
    /// Whether the first numbers of each minute but every tenth are left out, so that the code of 29.97 or
    /// 59.94 frames a second stays with the clock (SMPTE ST 12-1).
    public let isDropFrame: Bool

    /// - Returns: nil where the rate is no time code's: it is near no whole number up to 255, or drop frame was asked for
    ///   at a rate that is near no multiple of 30.
    public init?(_ frameRate: FrameRate, isDropFrame: Bool = false) {
        guard let whole = Self.wholeRate(frameRate), whole <= 255,
            !isDropFrame || whole % 30 == 0
        else { return nil }
        self.frameRate = frameRate
        framesPerSecond = whole
        self.isDropFrame = isDropFrame
    }

    /// As a clock's time code counts at this rate: drop frame where there is need of it.
    public init?(ofClockAt frameRate: FrameRate) {
        self.init(frameRate, isDropFrame: Self.needsDropFrame(frameRate))
    }

    /// The whole number that a rate is within 0.2 % of; nil: there is none.
    package static func wholeRate(_ rate: FrameRate) -> Int64? {
        let (frames, seconds) = (Int64(rate.numerator), Int64(rate.denominator))
        let whole = (2 * frames + seconds) / (2 * seconds)
        let difference = (frames - whole * seconds).magnitude
        return whole > 0 && difference * 500 < (whole * seconds).magnitude ? whole : nil
    }

    /// Whether a rate is slower than the 30, 60 or 120 that it is counted as.
    public static func needsDropFrame(_ rate: FrameRate) -> Bool {
        guard let whole = wholeRate(rate), whole % 30 == 0 else { return false }
        return Int64(rate.numerator) < whole * Int64(rate.denominator)
    }

    /// Numbers left out at the beginning of a minute (count).
    var dropped: Int64 { isDropFrame ? framesPerSecond / 15 : 0 }

    /// Frames of ten minutes of the code (count).
    var framesPerTenMinutes: Int64 { framesPerSecond * 600 - 9 * dropped }

    /// Frames of a day of the code, behind which it begins anew (count).
    public var framesPerDay: Int64 { framesPerTenMinutes * 144 }

    /// Frames of a time, to the nearest (count).
    public func frames(in time: MediaTime) -> Int64 { frames(in: time, rounding: .nearest) }

    /// Frames that have begun by a time, or begin within 1 ms and within half a frame of it (count).
    func frames(begunBy time: MediaTime) -> Int64 {
        let later = time + MediaTime(value: 1, timescale: 1000)
        return min(frames(in: time), frames(in: later, rounding: .down))
    }

    private func frames(in time: MediaTime, rounding: MediaTimeRounding) -> Int64 {
        let frames = Int128(time.value) * Int128(frameRate.numerator)
        let unit = Int128(time.timescale) * Int128(frameRate.denominator)
        return Int64(clamping: divide(frames, by: unit, rounding: rounding))
    }

    /// How long so many frames last (seconds).
    public func time(ofFrames count: Int64) -> MediaTime { frameRate.frameDuration * count }
}
