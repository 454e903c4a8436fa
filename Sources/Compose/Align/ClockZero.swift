internal import Media

/// When a running clock stood at zero, as far as what a recording's frames show of it says.
///
/// A frame that begins at t and shows c, which is shown for s, bounds the zero: it lies in (t − c − s, t − c].
struct ClockZero {
    /// The middle of what all readings leave (movie time, seconds).
    let time: Double
    /// How far it may be off (seconds).
    let uncertainty: Double
    /// Readings (count).
    let count: Int

    enum Outcome {
        case found(ClockZero)
        /// It was not seen to run.
        case brief
        /// No zero fits what was shown from this moment on (seconds).
        case contradicting(at: Double)
    }

    /// What a clock must have been seen to say (count): two times at least.
    private static let leastReadings = 3
    /// By how much bounds may miss each other: a shutter that was open while the clock went on (seconds).
    private static let exposure = 0.05

    /// Without values that stand for longer than they are shown for: of a player before its start and at its end.
    private static func running(_ readings: [ClockReading]) -> [ClockReading] {
        var runs: [[ClockReading]] = []
        for reading in readings.sorted(by: { $0.time < $1.time }) {
            if runs.last?.last?.milliseconds == reading.milliseconds {
                runs[runs.count - 1].append(reading)
            } else {
                runs.append([reading])
            }
        }
        return runs.filter { run in
            guard let first = run.first, let last = run.last else { return false }
            let length = (last.time - first.time).approximateSeconds
            return length <= Double(first.step) / 1000 + exposure
        }.flatMap { $0 }
    }

    /// - Parameter readings: of one clock.
    static func outcome(_ readings: [ClockReading]) -> Outcome {
        let all = running(readings)
        guard all.count >= leastReadings, let first = all.first,
            all.contains(where: { $0.milliseconds != first.milliseconds })
        else { return .brief }
        var (low, high) = (-Double.infinity, Double.infinity)
        for reading in all {
            let time = reading.time.approximateSeconds
            let shown = Double(reading.milliseconds) / 1000
            low = max(low, time - shown - Double(reading.step) / 1000)
            high = min(high, time - shown)
            let drift = (time - first.time.approximateSeconds) * AlignmentScale.greatestDrift
            if low - high > exposure + drift { return .contradicting(at: time) }
        }
        // nothing is known more closely than to a frame
        let times = all.map(\.time.approximateSeconds)
        let frame = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0.001 }.min() ?? 0
        return .found(
            ClockZero(
                time: (low + high) / 2, uncertainty: max(abs(high - low), frame) / 2,
                count: all.count))
    }
}
