internal import Media

extension TimelineBuilder {
    /// The time code of the film's first frame at the film's rate.
    /// - Throws: `invalid-setting` where that has no such code.
    func startTimeCode(_ frames: VideoComposition?) throws(MediaError) -> TimeCode? {
        guard let text = timeline.settings.startTimeCode else { return nil }
        guard let frames else {
            throw .setting(
                "startTimeCode",
                "The start time code \(text) counts frames, and the film has none: leave it out.")
        }
        let step = frames.frameDuration.reduced
        let rate = FrameRate(step.timescale, per: Int32(clamping: step.value))
        if let obstacle = text.obstacle(at: rate) {
            throw .setting(
                "startTimeCode", "The film cannot begin at the time code \(text): \(obstacle).")
        }
        return text.timeCode(at: rate)
    }
}
