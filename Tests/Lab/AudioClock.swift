import Foundation

/// What a sound card's clock did while it played: the line through frames played over time.
struct AudioClock {
    /// Frames per second of the monotonic clock.
    let rate: Double
    /// When frame 0 was played (s, monotonic clock).
    let zero: Double

    /// - Parameters:
    ///   - text: lines of wall clock (s) and frames played.
    ///   - offset: what makes the wall clock the monotonic one (s).
    init(parsing text: String, offset: Double) throws {
        let points = text.split(separator: "\n").compactMap { line -> (x: Double, y: Double)? in
            let words = line.split(separator: " ").compactMap { Double($0) }
            return words.count == 2 ? (words[0] + offset, words[1]) : nil
        }
        guard points.count > 10 else {
            throw Installation.Failure(
                description: "the card's clock was read \(points.count) times only")
        }
        // a reading delayed by a busy host lies off the line: once more without those
        let rough = Self.line(through: points)
        let near = points.filter { abs(rough.zero + $0.y / rough.rate - $0.x) < 0.010 }
        guard near.count > points.count / 2 else {
            throw Installation.Failure(description: "the card's clock runs along no line")
        }
        (rate, zero) = Self.line(through: near)
    }

    /// Least squares: frames per second, and the moment of frame 0.
    private static func line(through points: [(x: Double, y: Double)]) -> (
        rate: Double, zero: Double
    ) {
        let count = Double(points.count)
        let meanX = points.map(\.x).reduce(0, +) / count
        let meanY = points.map(\.y).reduce(0, +) / count
        let products = points.map { ($0.x - meanX) * ($0.y - meanY) }.reduce(0, +)
        let squares = points.map { ($0.x - meanX) * ($0.x - meanX) }.reduce(0, +)
        return (products / squares, meanX - meanY / (products / squares))
    }

    /// How much faster than 48 kHz (parts per million).
    var ppm: Double { (rate / 48_000 - 1) * 1e6 }

    /// When the beep nearest to a moment was played; there is one every 48,000 frames.
    func beep(nearest time: Double) -> Double {
        zero + ((time - zero) * rate / 48_000).rounded() * 48_000 / rate
    }
}
