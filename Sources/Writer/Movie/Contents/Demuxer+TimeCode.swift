internal import LibAV
internal import Media

extension Demuxer {
    /// The time code of the first video track, else the movie's own.
    /// - Parameter annotations: of the movie; pauses among them are where the code of a take jumps that advanced in them.
    func timeCode(_ annotations: [MovieAnnotation]) -> MovieTimeCode? {
        guard let video = tracks.first(where: { $0.format.mediaType == .video }),
            let rate = video.format.video?.nominalRate?.broadcast,
            let text = video.timeCode ?? tag("TIMECODE"),
            let start = TimeCodeText(text)?.timeCode(at: rate)
        else { return nil }
        var code = MovieTimeCode(start)
        code.runsInPauses = tag(MovieMetadata.timeCodeRun) == MovieMetadata.freeRun
        var paused = MediaTime.zero
        for case .pause(let time, let length) in annotations {
            paused += length
            code.noteResumed(at: time, paused: paused)
        }
        code.runsInPauses = false
        return code
    }

    private func tag(_ name: String) -> String? {
        metadata.first { $0.name.uppercased() == name }?.value
    }
}

extension FrameRate {
    /// A rate that was counted in milliseconds as what it is meant to be: a whole number, or 1000/1001 of one.
    var broadcast: FrameRate {
        guard let whole = TimeCodeRate.wholeRate(self), let frames = Int32(exactly: whole),
            frames <= 255
        else { return self }
        let candidates = [FrameRate(frames), FrameRate(frames * 1000, per: 1001)]
        return candidates.min {
            ($0.approximate - approximate).magnitude < ($1.approximate - approximate).magnitude
        } ?? self
    }
}
