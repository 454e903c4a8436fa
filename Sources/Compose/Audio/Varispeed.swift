internal import Media

/// A span at another speed, its pitch following, as tape does: band-limited interpolation.
///
/// Every sample is the sum of the source under a Kaiser-windowed sinc of 32 zero crossings whose cutoff
/// follows the speed, its weights scaled to a sum of 1; it depends on its frame number alone.
final class Varispeed: SpanAudio {
    private static let zeroCrossings = 16  // on either side
    private static let steps = 512  // of the table between two zero crossings
    /// Speeds above this keep the width of the filter, so that its cost is bounded.
    private static let widest = 16.0

    private let window: SourceWindow
    private let origin: Int64
    private let speed: SpanSpeed

    init(_ window: SourceWindow, origin: Int64, speed: SpanSpeed) {
        self.window = window
        self.origin = origin
        self.speed = speed
    }

    /// Source frames between two zero crossings, around a frame.
    private func stretch(at frame: Int64) -> Double {
        // a little below the limit: the transition band lies under the new half rate
        min(max(1, speed.value(at: frame)), Self.widest) / 0.94
    }

    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float] {
        guard count > 0 else { return [] }
        let stretches = (0..<count).map { stretch(at: frame + Int64($0)) }
        let widest = stretches.max() ?? 1
        let most = Int64((Double(Self.zeroCrossings) * widest).rounded(.up))
        let first = speed.position(of: frame).whole - most
        let last = speed.position(of: frame + Int64(count) - 1).whole + most + 1
        let source = try window.frames(origin + first..<origin + last + 1)
        let channels = window.channels
        var result = [Float](repeating: 0, count: count * channels)
        source.withUnsafeBufferPointer { source in
            for index in 0..<count {
                let place = speed.position(of: frame + Int64(index))
                let middle = Int(place.whole - first)
                sum(source, middle, place.fraction, stretches[index], channels) { channel, value in
                    result[index * channels + channel] = value
                }
            }
        }
        return result
    }

    private func sum(
        _ source: UnsafeBufferPointer<Float>, _ middle: Int, _ fraction: Double,
        _ stretch: Double, _ channels: Int, _ store: (Int, Float) -> Void
    ) {
        let reach = Int((Double(Self.zeroCrossings) * stretch).rounded(.up))
        var total = 0.0
        var (left, right) = (0.0, 0.0)
        for tap in (1 - reach)...reach {
            let weight = Self.weight(abs(Double(tap) - fraction) / stretch)
            total += weight
            let place = (middle + tap) * channels
            left += weight * Double(source[place])
            if channels > 1 { right += weight * Double(source[place + 1]) }
        }
        store(0, Float(left / total))
        if channels > 1 { store(1, Float(right / total)) }
    }

    private static func weight(_ distance: Double) -> Double {
        let place = distance * Double(steps)
        let index = Int(place)
        guard index < zeroCrossings * steps else { return 0 }
        return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
    }

    private static let table: [Double] = (0...zeroCrossings * steps + 1).map { index in
        let distance = Double(index) / Double(steps)
        let edge = 1 - (distance / Double(zeroCrossings)) * (distance / Double(zeroCrossings))
        guard edge > 0 else { return 0 }
        let window = besselI0(9.5 * edge.squareRoot()) / besselI0(9.5)
        let angle = Double.pi * distance
        return (index == 0 ? 1 : Trigonometry.sine(angle) / angle) * window
    }

    /// The modified Bessel function of order 0, by its series.
    private static func besselI0(_ x: Double) -> Double {
        var (sum, term, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / (2 * order)) * (x / (2 * order))
            sum += term
            order += 1
        }
        return sum
    }
}
