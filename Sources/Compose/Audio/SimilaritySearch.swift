/// Finds where a region is most like a template: normalised correlation, first on every eighth frame
/// of both averaged, then frame by frame around the best.
struct SimilaritySearch {
    private static let coarseness = 8

    let template: [Float]
    /// As long as the template and the number of places to try, less one.
    let region: [Float]

    /// The best offset; `preferred` wins where nothing is better, as in silence.
    func best(preferring preferred: Int) -> Int {
        let places = region.count - template.count + 1
        guard places > 1 else { return 0 }
        let step = Self.coarseness
        let (shortTemplate, shortRegion) = (averaged(template), averaged(region))
        let coarse = Self.peak(
            shortTemplate, shortRegion, 0..<max(shortRegion.count - shortTemplate.count + 1, 1),
            preferred: preferred / step)
        let near = max(0, coarse * step - step)..<min(places, coarse * step + step + 1)
        guard !near.isEmpty else { return min(preferred, places - 1) }
        let middle = coarse == preferred / step ? preferred : coarse * step
        return Self.peak(
            template, region, near,
            preferred: min(max(middle, near.lowerBound), near.upperBound - 1))
    }

    private func averaged(_ samples: [Float]) -> [Float] {
        stride(from: 0, to: samples.count - Self.coarseness + 1, by: Self.coarseness).map { start in
            samples[start..<start + Self.coarseness].reduce(0, +)
        }
    }

    private static func peak(
        _ template: [Float], _ region: [Float], _ places: Range<Int>, preferred: Int
    ) -> Int {
        template.withUnsafeBufferPointer { template in
            region.withUnsafeBufferPointer { region in
                var best = min(max(preferred, places.lowerBound), places.upperBound - 1)
                var most = likeness(template, region, best)
                for place in places {
                    let value = likeness(template, region, place)
                    if value > most { (best, most) = (place, value) }
                }
                return best
            }
        }
    }

    private static func likeness(
        _ template: UnsafeBufferPointer<Float>, _ region: UnsafeBufferPointer<Float>, _ place: Int
    ) -> Float {
        guard place + template.count <= region.count else { return -.infinity }
        var (product, energy): (Float, Float) = (0, 0)
        for index in 0..<template.count {
            let value = region[place + index]
            product += template[index] * value
            energy += value * value
        }
        return product / (energy + 1e-9).squareRoot()
    }
}
