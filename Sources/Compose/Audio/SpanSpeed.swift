internal import Media

/// How fast a span of audio plays: at one speed, or as a segment advances in its source.
enum SpanSpeed: Sendable, Hashable {
    case even(SpeedRatio)
    /// - Parameter sampleRate: Hz.
    case course(SourceCourse, sampleRate: Int)

    /// Nil where either length is nothing.
    init?(_ segment: TrackSegment, sampleRate: Int) {
        if let course = segment.course {
            self = .course(course, sampleRate: sampleRate)
        } else if let ratio = SpeedRatio(segment.mapping, sampleRate: sampleRate) {
            self = .even(ratio)
        } else {
            return nil
        }
    }

    var isOne: Bool {
        if case .even(let ratio) = self { ratio.isOne } else { false }
    }

    /// Around a film frame from the span's beginning (factor).
    func value(at frame: Int64) -> Double {
        switch self {
        case .even(let ratio): return ratio.value
        case .course(let course, let sampleRate):
            let (from, to) = course.piece(at: Self.ticks(frame, sampleRate).whole)
            return Double(to.source - from.source) / Double(to.target - from.target)
        }
    }

    /// `frame` film frames from the span's beginning as source frames: the whole part, and the rest (0 ..< 1).
    func position(of frame: Int64) -> (whole: Int64, fraction: Double) {
        switch self {
        case .even(let ratio): return ratio.position(of: frame)
        case .course(let course, let sampleRate):
            let (tick, rest) = Self.ticks(frame, sampleRate)
            let (from, to) = course.piece(at: tick)
            // source ticks · rate: in parts of (target length · ticks a second · rate)
            let rate = Int128(sampleRate)
            let length = Int128(to.target - from.target)
            let into = Int128(tick - from.target) * rate + rest
            let value = Int128(from.source) * rate * length + into * Int128(to.source - from.source)
            let divisor = Int128(Composition.timescale) * length
            let (whole, left) = value.quotientAndRemainder(dividingBy: divisor)
            guard left < 0 else { return (Int64(whole), Double(left) / Double(divisor)) }
            return (Int64(whole - 1), Double(left + divisor) / Double(divisor))
        }
    }

    /// A film frame's beginning: whole ticks of the timeline, and parts of one (of `sampleRate`).
    private static func ticks(_ frame: Int64, _ sampleRate: Int) -> (whole: Int64, rest: Int128) {
        let ticks = Int128(frame) * Int128(Composition.timescale)
        let (whole, rest) = ticks.quotientAndRemainder(dividingBy: Int128(sampleRate))
        return (Int64(whole), rest)
    }
}
