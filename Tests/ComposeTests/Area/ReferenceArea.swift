import Media

@testable import Compose

/// Areas and effects in double precision, slowly: shares by samples, a true Gaussian.
struct ReferenceArea {
    let width: Int
    let height: Int
    let area: FrameArea

    /// Pixels counted along each side of one.
    private static let fineness = 16

    /// How much of each pixel lies in the shape (0…1).
    func shares() -> [[Double]] {
        (0..<height).map { y in
            (0..<width).map { x in
                let share = share(x, y)
                return area.isInverted ? 1 - share : share
            }
        }
    }

    private func share(_ x: Int, _ y: Int) -> Double {
        let count = area.softness > 0 ? 1 : Self.fineness
        var sum = 0.0
        for row in 0..<count {
            for column in 0..<count {
                sum += inside(
                    Double(x) + (Double(column) + 0.5) / Double(count),
                    Double(y) + (Double(row) + 0.5) / Double(count))
            }
        }
        return sum / Double(count * count)
    }

    /// How much a place counts.
    private func inside(_ x: Double, _ y: Double) -> Double {
        let (w, h) = (area.width * Double(width), area.height * Double(height))
        let angle = area.rotation * .pi / 180
        let (dx, dy) = (x - area.x * Double(width), y - area.y * Double(height))
        let u = (dx * cosine(angle) + dy * sine(angle)).magnitude
        let v = (dy * cosine(angle) - dx * sine(angle)).magnitude
        // from the edge to the middle, as a part of the way
        let depth: Double
        if area.shape == .ellipse {
            depth = 1 - ((2 * u / w) * (2 * u / w) + (2 * v / h) * (2 * v / h)).squareRoot()
        } else {
            depth = min(w / 2 - u, h / 2 - v) / (min(w, h) / 2)
        }
        if area.softness > 0 { return max(0, min(1, depth / area.softness)) }
        return depth > 0 ? 1 : 0
    }

    private func sine(_ angle: Double) -> Double {
        // a series is exact enough for what is tried
        var (term, sum) = (angle, angle)
        for n in 1..<12 {
            term *= -angle * angle / Double((2 * n) * (2 * n + 1))
            sum += term
        }
        return sum
    }

    private func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

    /// The mean of what each sample of a plane covers.
    static func means(_ shares: [[Double]], across: Int, down: Int) -> [[Double]] {
        stride(from: 0, to: shares.count, by: down).map { y in
            stride(from: 0, to: shares[0].count, by: across).map { x in
                var (sum, count) = (0.0, 0.0)
                for row in y..<min(shares.count, y + down) {
                    for column in x..<min(shares[0].count, x + across) {
                        sum += shares[row][column]
                        count += 1
                    }
                }
                return sum / count
            }
        }
    }

    /// A Gaussian of a plane that continues beyond its edges (deviations in samples).
    static func blurred(
        _ plane: [[Double]], across: Double, down: Double
    ) -> [[Double]] {
        func weights(_ deviation: Double) -> [Double] {
            let reach = Int((4 * deviation).rounded(.up))
            let bell = (-reach...reach).map { place -> Double in
                // e^-x by its own series in small steps
                let x = Double(place * place) / (2 * deviation * deviation)
                var value = 1.0
                for _ in 0..<64 { value *= 1 - x / 64 + x * x / (2 * 64 * 64) }
                return value
            }
            let sum = bell.reduce(0, +)
            return bell.map { $0 / sum }
        }
        func run(_ line: [Double], _ weights: [Double]) -> [Double] {
            let reach = weights.count / 2
            return line.indices.map { index in
                weights.indices.reduce(0) { sum, tap in
                    let place = max(0, min(line.count - 1, index + tap - reach))
                    return sum + weights[tap] * line[place]
                }
            }
        }
        let (wide, tall) = (weights(across), weights(down))
        let rows = plane.map { run($0, wide) }
        let columns = plane[0].indices.map { x in run(rows.map { $0[x] }, tall) }
        return plane.indices.map { y in columns.map { $0[y] } }
    }
}
