public import Media

/// Subtitles of a movie to be written. All of them are known before it begins.
public struct TextTrack: Sendable, Hashable {
    /// In any order. Those that overlap are shown together, the earlier one above.
    public var cues: [TextCue]
    /// BCP 47 (nil = undetermined).
    public var language: String?
    /// What a player shows (nil = none).
    public var name: String?
    /// The size of the movie's frames, at whose bottom the text is placed (pixels; nil = nowhere in
    /// particular).
    public var frame: TextFormat.Frame?
    /// Whether players show it without being asked (nil: the first of a movie; in MP4 and QuickTime the first where
    /// none is).
    public var isDefault: Bool?
    /// Whether they show it even where nobody asks for subtitles (default no).
    public var isForced = false

    public init(
        cues: [TextCue], language: String? = nil, name: String? = nil,
        frame: TextFormat.Frame? = nil
    ) {
        self.cues = cues
        self.language = language
        self.name = name
        self.frame = frame
    }
}

extension TextTrack {
    /// Most cues shown at once (count); later ones are left out.
    private static let mostLines = 32

    /// The same texts as cues that follow one another: where some overlap, one cue holds the lines of all.
    /// - Parameter timescale: of the cues' times, which are rounded to the nearest (1/s). No cue is
    ///   shorter than a tick.
    /// - Returns: The track, and how many cues lost text because more was to be shown than there is room
    ///   for.
    package func flattened(timescale: Int32) -> (track: TextTrack, cutCount: Int) {
        let spans = spans(timescale)
        let borders = Set(spans.flatMap { [$0.start, $0.end] }).sorted()
        var flat: [TextCue] = []
        var cut: Set<Int> = []
        var shown: [Int] = []
        var next = 0
        for (from, to) in zip(borders, borders.dropFirst()) {
            shown.removeAll { spans[$0].end <= from }
            while next < spans.count, spans[next].start <= from {
                if shown.count < Self.mostLines { shown.append(next) } else { cut.insert(next) }
                next += 1
            }
            guard !shown.isEmpty else { continue }
            let whole = shown.map { spans[$0].text }.joined(separator: "\n")
            let text = CueText.cut(whole)
            if text.isCut { cut.formUnion(shown.dropFirst()) }
            flat.append(
                TextCue(
                    timeRange: MediaTimeRange(
                        start: MediaTime(value: from, timescale: timescale),
                        duration: MediaTime(value: to - from, timescale: timescale)),
                    text: text.text))
        }
        var track = self
        track.cues = flat
        return (track, cut.count)
    }

    /// The cues in ticks, by their start; of equal starts the first given first.
    private func spans(_ timescale: Int32) -> [(start: Int64, end: Int64, text: String)] {
        let spans = cues.compactMap { cue -> (start: Int64, end: Int64, text: String)? in
            let from = max(0, cue.timeRange.start.ticks(per: timescale, rounding: .nearest))
            let to = cue.timeRange.end.ticks(per: timescale, rounding: .nearest)
            return cue.text.isEmpty || to < 0 ? nil : (from, max(from + 1, to), cue.text)
        }
        return spans.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }
}
