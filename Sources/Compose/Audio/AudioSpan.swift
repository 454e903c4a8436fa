internal import Media

/// A run of film frames that plays one stretch of one source.
struct AudioSpan: Sendable {
    /// Where it plays (film frames).
    var range: Range<Int64>
    var source: MediaSource
    /// The source frame that plays at the first film frame.
    var sourceFrame: Int64
    /// Source frames it may play; nothing outside is ever heard.
    var sourceCount: Int64
    var speed: SpanSpeed
    var keepsPitch: Bool
    /// Whether the source frames are played from the last to the first.
    var isReversed = false

    var count: Int64 { range.upperBound - range.lowerBound }

    /// Frames of the fade at either end: 3 ms, or half of a shorter span.
    func fadeFrames(sampleRate: Int) -> Int {
        Int(min(Int64(sampleRate * CutFade.milliseconds / 1000), count / 2))
    }
}

/// The fade that keeps cuts from clicking.
enum CutFade {
    static let milliseconds = 3

    /// Gains of a fade in: a raised cosine through the middles of its frames, so that a fade out is
    /// the same backwards.
    static func gains(_ frames: Int) -> [Float] {
        (0..<frames).map { frame in
            let angle = Double.pi * (Double(frame) + 0.5) / Double(frames)
            return Float(0.5 - 0.5 * Trigonometry.cosine(angle))
        }
    }
}
