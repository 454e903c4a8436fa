internal import Media

/// Where a track lies between left and right at every frame: a constant and ramps.
struct PanCurve: Sendable {
    /// Gains of the left and the right side.
    typealias Sides = (left: Float, right: Float)

    private let pan: Double
    private let ramps: FrameRamps<PanRamp>?

    init(pan: Double, ramps: [PanRamp], sampleRate: Int) {
        self.pan = pan
        self.ramps = ramps.isEmpty ? nil : FrameRamps(ramps, sampleRate: sampleRate)
    }

    /// Of every frame; nil: it moves.
    var constant: Sides? { ramps == nil ? Self.sides(pan) : nil }

    /// Of each frame of a range.
    func sides(_ range: Range<Int64>) -> [Sides] {
        var sides = [Sides](repeating: Self.sides(pan), count: range.count)
        ramps?.forEach(in: range) { index, value in
            sides[index] = Self.sides(min(1, max(-1, pan + value)))
        }
        return sides
    }

    /// The side that it is panned to stays as it is, the far side falls by a quarter of a cosine; 0 dB at the centre,
    /// so that a track nobody panned is untouched.
    private static func sides(_ pan: Double) -> Sides {
        guard pan != 0 else { return (1, 1) }
        let far = Float(Trigonometry.cosine(abs(pan) * .pi / 2))
        return (pan > 0 ? far : 1, pan < 0 ? far : 1)
    }
}
