internal import Media

extension OTIOWriter {
    /// What is said of the whole film, and OpenTimelineIO has no place for.
    var lostSettings: [String] {
        let (own, usual) = (timeline.settings, TimelineSettings())
        let settings = [
            ("the film's size", own.renderSize != usual.renderSize),
            // a start time counts frames of it
            (
                "the film's frame rate",
                own.frameRate != usual.frameRate && startFrame == 0
            ),
            (
                "the film's colours",
                own.color != usual.color || own.pixelFormat != usual.pixelFormat
            ),
            ("the background", own.background != usual.background),
            ("the fit of clips that do not say", own.fit != usual.fit),
            ("the pitch of clips at other speeds", own.pitch != usual.pitch),
            ("the film's start time code", losesStart),
            ("the film's loudness", own.loudness != usual.loudness),
            ("the theme of the titles", own.theme != usual.theme),
        ]
        return settings.filter(\.1).map(\.0)
    }

    private var startFrame: Int64 {
        timeline.settings.startTimeCode?.timeCode(at: rate)?.frame ?? 0
    }

    /// Whether the start time, as a number of frames, reads back as another code: none at zero, and drop frame where the
    /// rate has it.
    private var losesStart: Bool {
        guard let code = timeline.settings.startTimeCode?.timeCode(at: rate) else { return false }
        let usual = TimeCodeRate(ofClockAt: rate).map { TimeCode(frame: code.frame, rate: $0).text }
        return code.frame == 0 || usual != code.text
    }

    /// Whether others find audio in tracks of it.
    var hasAudioTracks: Bool {
        !(voices + music).isEmpty || (clips + overlays.joined()).contains(where: isHeard)
    }
}
