import TestSupport
import Testing

@testable import Detect

@Suite("which of what was found is which")
struct AssignmentTests {
    /// Tries all.
    private func least(_ costs: [[Double?]], limit: Double, from row: Int = 0, used: Set<Int> = [])
        -> Double
    {
        guard row < costs.count else { return 0 }
        var best = limit + least(costs, limit: limit, from: row + 1, used: used)
        for (column, cost) in costs[row].enumerated() where !used.contains(column) {
            guard let cost, cost < limit else { continue }
            best = min(
                best, cost + least(costs, limit: limit, from: row + 1, used: used.union([column])))
        }
        return best
    }

    @Test("of 300 tables each is assigned at the least cost, and what is too dear remains alone")
    func cheapest() {
        var random = SplitMix(seed: 5)
        for _ in 0..<300 {
            let (rows, columns) = (
                Int.random(in: 0...5, using: &random), Int.random(in: 0...5, using: &random)
            )
            let costs = (0..<rows).map { _ in
                (0..<columns).map { _ -> Double? in
                    Double.random(in: 0...1, using: &random) < 0.2
                        ? nil : Double.random(in: 0...3, using: &random)
                }
            }
            let pairs = Assignment.cheapest(costs, limit: 2)
            #expect(pairs.count == rows)
            let columnsUsed = pairs.compactMap { $0 }
            #expect(Set(columnsUsed).count == columnsUsed.count)
            var sum = 0.0
            for (row, column) in pairs.enumerated() {
                guard let column else {
                    sum += 2
                    continue
                }
                let cost = costs[row][column]
                #expect(cost.map { $0 < 2 } ?? false)
                sum += cost ?? 0
            }
            #expect(abs(sum - least(costs, limit: 2)) < 1e-9)
        }
    }
}
