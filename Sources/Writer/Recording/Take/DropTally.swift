internal import Media

/// Counts lost samples by cause and sums up what has not been told yet. A pure value.
struct DropTally: Sendable {
    private(set) var totals: [SampleDrop.Cause: Int] = [:]
    private var untold: [SampleDrop.Cause: Int] = [:]

    var isEmpty: Bool { totals.isEmpty }

    mutating func add(_ cause: SampleDrop.Cause, _ count: Int) {
        guard count > 0 else { return }
        totals[cause, default: 0] += count
        untold[cause, default: 0] += count
    }

    /// What has happened since the last call, in a fixed order.
    mutating func takeUntold() -> [(cause: SampleDrop.Cause, count: Int)] {
        defer { untold = [:] }
        return untold.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }
}
