internal import Media

/// A ramp of which the mixer asks a value for every frame.
protocol FrameRamp: Sendable {
    var timeRange: MediaTimeRange { get }
    var startValue: Double { get }
    var endValue: Double { get }
    /// - Parameter progress: 0 at the ramp's start, 1 at its end.
    func value(progress: Double) -> Double
}

extension VolumeRamp: FrameRamp {
    var startValue: Double { startVolume }
    var endValue: Double { endVolume }
    func value(progress: Double) -> Double { volume(progress: progress) }
}

extension PanRamp: FrameRamp {
    var startValue: Double { startPan }
    var endValue: Double { endPan }
    func value(progress: Double) -> Double { pan(progress: progress) }
}

/// Ramps in order of time, laid over the film's frames. The value at a frame is a function of its number alone.
struct FrameRamps<Shape: FrameRamp>: Sendable {
    private struct Ramp: Sendable {
        /// Where the ramp begins and ends (film frames, fractions kept).
        let start: Double
        let end: Double
        let shape: Shape
    }

    private let ramps: [Ramp]

    /// - Parameter shapes: at least one.
    init(_ shapes: [Shape], sampleRate: Int) {
        ramps = shapes.map { shape in
            Ramp(
                start: shape.timeRange.start.frames(sampleRate),
                end: shape.timeRange.end.frames(sampleRate), shape: shape)
        }
    }

    /// Gives the value at each frame of a range, by its place in the range.
    func forEach(in range: Range<Int64>, _ body: (Int, Double) -> Void) {
        var next = ramps.partitioningIndex { $0.start > Double(range.lowerBound) }
        var frame = range.lowerBound
        while frame < range.upperBound {
            while next < ramps.count, ramps[next].start <= Double(frame) { next += 1 }
            let change = next < ramps.count ? ramps[next].start.rounded(.up) : .infinity
            let end = Double(range.upperBound) <= change ? range.upperBound : Int64(change)
            let ramp = next > 0 ? ramps[next - 1] : nil
            for index in frame..<end {
                let value =
                    ramp.map { Self.value($0, Double(index)) } ?? ramps[0].shape.startValue
                body(Int(index - range.lowerBound), value)
            }
            frame = end
        }
    }

    private static func value(_ ramp: Ramp, _ frame: Double) -> Double {
        if frame >= ramp.end { return ramp.shape.endValue }
        return ramp.shape.value(progress: (frame - ramp.start) / (ramp.end - ramp.start))
    }
}

extension MediaTime {
    /// The time in frames of a sample rate; whole numbers are exact.
    func frames(_ sampleRate: Int) -> Double {
        let (whole, rest) = (Int128(value) * Int128(sampleRate)).quotientAndRemainder(
            dividingBy: Int128(timescale))
        return Double(whole) + Double(rest) / Double(timescale)
    }
}
