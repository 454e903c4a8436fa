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

    /// A coded sample of text and when the movie shows it.
    package struct TextSample: Sendable {
        /// Movie time, in ticks of one timescale.
        package let timeRange: MediaTimeRange
        package let payload: BlockBuffer?
    }

    /// Reads the whole of a text track: text only, without styles and positions. Blocks.
    /// - Throws: `unsupported` for a track that is no text or too much of it, `damaged-file`.
    package func cues(
        of track: AssetTrack, limits: TextLimits = TextLimits()
    ) throws(MediaError) -> Cues {
        var found = Cues()
        var bytes = 0
        try readText(of: track) { payload, codec, spans throws(MediaError) in
            let (text, isCut) = payload.withUnsafeBytes { CueText.plain($0, codec) }
            guard !text.isEmpty else { return }
            if payload.withUnsafeBytes({ CueText.isStyled($0, codec) }) { found.styledCount += 1 }
            found.cues += spans.map { TextCue(timeRange: $0, text: text) }
            found.cutCount += isCut && !spans.isEmpty ? 1 : 0
            bytes += text.utf8.count * spans.count
            try check(found.cues.count, bytes, limits, track)
        }
        found.cues.sort { $0.timeRange.start.value < $1.timeRange.start.value }
        return found
    }

    /// Reads the whole of a text track as it is coded, in order of time. Blocks.
    /// - Throws: as `cues`.
    package func textSamples(
        of track: AssetTrack, limits: TextLimits = TextLimits()
    ) throws(MediaError) -> (samples: [TextSample], codec: TextCodec) {
        var found: [TextSample] = []
        var bytes = 0
        let codec = try readText(of: track) { payload, _, spans throws(MediaError) in
            found += spans.map { TextSample(timeRange: $0, payload: payload) }
            bytes += payload.count
            try check(found.count, bytes, limits, track)
        }
        found.sort { $0.timeRange.start.value < $1.timeRange.start.value }
        return (found, codec)
    }

    private func check(
        _ count: Int, _ bytes: Int, _ limits: TextLimits, _ track: AssetTrack
    ) throws(MediaError) {
        guard count <= limits.cues, bytes <= limits.bytes else {
            throw unreadable(track, because: "it is more text than any film has")
        }
    }

    /// Each sample of a text track, with when the movie shows it.
    @discardableResult
    private func readText(
        of track: AssetTrack,
        _ take: (BlockBuffer, TextCodec, [MediaTimeRange]) throws(MediaError) -> Void
    ) throws(MediaError) -> TextCodec {
        guard let codec = track.format?.text?.codec else {
            throw unreadable(track, because: "it is no text that vcap knows")
        }
        let source = try open(track)
        defer { source.close() }
        let line = source.line
        var previous: SampleBuffer?
        // only the next sample says how long one without a length lasts
        func pass(_ sample: SampleBuffer, until next: Int64) throws(MediaError) {
            let start = sample.presentationTime.value
            let length = sample.duration.map { $0.ticks(per: line.timescale, rounding: .nearest) }
            let (end, isOver) = start.addingReportingOverflow(length ?? max(0, next - start))
            guard let block = sample.block, !isOver, end > start else { return }
            try take(block, codec, line.spans.compactMap { $0.range(start, end, line) })
        }
        while let sample = try source.next() {
            if let previous { try pass(previous, until: sample.presentationTime.value) }
            previous = sample
        }
        if let previous { try pass(previous, until: line.ticks(duration)) }
        return codec
    }
}

extension EditLine.Span {
    /// When the span shows what lasts from one track time to another (movie time).
    fileprivate func range(_ start: Int64, _ end: Int64, _ line: EditLine) -> MediaTimeRange? {
        guard media != nil, !isHeld else { return nil }
        let from = max(0, self.start, movieTime(of: start))
        let to = min(self.end ?? .max, movieTime(of: end))
        guard from < to else { return nil }
        return MediaTimeRange(start: line.time(from), duration: line.time(to - from))
    }
}
