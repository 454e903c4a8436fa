internal import Media

/// A gain for every frame: the product of a constant and of lists of volume ramps. The gain of a frame
/// is a function of its number alone.
struct GainCurve: Sendable {
    private struct Ramp: Sendable {
        /// Where the ramp begins and ends (film frames, fractions kept).
        let start: Double
        let end: Double
        let shape: VolumeRamp
    }

    private let volume: Double
    private let lists: [[Ramp]]

    init(volume: Double, ramps: [[VolumeRamp]], sampleRate: Int) {
        self.volume = volume
        lists = ramps.filter { !$0.isEmpty }.map { list in
            list.map { ramp in
                Ramp(
                    start: ramp.timeRange.start.frames(sampleRate),
                    end: ramp.timeRange.end.frames(sampleRate), shape: ramp)
            }
        }
    }

    /// Gains of the frames of a range.
    func gains(_ range: Range<Int64>) -> [Float] {
        var gains = [Double](repeating: volume, count: range.count)
        for list in lists { multiply(list, range, &gains) }
        return gains.map { Float($0) }
    }

    /// Multiplies with one list, ramp by ramp.
    private func multiply(_ list: [Ramp], _ range: Range<Int64>, _ gains: inout [Double]) {
        var next = list.partitioningIndex { $0.start > Double(range.lowerBound) }
        var frame = range.lowerBound
        while frame < range.upperBound {
            while next < list.count, list[next].start <= Double(frame) { next += 1 }
            let change = next < list.count ? list[next].start.rounded(.up) : .infinity
            let end = Double(range.upperBound) <= change ? range.upperBound : Int64(change)
            let ramp = next > 0 ? list[next - 1] : nil
            for index in frame..<end {
                let factor =
                    ramp.map { Self.value($0, Double(index)) } ?? list[0].shape.startVolume
                gains[Int(index - range.lowerBound)] *= factor
            }
            frame = end
        }
    }

    private static func value(_ ramp: Ramp, _ frame: Double) -> Double {
        if frame >= ramp.end { return ramp.shape.endVolume }
        return ramp.shape.volume(progress: (frame - ramp.start) / (ramp.end - ramp.start))
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
