public import Media

/// When an animation runs and how often: all on the timeline.
public struct AnimationTiming: Sendable, Hashable {
    /// How often a cycle runs.
    public enum Repeat: Sendable, Hashable {
        /// Times (positive; need not be whole; default 1).
        case count(Double)
        /// For a length of time (positive).
        case duration(MediaTime)
        case forever
    }

    /// Whether the first and last value hold outside the animation's time.
    public enum Fill: String, Sendable, Hashable, CaseIterable, Codable {
        /// Neither: the layer's own value shows.
        case none
        /// The last value holds afterwards.
        case forwards
        /// The first value holds before.
        case backwards
        case both
    }

    /// When it begins (timeline time; default 0).
    public var begin: MediaTime
    /// Length of one cycle, in one direction (seconds; positive).
    public var duration: MediaTime
    /// Default: `.count(1)`.
    public var repeats: Repeat
    /// Whether each cycle runs back again, which doubles its length (default no).
    public var autoreverses: Bool
    /// Default: `.both`.
    public var fill: Fill
    /// Progress over a whole cycle (default linear).
    public var curve: TimingCurve

    public init(
        begin: MediaTime = .zero, duration: MediaTime, repeats: Repeat = .count(1),
        autoreverses: Bool = false, fill: Fill = .both, curve: TimingCurve = .linear
    ) {
        self.begin = begin
        self.duration = duration
        self.repeats = repeats
        self.autoreverses = autoreverses
        self.fill = fill
        self.curve = curve
    }

    /// Where an instant lies.
    enum Phase: Equatable {
        /// Not begun; `distance` cycles to go, for choosing between animations.
        case before(progress: Double, distance: Double)
        case active(progress: Double)
        /// Over since `distance` cycles.
        case after(progress: Double, distance: Double)
    }

    /// Progress in one direction (0…1), after the curve.
    func phase(at time: MediaTime) -> Phase {
        let position = cycles(at: time)
        let length = autoreverses ? 2.0 : 1.0
        let end: Double? =
            switch repeats {
            case .count(let count): count * length
            case .duration(let span): Self.ratio(span, to: .zero, over: duration)
            case .forever: nil
            }
        if position < 0 {
            return .before(progress: progress(0, isEnd: false), distance: -position)
        }
        if let end, position >= end {
            return .after(progress: progress(end, isEnd: true), distance: position - end)
        }
        return .active(progress: progress(position, isEnd: false))
    }

    /// Time since the beginning (in lengths of one direction).
    private func cycles(at time: MediaTime) -> Double {
        Self.ratio(time, to: begin, over: duration)
    }

    /// - Parameter isEnd: the end of a cycle is its last value, not the next one's first.
    private func progress(_ position: Double, isEnd: Bool) -> Double {
        let whole = position.rounded(.down)
        var part = position - whole
        var turn = whole
        if isEnd, part == 0, whole > 0 { (part, turn) = (1, whole - 1) }
        let isBack = autoreverses && turn.truncatingRemainder(dividingBy: 2) == 1
        return curve.value(at: isBack ? 1 - part : part)
    }

    /// `(time − origin) / length` from exact parts, rounded once.
    static func ratio(_ time: MediaTime, to origin: MediaTime, over length: MediaTime) -> Double {
        let (t, o) = (Int128(time.timescale), Int128(origin.timescale))
        let difference = Int128(time.value) * o - Int128(origin.value) * t
        let (numerator, overflow) = difference.multipliedReportingOverflow(
            by: Int128(length.timescale))
        let denominator = t * o * Int128(length.value)
        guard denominator > 0 else { return 0 }
        guard !overflow else {
            return Double(difference) / Double(t * o) / length.approximateSeconds
        }
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        return Double(quotient) + Double(remainder) / Double(denominator)
    }
}
