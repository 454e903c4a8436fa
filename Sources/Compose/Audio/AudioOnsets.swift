internal import Media

/// Where audio begins or becomes much louder at once: a beat, a consonant, a click. Ears place things by these, so that
/// time stretching keeps each at its exact time.
///
/// The energy of 2.5 ms is compared with the loudest 2.5 ms of the 25 ms before, which neither tones nor noise change
/// so: of all of it, and of its second differences, in which a hi-hat is not drowned by a bass. What is found depends on the source alone, not on what was asked for before.
struct AudioOnsets {
    /// Energy (mean square) below which nothing begins; −75 dB.
    private static let quietest: Float = 3e-8
    /// By how much more energy something begins (factor; 8 dB).
    private static let rise: Float = 6
    /// How far the energies reach back that are compared, and within how much after one onset none follows (steps).
    private static let (reach, spacing): (Int64, Int64) = (10, 8)
    /// Energies that are kept (count).
    private static let most = 4096

    /// 2.5 ms (frames).
    private let step: Int64
    private let channels: Int
    /// Of steps from the span's first source frame on: of the audio, and of its second differences.
    private var energies: [Int64: SIMD2<Float>] = [:]

    init(channels: Int, sampleRate: Int) {
        step = Int64(max(sampleRate / 400, 4))
        self.channels = channels
    }

    /// Onsets in a range, in order: the middles of the steps in which they lie.
    /// - Parameters:
    ///   - range: frames from the span's first source frame on.
    ///   - read: interleaved frames of such a range.
    mutating func places(
        in range: Range<Int64>, _ read: (Range<Int64>) throws(MediaError) -> ArraySlice<Float>
    ) throws(MediaError) -> [Int64] {
        let first = max(0, range.lowerBound / step)
        let last = range.upperBound / step
        guard first <= last else { return [] }
        try measure(max(0, first - Self.spacing - Self.reach)...last, read)
        var places: [Int64] = []
        for index in first...last where rises(at: index) {
            let before = max(0, index - Self.spacing)..<index
            if !before.contains(where: { rises(at: $0) }) { places.append(index * step + step / 2) }
        }
        return places.filter(range.contains)
    }

    private func rises(at index: Int64) -> Bool {
        let energy = energies[index] ?? .zero
        let before = (max(0, index - Self.reach)..<index).reduce(SIMD2<Float>.zero) {
            pointwiseMax($0, energies[$1] ?? .zero)
        }
        return any(energy .> Self.rise * before .& energy .> Self.quietest)
    }

    private mutating func measure(
        _ steps: ClosedRange<Int64>,
        _ read: (Range<Int64>) throws(MediaError) -> ArraySlice<Float>
    ) throws(MediaError) {
        guard let missing = steps.first(where: { energies[$0] == nil }) else { return }
        if energies.count > Self.most {
            energies = energies.filter { $0.key >= steps.lowerBound && $0.key < missing }
        }
        // with two frames before, for the differences
        let frames = try read(missing * step - 2..<(steps.upperBound + 1) * step)
        let length = Int(step) * channels
        for index in missing...steps.upperBound {
            let start = frames.startIndex + Int(index - missing) * length + 2 * channels
            var sum = SIMD2<Float>.zero
            for place in start..<start + length {
                let change =
                    frames[place] - 2 * frames[place - channels] + frames[place - 2 * channels]
                sum += SIMD2(frames[place] * frames[place], change * change)
            }
            energies[index] = sum / Float(length)
        }
    }
}
