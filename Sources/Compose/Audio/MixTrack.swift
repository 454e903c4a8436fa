internal import Media

/// One audio track of the film, in frames.
struct MixTrack: Sendable {
    let trackID: Int
    /// In order, without overlaps.
    let spans: [AudioSpan]
    let gain: GainCurve
    let pan: Double
    let tap: AudioTap?

    /// Gains of the left and the right side: the side that it is panned to stays as it is, the far side
    /// falls by a quarter of a cosine; 0 dB at the centre, so that a track nobody panned is untouched.
    var sides: (left: Float, right: Float) {
        let far = Float(Trigonometry.cosine(abs(pan) * .pi / 2))
        return (pan > 0 ? far : 1, pan < 0 ? far : 1)
    }

    /// The spans that touch a range of frames.
    func spans(in range: Range<Int64>) -> Range<Int> {
        let first = spans.partitioningIndex { $0.range.upperBound > range.lowerBound }
        var end = first
        while end < spans.count, spans[end].range.lowerBound < range.upperBound { end += 1 }
        return first..<end
    }
}
