public import Media

/// A change of volume over a span of the timeline; before it the start volume holds, after it the end
/// volume, each as far as the next ramp.
public struct VolumeRamp: Sendable, Hashable {
    /// How the volume goes from one value to the other.
    public enum Shape: String, Sendable, Hashable, Codable, CaseIterable {
        /// The gain is linear in time: a fade, and a cross-over of equal *gain*.
        case linear
        /// The power goes by a quarter of a sine: two such ramps across one another keep the power of
        /// two sounds that have nothing to do with one another (equal *power*).
        case equalPower = "equal-power"
    }

    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// Gain (factor; 0…16; 1 = as recorded).
    public var startVolume: Double
    public var endVolume: Double
    public var shape: Shape
    /// How progress in time becomes progress of the volume, before its shape (default linear). A volume stays
    /// within 0…16 whatever the curve.
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from startVolume: Double, to endVolume: Double,
        shape: Shape = .linear, curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.startVolume = startVolume
        self.endVolume = endVolume
        self.shape = shape
        self.curve = curve
    }

    /// A volume from an instant on.
    public init(_ volume: Double, from start: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: start, duration: .zero), from: volume, to: volume)
    }

    /// The gain after a part of the ramp.
    /// - Parameter progress: 0 at the ramp's start, 1 at its end; held outside.
    public func volume(progress: Double) -> Double {
        let part = curve.value(at: progress)
        switch shape {
        case .linear:
            return min(16, max(0, startVolume + (endVolume - startVolume) * part))
        case .equalPower:
            let part = min(max(part, 0), 1)
            let rising = (1 - cosine(part)) / 2
            let power =
                startVolume * startVolume * (1 - rising) + endVolume * endVolume * rising
            return power.squareRoot()
        }
    }
}
