/// Which of two lists belong together, so that the sum of their costs is the least.
enum Assignment {
    /// The Hungarian algorithm, with potentials.
    /// - Parameters:
    ///   - costs: what each row costs with each column; `nil`: they never belong together.
    ///   - limit: what a row or column costs that remains alone, half of it each; dearer pairs are none.
    /// - Returns: the column of each row; `nil`: it remains alone.
    static func cheapest(_ costs: [[Double?]], limit: Double) -> [Int?] {
        let columns = costs.map(\.count).max() ?? 0
        let size = max(costs.count, columns)
        func cost(_ row: Int, _ column: Int) -> Double {
            guard row < costs.count, column < costs[row].count else { return limit }
            return min(costs[row][column] ?? limit, limit)
        }
        // rows and columns count from 1; row 0 is the one that is being placed
        var rowPotential = [Double](repeating: 0, count: size + 1)
        var columnPotential = rowPotential
        var rowOfColumn = [Int](repeating: 0, count: size + 1)
        for row in 0..<size {
            rowOfColumn[0] = row + 1
            var least = [Double](repeating: .infinity, count: size + 1)
            var isDone = [Bool](repeating: false, count: size + 1)
            var before = [Int](repeating: 0, count: size + 1)
            var column = 0
            while rowOfColumn[column] != 0 {
                isDone[column] = true
                let current = rowOfColumn[column]
                var (step, next) = (Double.infinity, 0)
                for other in 1...size where !isDone[other] {
                    let reduced =
                        cost(current - 1, other - 1) - rowPotential[current]
                        - columnPotential[other]
                    if reduced < least[other] { (least[other], before[other]) = (reduced, column) }
                    if least[other] < step { (step, next) = (least[other], other) }
                }
                for other in 0...size {
                    if isDone[other] {
                        rowPotential[rowOfColumn[other]] += step
                        columnPotential[other] -= step
                    } else {
                        least[other] -= step
                    }
                }
                column = next
            }
            while column != 0 {
                rowOfColumn[column] = rowOfColumn[before[column]]
                column = before[column]
            }
        }
        var result = [Int?](repeating: nil, count: costs.count)
        for column in 0..<columns {
            let row = rowOfColumn[column + 1] - 1
            guard row >= 0, row < costs.count, cost(row, column) < limit else { continue }
            result[row] = column
        }
        return result
    }
}
