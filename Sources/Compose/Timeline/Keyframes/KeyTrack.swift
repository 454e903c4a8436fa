internal import Media

/// A value's key frames, and what it is between two of them.
struct KeyTrack<Value> {
    /// A value from an instant on.
    struct Key {
        /// From the item's beginning (ticks).
        let tick: Int64
        let value: Value
        /// Of the way to it.
        let curve: TimingCurve
    }

    /// In order of time; the first at zero.
    let keys: [Key]

    /// - Parameters:
    ///   - own: the value at the beginning.
    ///   - given: by the key frames; nil where one gives none.
    init(_ own: Value, _ given: [(time: MediaTime, curve: TimingCurve, value: Value?)]) {
        keys =
            [Key(tick: 0, value: own, curve: .linear)]
            + given.compactMap { key in
                key.value.map {
                    Key(tick: key.time.timelineTicks, value: $0, curve: key.curve)
                }
            }
    }

    var isConstant: Bool { keys.count == 1 }
    var ticks: [Int64] { keys.map(\.tick) }

    /// Between which two values it is, and how far on the way (a curve may lead beyond 0…1).
    /// - Parameters:
    ///   - tick: from the item's beginning.
    ///   - isBefore: what it comes to from before, where it jumps.
    func span(at tick: Int64, before isBefore: Bool) -> (from: Value, to: Value, part: Double) {
        let next = keys.partitioningIndex { isBefore ? $0.tick >= tick : $0.tick > tick }
        guard next > 0 else { return (keys[0].value, keys[0].value, 0) }
        guard next < keys.count else {
            let last = keys[keys.count - 1].value
            return (last, last, 0)
        }
        let (from, to) = (keys[next - 1], keys[next])
        let progress = Double(tick - from.tick) / Double(to.tick - from.tick)
        return (from.value, to.value, to.curve.value(at: progress))
    }

    /// The value at an instant.
    func value(
        at tick: Int64, before isBefore: Bool, _ mixed: (Value, Value, Double) -> Value
    ) -> Value {
        let span = span(at: tick, before: isBefore)
        if span.part == 0 { return span.from }
        if span.part == 1 { return span.to }
        return mixed(span.from, span.to, span.part)
    }
}
