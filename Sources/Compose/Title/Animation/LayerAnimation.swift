public import Media

/// A value of a layer over time: between two values, or along key frames.
public struct LayerAnimation: Sendable, Hashable {
    /// What lies between two key frames.
    public enum Interpolation: String, Sendable, Hashable, CaseIterable, Codable {
        case linear
        /// Each value holds until the next one's time.
        case discrete
    }

    public let property: LayerProperty
    public let timing: AnimationTiming
    /// The values' numbers, one list a key frame.
    let values: [[Double]]
    /// When each is reached (fractions of the cycle; rising from 0 to 1).
    let keyTimes: [Double]
    /// Between each two key frames; empty: linear.
    let curves: [TimingCurve]
    let interpolation: Interpolation

    /// From one value to another.
    public static func basic<Value: Animatable>(
        _ keyPath: LayerKeyPath<Value>, from: Value, to: Value, timing: AnimationTiming
    ) -> LayerAnimation {
        LayerAnimation(
            property: keyPath.property, timing: timing, values: [from.components, to.components],
            keyTimes: [0, 1], curves: [], interpolation: .linear)
    }

    /// Along key frames.
    /// - Parameters:
    ///   - keyPath: the value that changes.
    ///   - values: one or more.
    ///   - keyTimes: as many as values, not falling, within 0…1 (fractions of a cycle); nil: evenly spread.
    ///     Before the first the first value shows, after the last the last.
    ///   - curves: one fewer than values, for the way from each to the next; nil: linear.
    ///   - interpolation: what lies between two key frames.
    ///   - timing: when it runs.
    public static func keyframes<Value: Animatable>(
        _ keyPath: LayerKeyPath<Value>, values: [Value], keyTimes: [Double]? = nil,
        curves: [TimingCurve]? = nil, interpolation: Interpolation = .linear,
        timing: AnimationTiming
    ) -> LayerAnimation {
        let last = Double(max(1, values.count - (interpolation == .discrete ? 0 : 1)))
        return LayerAnimation(
            property: keyPath.property, timing: timing, values: values.map(\.components),
            keyTimes: keyTimes ?? values.indices.map { Double($0) / last }, curves: curves ?? [],
            interpolation: interpolation)
    }

    /// The value at a progress through a cycle, curve applied (usually 0…1; a curve may overshoot).
    func components(at progress: Double) -> [Double] {
        guard let first = values.first, let last = values.last else { return [] }
        guard values.count > 1 else { return first }
        if interpolation == .discrete {
            return values[keyTimes.lastIndex { $0 <= progress } ?? 0]
        }
        // a curve that overshoots continues in the first and last way's direction
        if progress < keyTimes[0], keyTimes[0] > 0 { return first }
        if progress >= keyTimes[keyTimes.count - 1], keyTimes[keyTimes.count - 1] < 1 {
            return last
        }
        let next = keyTimes.indices.dropFirst().first { keyTimes[$0] > progress }
        let upper = next ?? lastRising
        let (from, to) = (keyTimes[upper - 1], keyTimes[upper])
        guard to > from else { return values[upper] }
        var part = (progress - from) / (to - from)
        if upper - 1 < curves.count, (0...1).contains(part) {
            part = curves[upper - 1].value(at: part)
        }
        return zip(values[upper - 1], values[upper]).map { $0 + ($1 - $0) * part }
    }

    /// End of the last way that takes time.
    private var lastRising: Int {
        keyTimes.indices.dropFirst().last { keyTimes[$0] > keyTimes[$0 - 1] } ?? values.count - 1
    }

    /// The value at an instant (timeline time), or nil where the animation says nothing.
    public func value<Value: Animatable>(
        of keyPath: LayerKeyPath<Value>, at time: MediaTime
    ) -> Value? {
        guard keyPath.property == property else { return nil }
        return claim(at: time).map { Value(components: components(at: $0.progress)) }
    }

    /// What the animation says at an instant, and how much it counts beside others of the same value: the
    /// one that runs, else the one that ended last, else the one that begins first.
    struct Claim {
        enum Rank: Comparable {
            /// Not begun; larger is sooner.
            case upcoming(Double)
            /// Over; larger is later.
            case ended(Double)
            case running
        }

        let rank: Rank
        let progress: Double
    }

    func claim(at time: MediaTime) -> Claim? {
        let seconds = timing.duration.approximateSeconds
        switch timing.phase(at: time) {
        case .before(let progress, let distance):
            guard timing.fill == .backwards || timing.fill == .both else { return nil }
            return Claim(rank: .upcoming(-distance * seconds), progress: progress)
        case .active(let progress):
            return Claim(rank: .running, progress: progress)
        case .after(let progress, let distance):
            guard timing.fill == .forwards || timing.fill == .both else { return nil }
            return Claim(rank: .ended(-distance * seconds), progress: progress)
        }
    }
}
