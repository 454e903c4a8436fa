internal import Media

/// Where a track's samples are on the movie's timeline: at most one empty edit, then one span.
struct TrackEdits: Sendable, Hashable {
    let timescale: Int32
    /// When the first shown picture or frame appears (movie time, ticks of the track).
    let start: Int64
    /// Where that is in the track (track time, ticks).
    let mediaTime: Int64
    /// How long the track shows something (ticks).
    let length: Int64
    /// Whether the samples cover exactly that, so that no list is needed.
    let isIdentity: Bool

    /// - Parameters:
    ///   - index: with decode times on the movie's timeline; what is before zero is cut.
    ///   - trailingTrim: ticks to cut from the end.
    init(_ index: SampleIndex, timescale: Int32, trailingTrim: Int64 = 0) {
        self.timescale = timescale
        guard index.count > 0 else {
            (start, mediaTime, length, isIdentity) = (0, 0, 0, true)
            return
        }
        start = max(0, index.firstPresentationTime)
        mediaTime = start - index.firstDecodeTime
        length = max(0, index.presentationEnd - trailingTrim - start)
        isIdentity = start == 0 && mediaTime == 0 && length == index.mediaDuration
    }

    /// When the track ends (movie time, ticks of the track).
    var end: Int64 { start + length }

    func entries(in movieTimescale: Int32) -> [EditListBox.Entry] {
        guard !isIdentity else { return [] }
        let gap = ticks(start, movieTimescale)
        let shown = EditListBox.Entry(
            duration: ticks(end, movieTimescale) - gap, mediaTime: mediaTime)
        return gap == 0 ? [shown] : [EditListBox.Entry(duration: gap, mediaTime: nil), shown]
    }

    func duration(in movieTimescale: Int32) -> UInt64 { ticks(end, movieTimescale) }

    private func ticks(_ value: Int64, _ movieTimescale: Int32) -> UInt64 {
        UInt64(
            MediaTime(value: value, timescale: timescale)
                .ticks(per: movieTimescale, rounding: .nearest))
    }
}
