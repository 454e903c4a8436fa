extension Array {
    /// The fewest of a way's points, its ends among them, between which lines do not leave it by more than a tolerance.
    /// - Parameter distance: of a point from where the line between two others would be.
    func simplified(
        within tolerance: Double, _ distance: (Element, Element, Element) -> Double
    ) -> [Element] {
        guard count > 2 else { return self }
        var spans = [(0, count - 1)]
        var kept: Set<Int> = [0, count - 1]
        while let (from, to) = spans.popLast() {
            guard to - from > 1 else { continue }
            var worst = (index: from, distance: tolerance)
            for index in from + 1..<to {
                let off = distance(self[index], self[from], self[to])
                if off > worst.distance { worst = (index, off) }
            }
            guard worst.index > from else { continue }
            kept.insert(worst.index)
            spans += [(from, worst.index), (worst.index, to)]
        }
        return kept.sorted().map { self[$0] }
    }
}
