internal import Media

/// One audio track of the film, in frames.
struct MixTrack: Sendable {
    let trackID: Int
    /// In order, without overlaps.
    let spans: [AudioSpan]
    let gain: GainCurve
    let pan: PanCurve
    let treatment: AudioTreatment
    let tap: AudioTap?

    /// The spans that touch a range of frames.
    func spans(in range: Range<Int64>) -> Range<Int> {
        let first = spans.partitioningIndex { $0.range.upperBound > range.lowerBound }
        var end = first
        while end < spans.count, spans[end].range.lowerBound < range.upperBound { end += 1 }
        return first..<end
    }
}
