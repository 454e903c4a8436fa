package import Media
package import Movie

extension Asset {
    /// What a text track shows.
    package struct Cues: Sendable {
        /// Movie time, in order of their start, each in ticks of one timescale.
        package var cues: [TextCue] = []
        /// Cues that were too long and lost their ends (count).
        package var cutCount = 0
        /// Cues that had italics, colours, a place or the like, which are left out (count).
        package var styledCount = 0
    }

    /// What of a stranger's text is read.
    package struct TextLimits: Sendable {
        /// Most cues of a track (count).
        package var cues = 200_000
        /// Most text of a track (bytes).
        package var bytes = 32 << 20

        package init() {}
    }

    /// Reads the whole of a text track: text only, without styles and positions. Blocks.
    /// - Throws: `unsupported` for a track that is no text or too much of it, `damaged-file`.
    package func cues(
        of track: AssetTrack, limits: TextLimits = TextLimits()
    ) throws(MediaError) -> Cues {
        guard let codec = track.format?.text?.codec else {
            throw unreadable(track, because: "it is no text that vcap knows")
        }
        let source = try open(track)
        defer { source.close() }
        let line = source.line
        var found = Cues()
        var bytes = 0
        var previous: SampleBuffer?
        // only the next sample says how long one without a length lasts
        func take(_ sample: SampleBuffer, until next: Int64) {
            let start = sample.presentationTime.value
            let length = sample.duration.map { $0.ticks(per: line.timescale, rounding: .nearest) }
            let (end, isOver) = start.addingReportingOverflow(length ?? max(0, next - start))
            guard let block = sample.block, !isOver, end > start else { return }
            let (text, isCut) = block.withUnsafeBytes { CueText.plain($0, codec) }
            guard !text.isEmpty else { return }
            if block.withUnsafeBytes({ CueText.isStyled($0, codec) }) { found.styledCount += 1 }
            let cues = line.spans.compactMap { $0.cue(text, start, end, line) }
            found.cues += cues
            found.cutCount += isCut && !cues.isEmpty ? 1 : 0
            bytes += text.utf8.count * cues.count
        }
        while let sample = try source.next() {
            if let previous { take(previous, until: sample.presentationTime.value) }
            previous = sample
            guard found.cues.count <= limits.cues, bytes <= limits.bytes else {
                throw unreadable(track, because: "it is more text than any film has")
            }
        }
        if let previous { take(previous, until: line.ticks(duration)) }
        found.cues.sort { $0.timeRange.start.value < $1.timeRange.start.value }
        return found
    }
}

extension EditLine.Span {
    /// The part of a cue that the span shows, by movie time.
    fileprivate func cue(
        _ text: String, _ start: Int64, _ end: Int64, _ line: EditLine
    ) -> TextCue? {
        guard media != nil, !isHeld else { return nil }
        let from = max(0, self.start, movieTime(of: start))
        let to = min(self.end ?? .max, movieTime(of: end))
        guard from < to else { return nil }
        return TextCue(
            timeRange: MediaTimeRange(start: line.time(from), duration: line.time(to - from)),
            text: text)
    }
}
