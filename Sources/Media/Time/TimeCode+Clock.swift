extension TimeCode {
    /// What a clock shows: its hours, minutes and seconds, and the frame of the second. Where drop frame leaves that out
    /// it is the next one.
    /// - Parameters:
    ///   - timeOfDay: since midnight (nanoseconds).
    ///   - rate: how it counts.
    public init(timeOfDay: Int64, rate: TimeCodeRate) {
        let (second, rest) = timeOfDay.quotientAndRemainder(dividingBy: 1_000_000_000)
        let minute = second / 60
        var frame = rest * rate.framesPerSecond / 1_000_000_000
        if minute % 10 != 0, second % 60 == 0 { frame = max(frame, rate.dropped) }
        let number = second * rate.framesPerSecond + frame
        self.init(frame: number - rate.dropped * (minute - minute / 10), rate: rate)
    }
}

extension TimeCodeText {
    /// Why frames of a rate cannot have it, a half-sentence; nil: they can.
    package func obstacle(at rate: FrameRate) -> String? {
        guard let own = TimeCodeRate(rate) else {
            return "\(rate) frames a second are near no whole number up to 255"
        }
        if isDropFrame, !TimeCodeRate.needsDropFrame(rate) {
            return
                "drop frame (\";\") is for 29.97, 59.94 and 119.88 frames a second, and these are "
                + "\(rate): write \":\" before the frames"
        }
        guard frames < own.framesPerSecond else {
            return "a second of \(rate) frames a second has no frame \(frames)"
        }
        guard timeCode(at: rate) != nil else { return "drop frame leaves this number out" }
        return nil
    }
}
