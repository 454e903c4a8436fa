internal import Media

/// A gain for every frame: the product of a constant and of lists of volume ramps. The gain of a frame
/// is a function of its number alone.
struct GainCurve: Sendable {
    private let volume: Double
    private let lists: [FrameRamps<VolumeRamp>]

    init(volume: Double, ramps: [[VolumeRamp]], sampleRate: Int) {
        self.volume = volume
        lists = ramps.filter { !$0.isEmpty }.map { FrameRamps($0, sampleRate: sampleRate) }
    }

    /// Gains of the frames of a range.
    func gains(_ range: Range<Int64>) -> [Float] {
        var gains = [Double](repeating: volume, count: range.count)
        for list in lists {
            list.forEach(in: range) { index, factor in gains[index] *= factor }
        }
        return gains.map { Float($0) }
    }
}
