internal import Media
internal import Movie

/// How a track's time lies on the movie's time line: the spans of its edit list, in ticks of one
/// timescale that holds both exactly where 31 bits suffice (else the track's, spans rounded to it).
struct EditLine: Sendable, Hashable {
    /// One span. Times in ticks of the line.
    struct Span: Sendable, Hashable {
        /// Movie time.
        let start: Int64
        /// Movie time; `nil` = to the end of the track.
        let end: Int64?
        /// Track time shown at `start`; `nil` shows nothing.
        let media: Int64?
        /// Whether one frame is held for the whole span (an edit of rate 0).
        let isHeld: Bool

        func contains(_ time: Int64) -> Bool { start <= time && (end.map { time < $0 } ?? true) }

        /// The movie time of a track time.
        func movieTime(of media: Int64) -> Int64 { start + media - (self.media ?? 0) }

        /// The track time of a movie time within the span.
        func mediaTime(at time: Int64) -> Int64? {
            media.map { isHeld ? $0 : $0 + (time - start) }
        }
    }

    let timescale: Int32
    /// In order, without holes; at least one.
    let spans: [Span]

    /// Track time is movie time.
    static func identity(timescale: Int32) -> EditLine {
        EditLine(
            timescale: timescale, spans: [Span(start: 0, end: nil, media: 0, isHeld: false)])
    }

    private init(timescale: Int32, spans: [Span]) {
        self.timescale = timescale
        self.spans = spans
    }

    /// The longest reach that keeps every sum within 64 bits at any timescale (seconds).
    static let reach = MediaTime.seconds(10 * 366 * 86_400)

    /// - Returns: `nil` when a span lies beyond `reach`.
    init?(_ edits: [EditListBox.Entry], movieTimescale: Int32, trackTimescale: Int32) {
        timescale = EditLine.common(movieTimescale, trackTimescale) ?? trackTimescale
        var spans: [Span] = []
        var end: Int64 = 0
        let most = EditLine.reach.ticks(per: timescale, rounding: .down)
        for edit in edits {
            let start = end
            let length = MediaTime(
                value: Int64(clamping: edit.duration), timescale: movieTimescale)
            let media = edit.mediaTime.map { MediaTime(value: $0, timescale: trackTimescale) }
            guard length <= EditLine.reach, media ?? .zero <= EditLine.reach else { return nil }
            let isOpen = edit.duration == 0 && edit.mediaTime != nil
            if edit.duration == 0, !isOpen { continue }
            end = start + length.ticks(per: timescale, rounding: .nearest)
            guard end <= most else { return nil }
            spans.append(
                Span(
                    start: start, end: isOpen ? nil : end,
                    media: media?.ticks(per: timescale, rounding: .nearest),
                    isHeld: edit.rate == 0 && edit.mediaTime != nil))
            if isOpen { break }
        }
        self.spans = spans.isEmpty ? EditLine.identity(timescale: timescale).spans : spans
    }

    /// The timescale that holds both.
    private static func common(_ first: Int32, _ second: Int32) -> Int32? {
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return Int32(exactly: Int64(first) / Int64(a) * Int64(second))
    }

    /// A movie time in ticks; times beyond reach are cut to it.
    func ticks(_ time: MediaTime) -> Int64 {
        let most = EditLine.reach
        return max(-most, min(time, most)).ticks(per: timescale, rounding: .down)
    }

    func time(_ ticks: Int64) -> MediaTime { MediaTime(value: ticks, timescale: timescale) }

    /// What is on show at a movie time: in an empty span what came before it, before everything the
    /// beginning of the first span that shows something, after everything the last instant.
    func place(at time: Int64) -> (span: Span, media: Int64)? {
        let shown = spans.filter { $0.media != nil && $0.end ?? .max > $0.start }
        guard let first = shown.first else { return nil }
        guard let span = shown.last(where: { $0.start <= time }) else {
            return (first, first.mediaTime(at: first.start) ?? 0)
        }
        let inside = span.end.map { min(time, $0 - 1) } ?? time
        return (span, span.mediaTime(at: inside) ?? 0)
    }
}
