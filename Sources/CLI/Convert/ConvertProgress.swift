import Compose
import Media

/// The progress of all inputs together.
struct ConvertProgress: Sendable {
    private let writer: ProgressWriter?
    private let inputs: Int
    private var done = 0
    private var failures = 0
    /// Of the finished ones.
    private var frames: Int64 = 0
    private var bytes: Int64 = 0
    private var duration = MediaTime.zero
    private var elapsed = MediaTime.zero

    /// - Parameter inputs: count; positive.
    init(_ writer: ProgressWriter?, inputs: Int) {
        self.writer = writer
        self.inputs = inputs
    }

    mutating func add(_ report: ConversionReport) {
        done += 1
        frames += report.frames
        bytes += report.bytes
        duration = sum(duration, report.duration)
        elapsed = sum(elapsed, report.elapsed)
    }

    mutating func addFailure() {
        done += 1
        failures += 1
    }

    /// How the input that is converted now stands.
    func write(_ current: ExportProgress) {
        var snapshot = ProgressSnapshot(current, state: "converting")
        snapshot.frames += frames
        snapshot.bytes += bytes
        snapshot.duration = sum(duration, current.time)
        snapshot.fraction = (Double(done) + current.fraction) / Double(inputs)
        if inputs > 1 { snapshot.remaining = nil }
        writer?.write(snapshot, isEnd: false)
    }

    func end() {
        let isDone = done == inputs && failures == 0
        writer?.write(
            ProgressSnapshot(
                frames: frames, bytes: bytes, duration: duration, elapsed: elapsed,
                fraction: Double(done) / Double(inputs), state: isDone ? "finished" : "failed"),
            isEnd: true)
    }

    /// In microseconds, as progress is reported: sums of other ticks could grow beyond all bounds.
    private func sum(_ one: MediaTime, _ other: MediaTime) -> MediaTime {
        MediaTime(
            value: one.ticks(per: 1_000_000, rounding: .nearest)
                + other.ticks(per: 1_000_000, rounding: .nearest), timescale: 1_000_000)
    }
}
