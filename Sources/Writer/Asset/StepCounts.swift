/// Counts the times between pictures, to know the one in the middle without keeping them all.
struct StepCounts {
    /// Different times beyond these are no rate that could be told.
    private static let most = 4096

    private var counts: [Int64: Int] = [:]

    mutating func add(_ ticks: Int64) {
        if counts.count < Self.most || counts[ticks] != nil { counts[ticks, default: 0] += 1 }
    }

    /// Half of the steps are at most this long (ticks); nil without steps.
    var median: Int64? {
        let half = (counts.values.reduce(0, +) + 1) / 2
        var sum = 0
        for (ticks, count) in counts.sorted(by: { $0.key < $1.key }) {
            sum += count
            if sum >= half { return ticks }
        }
        return nil
    }
}
