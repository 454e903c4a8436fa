/// Counts the times between pictures, to know the one in the middle without keeping them all.
struct StepCounts {
    /// Different times beyond these are no rate that could be told.
    private static let most = 4096

    private var counts: [Int64: Int] = [:]

    mutating func add(_ ticks: Int64) {
        if counts.count < Self.most || counts[ticks] != nil { counts[ticks, default: 0] += 1 }
    }

    /// Half of the steps are at most this long, and two thirds of them nearly so (ticks); nil where steps are
    /// too different for that.
    var median: Int64? {
        let total = counts.values.reduce(0, +)
        var sum = 0
        for (ticks, count) in counts.sorted(by: { $0.key < $1.key }) {
            sum += count
            guard sum >= (total + 1) / 2 else { continue }
            let near = counts.reduce(0) { $0 + (abs($1.key - ticks) * 10 <= ticks ? $1.value : 0) }
            return 3 * near >= 2 * total ? ticks : nil
        }
        return nil
    }
}
