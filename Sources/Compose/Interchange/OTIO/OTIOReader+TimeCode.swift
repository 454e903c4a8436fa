internal import Media

/// The time code of a timeline's beginning.
extension OTIOReader {
    /// - Parameter isOurs: whether the file has the project in its own words, too.
    mutating func readStart(_ node: JSONValue?, isOurs: Bool) throws(JSONFailure) {
        // many programs write zero where nobody asked for a time code
        guard let start = try time(node, "the timeline's start time"), start != .zero else {
            return
        }
        guard start > .zero, let frameRate = OTIOTime.rate(node),
            let rate = TimeCodeRate(ofClockAt: frameRate)
        else {
            return notCarried.append(
                "the start time \(start.spoken): it is no time code, and the film has none")
        }
        let code = TimeCode(frame: rate.frames(in: start), rate: rate)
        let own = timeline.settings.startTimeCode?.timeCode(at: frameRate)
        if own?.frame != code.frame || own?.rate.frameRate != frameRate {
            timeline.settings.startTimeCode = code.text
        }
        // it counts the frames of the timeline's rate
        if !isOurs { timeline.settings.frameRate = frameRate }
    }
}
