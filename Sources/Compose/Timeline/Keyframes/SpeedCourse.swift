internal import Media

extension VideoItem {
    /// Whether key frames change its speed.
    var isRamped: Bool { keyframes.contains { $0.speed.map { $0 != speed } ?? false } }

    /// How long a length of its source lasts in the film from the clip's beginning on (ticks), and how it advances in it
    /// where its speed changes; nil when it does not fit, or lasts no time.
    func run(over length: MediaTime) -> (ticks: Int64, course: SourceCourse?)? {
        guard isRamped else {
            return speed.ticks(of: length).flatMap { $0 > 0 ? ($0, nil) : nil }
        }
        let source = length.ticks(per: Composition.timescale, rounding: .down)
        return course(over: source).map { ($0.ticks, $0) }
    }

    /// How it advances in its source. Speeds change in steps of a hundredth of a second, or of a thousandth of the way
    /// from one key frame to the next where that is more; each step has the speed of its middle.
    private func course(over length: Int64) -> SourceCourse? {
        let track = KeyTrack(
            speed.approximate,
            keyframes.map { ($0.time, $0.curve, $0.speed.map(\.approximate)) })
        var points = [SourceCourse.Point(source: 0, target: 0)]
        /// Whether the source continues behind the step.
        func step(at speed: Double, from start: Int64, to end: Int64?) -> Bool {
            let from = points[points.count - 1].source
            let speed = min(100, max(0.01, speed))
            let rest = length - from
            let needed = Int64((Double(rest) / speed).rounded(.down))
            guard let end, needed > end - start else {
                points.append(.init(source: length, target: start + needed))
                return false
            }
            let way = Int64((Double(end - start) * speed).rounded())
            points.append(.init(source: min(length, from + max(1, way)), target: end))
            return from + way < length
        }
        for (key, next) in zip(track.keys, track.keys.dropFirst()) where next.tick > key.tick {
            let span = next.tick - key.tick
            let least = max(Int64(Composition.timescale) / 100, span / 1000)
            let count = key.value == next.value ? 1 : max(1, span / least)
            for number in 0..<count {
                let (start, end) = (
                    key.tick + span * number / count, key.tick + span * (number + 1) / count
                )
                let middle = (start + end) / 2
                let speed = track.value(at: middle, before: false) { $0 + ($1 - $0) * $2 }
                guard step(at: speed, from: start, to: end) else { return SourceCourse(points) }
            }
        }
        guard let last = track.keys.last else { return nil }
        _ = step(at: last.value, from: points[points.count - 1].target, to: nil)
        return SourceCourse(points)
    }
}
