package import Media

/// Counts the times between frames, to know the commonest without keeping them all.
package struct StepCounts {
    /// Different times beyond these are no rate that could be stated.
    private static let most = 4096
    /// The finest ticks that a mean is stated in (1/s): they hold usual rates and those of containers.
    private static let fineness: Int64 = 705_600_000

    private var counts: [Int64: Int] = [:]

    package init() {}

    package mutating func add(_ ticks: Int64) {
        if counts.count < Self.most || counts[ticks] != nil { counts[ticks, default: 0] += 1 }
    }

    /// The mean of the steps around which, to a tenth, most of them lie, of two equally common ones the
    /// shorter, because of a rate too low frames are lost (seconds); nil where fewer than a quarter are
    /// alike.
    package func commonest(timescale: Int32) -> MediaTime? {
        let steps = counts.filter { $0.key > 0 }.sorted { $0.key < $1.key }
        let total = steps.reduce(0) { $0 + $1.value }
        var best: (ticks: Int128, count: Int) = (0, 0)
        var (first, last) = (0, 0)
        var (ticks, count): (Int128, Int) = (0, 0)
        for (center, _) in steps {
            while last < steps.count, steps[last].key * 10 <= center * 11 {
                ticks += Int128(steps[last].key) * Int128(steps[last].value)
                count += steps[last].value
                last += 1
            }
            while steps[first].key * 10 < center * 9 {
                ticks -= Int128(steps[first].key) * Int128(steps[first].value)
                count -= steps[first].value
                first += 1
            }
            if count > best.count { best = (ticks, count) }
        }
        guard best.count > 0, best.count * 4 >= total else { return nil }
        let whole = Int128(best.count) * Int128(timescale)
        let mean = (best.ticks * Int128(Self.fineness) + whole / 2) / whole
        return Int64(exactly: mean).map {
            MediaTime(value: $0, timescale: Int32(Self.fineness)).reduced
        }
    }
}
