internal import Media

/// Which frame of a counter shows what. Seconds are those of its time code: of 30 frames at 30000/1001 a second, without
/// leaving numbers out; at a rate that is near no whole number, as many as begin in a second.
struct CounterClock: Sendable {
    private static let day: Int64 = 24 * 3600

    /// Of one frame (seconds).
    let step: MediaTime
    private let counter: Generator.Counter
    /// Frames a second of the time code (count); nil: the rate is near no whole number.
    private let base: Int64?
    /// What the first frame shows (frames since midnight).
    private let first: Int64

    init(_ counter: Generator.Counter, step: MediaTime) {
        self.counter = counter
        self.step = step.reduced
        let rate = Double(step.timescale) / Double(step.value)
        let nearest = max(1, rate.rounded())
        base = (rate / nearest - 1).magnitude < 0.002 ? Int64(nearest) : nil
        let from = counter.from ?? .zero
        let whole = from.ticks(per: 1, rounding: .down)
        let rest = (from - .seconds(whole)).approximateSeconds
        let begin = Self.firstFrame(ofSecond: whole, self.step, base)
        first = begin + Int64((rest * (base.map(Double.init) ?? rate)).rounded())
    }

    /// What a frame shows.
    struct Reading: Equatable {
        var second: Int64
        /// Of the second.
        var frame: Int64
        /// Of the second (count).
        var frames: Int64
    }

    /// - Parameter index: of the clip's frames.
    func reading(at index: Int64) -> Reading {
        let shown = max(0, counter.direction == .up ? first + index : first - index)
        let second = second(of: shown)
        let begin = Self.firstFrame(ofSecond: second, step, base)
        return Reading(
            second: second % Self.day, frame: shown - begin,
            frames: Self.firstFrame(ofSecond: second + 1, step, base) - begin)
    }

    /// How far round its hand has gone at a frame (0…1).
    func turn(at index: Int64) -> Double {
        let reading = reading(at: index)
        let passed =
            counter.direction == .up
            ? reading.frame : (reading.frames - reading.frame) % reading.frames
        return Double(passed) / Double(reading.frames)
    }

    /// Whether a second begins with a frame.
    func beeps(at index: Int64) -> Bool { index >= 0 && reading(at: index).frame == 0 }

    /// The frame that shows at an instant of the clip.
    func index(at time: MediaTime) -> Int64 {
        let ticks = max(1, step.timelineTicks)
        return time.ticks(per: Composition.timescale, rounding: .down) / ticks
    }

    private func second(of frame: Int64) -> Int64 {
        if let base { return frame / base }
        return Int64(Int128(frame) * Int128(step.value) / Int128(step.timescale))
    }

    private static func firstFrame(
        ofSecond second: Int64, _ step: MediaTime, _ base: Int64?
    ) -> Int64 {
        if let base { return second * base }
        let (dividend, divisor) = (Int128(second) * Int128(step.timescale), Int128(step.value))
        return Int64((dividend + divisor - 1) / divisor)
    }
}

extension CounterClock.Reading: CustomStringConvertible {
    /// `00:01:30:12`.
    var description: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return [second / 3600, second / 60 % 60, second % 60, frame].map(two)
            .joined(separator: ":")
    }
}
