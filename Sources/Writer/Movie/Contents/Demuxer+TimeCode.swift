internal import LibAV
internal import Media

extension Demuxer {
    /// The time code of the first video track, else the movie's own.
    /// - Parameter annotations: of the movie; pauses among them are where the code of a take jumps that advanced in them.
    func timeCode(_ annotations: [MovieAnnotation]) -> MovieTimeCode? {
        guard let video = tracks.first(where: { $0.format.mediaType == .video }),
            let text = (video.timeCode ?? tag("TIMECODE")).flatMap({ TimeCodeText($0) }),
            let start = [statedRate, video.format.video?.nominalRate?.broadcast].lazy
                .compactMap({ $0.flatMap { text.timeCode(at: $0) } }).first
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

    /// The rate that vcap writes beside a time code.
    private var statedRate: FrameRate? {
        let parts = (tag(MovieMetadata.timeCodeRate) ?? "").split(separator: "/").map {
            Int32($0) ?? 0
        }
        guard (1...2).contains(parts.count), parts.allSatisfy({ (1...1_000_000).contains($0) })
        else { return nil }
        return FrameRate(parts[0], per: parts.count == 2 ? parts[1] : 1)
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
