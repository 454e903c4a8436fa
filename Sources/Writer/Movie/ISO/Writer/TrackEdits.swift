internal import Media

/// Where a track's samples are on the movie's timeline: spans one after the other from movie time zero.
package struct TrackEdits: Sendable, Hashable {
    /// One span.
    package struct Span: Sendable, Hashable {
        /// When it begins and ends (movie time, ticks of `timescale`).
        package let start: Int64
        package let end: Int64
        /// What is shown at its start (track time, ticks of the track); nil: nothing.
        package let mediaTime: Int64?

        package init(start: Int64, end: Int64, mediaTime: Int64?) {
            self.start = start
            self.end = end
            self.mediaTime = mediaTime
        }
    }

    /// Ticks per second of the spans' movie times (1/s).
    let timescale: Int32
    /// In order, without holes.
    let spans: [Span]
    /// Whether the samples cover exactly that, so that no list is needed.
    let isIdentity: Bool

    /// At most one empty edit, then one span.
    /// - Parameters:
    ///   - index: with decode times on the movie's timeline; what is before zero is cut.
    ///   - timescale: of the track.
    ///   - from: when its first sample is shown (ticks; `nil`: as the index says).
    ///   - until: nothing is shown from there on (ticks).
    ///   - trailingTrim: ticks to cut from the end.
    init(
        _ index: SampleIndex, timescale: Int32, from: Int64? = nil, until: Int64? = nil,
        trailingTrim: Int64 = 0
    ) {
        self.timescale = timescale
        guard index.count > 0 else {
            (spans, isIdentity) = ([], true)
            return
        }
        let start = max(0, from ?? index.firstPresentationTime)
        let mediaTime = start - index.firstDecodeTime
        let end = min(index.presentationEnd - trailingTrim, until ?? .max)
        let length = max(0, end - start)
        let shown = Span(start: start, end: start + length, mediaTime: mediaTime)
        spans = start > 0 ? [Span(start: 0, end: start, mediaTime: nil), shown] : [shown]
        // the distances of decode times do not say when the frame shown last ends
        isIdentity =
            start == 0 && mediaTime == 0 && length == index.mediaDuration
            && !index.hasCompositionOffsets
    }

    /// - Parameter timescale: of the spans' movie times, which may be finer than the track's.
    package init(_ spans: [Span], timescale: Int32) {
        self.timescale = timescale
        self.spans = spans
        isIdentity = spans.isEmpty
    }

    /// When the track ends (movie time, ticks of `timescale`).
    var end: Int64 { spans.last?.end ?? 0 }

    func entries(in movieTimescale: Int32) -> [EditListBox.Entry] {
        guard !isIdentity else { return [] }
        let isAlone = spans.filter { $0.mediaTime != nil }.count == 1
        return spans.compactMap { span in
            // rounded as a whole, so that nothing adds up
            let (start, end) = (ticks(span.start, movieTimescale), ticks(span.end, movieTimescale))
            guard end > start || span.mediaTime != nil && isAlone else { return nil }
            return EditListBox.Entry(duration: end - start, mediaTime: span.mediaTime)
        }
    }

    func duration(in movieTimescale: Int32) -> UInt64 { ticks(end, movieTimescale) }

    private func ticks(_ value: Int64, _ movieTimescale: Int32) -> UInt64 {
        UInt64(
            MediaTime(value: value, timescale: timescale)
                .ticks(per: movieTimescale, rounding: .nearest))
    }
}
