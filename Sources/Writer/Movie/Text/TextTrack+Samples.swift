internal import Media

extension TextTrack {
    /// The track as a container holds it; where nothing is said the first text track of a movie is shown, others are
    /// offered.
    func containerTrack(in container: OutputContainer, isFirst: Bool) -> ContainerTrack {
        let format = TextFormat(coding: .coded(container.textCodec ?? .subrip), frame: frame)
        var track = ContainerTrack(
            format: .text(format), timescale: container.textTimescale, language: language,
            name: name)
        track.isEnabled = isDefault ?? isFirst
        track.isForced = isForced
        return track
    }

    /// Coded samples, one after the other. In MP4 and QuickTime nothing is left between them: where nothing is
    /// shown, an empty sample says so.
    func samples(in container: OutputContainer) -> [SampleBuffer] {
        let codec = container.textCodec ?? .subrip
        let scale = container.textTimescale
        let format = FormatDescription.text(TextFormat(coding: .coded(codec), frame: frame))
        var samples: [SampleBuffer] = []
        var end: Int64 = 0
        func add(_ text: String, from start: Int64, to stop: Int64) {
            samples.append(
                SampleBuffer(
                    payload: .coded(BlockBuffer(codec.sample(text))), format: format,
                    presentationTime: MediaTime(value: start, timescale: scale),
                    duration: MediaTime(value: stop - start, timescale: scale)))
            end = stop
        }
        for cue in flattened(timescale: scale).track.cues {
            let (start, stop) = (cue.timeRange.start.value, cue.timeRange.end.value)
            if codec == .movText, start > end { add("", from: end, to: start) }
            add(cue.text, from: start, to: stop)
        }
        // libavformat takes the last sample for as long as the one before, whatever the table says
        if codec == .movText, !samples.isEmpty { add("", from: end, to: end) }
        return samples
    }
}

extension TextCodec {
    /// A sample's bytes.
    fileprivate func sample(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        switch self {
        case .movText: return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        case .webvtt:
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;")
            return Array(escaped.utf8)
        case .subrip, .ass: return bytes
        }
    }
}
