internal import LibAV
internal import Media

/// Looks for spans of the shorter of two profiles everywhere in the longer one.
///
/// A span is short enough that clocks do not part within it, and long enough to be found nowhere else. Each is
/// compared by cross-correlation of all bands, the longer profile in blocks, so that memory does not depend on
/// its length.
struct ProfileSearch {
    /// A place where a span fits.
    struct Fit {
        var point: ClockLine.Point
        /// Above what chance would do (standard deviations).
        var height: Double
    }

    /// Values of a block (count).
    private static let longestBlock = 1 << 17
    /// Spans that are looked for at most (count).
    private static let mostSpans = 160
    /// Values of a span (count): 5 s to 30 s.
    private static let spanLengths = 500...3000
    /// Places kept of a span (count).
    fileprivate static let mostFits = 8
    /// Values that two places are apart (count): 60 ms.
    fileprivate static let separation = 6
    fileprivate static let leastHeight: Float = 3.5
    /// What the highest of a few thousand places is by chance alone.
    private static let chance = 3.0

    private let short: SoundProfile
    private let long: SoundProfile
    /// Whether the recording is the longer one, and the reference the shorter.
    private let isSwapped: Bool
    private let length: Int
    private let transform: FourierTransform
    /// Sums of squares of the longer profile up to a place.
    private let energies: [Double]

    init(_ recording: SoundProfile, in reference: SoundProfile) throws(MediaError) {
        isSwapped = recording.count > reference.count
        (short, long) = isSwapped ? (reference, recording) : (recording, reference)
        let wanted = min(
            Self.spanLengths.upperBound, max(Self.spanLengths.lowerBound, short.count / 4))
        length = min(short.count, wanted)
        var size = 16
        while size < min(long.count + 2 * length, Self.longestBlock) { size *= 2 }
        transform = try FourierTransform(size: size)
        var sums = [0.0]
        var sum = 0.0
        for place in 0..<long.count {
            for band in long.bands { sum += Double(band[place] * band[place]) }
            sums.append(sum)
        }
        energies = sums
    }

    /// Every place where a span of one fits the other.
    /// - Parameter progress: hears how much is done (0…1).
    func fits(_ progress: (Double) throws(MediaError) -> Void) throws(MediaError) -> [Fit] {
        let step = max(length / 2, (short.count - length) / Self.mostSpans + 1)
        let starts = Array(stride(from: 0, through: short.count - length, by: step))
        var places = starts.map { _ in Places() }
        let spans = starts.map { spectra(of: short, $0..<$0 + length) }
        // a span may reach out of the longer profile by half; blocks share two places, so that each has neighbours
        let blocks = Array(
            stride(
                from: -length / 2, to: long.count - length / 2,
                by: transform.size - length - 1))
        for (number, block) in blocks.enumerated() {
            let whole = spectra(of: long, block..<block + transform.size)
            for (index, span) in spans.enumerated() {
                try progress(
                    (Double(number) + Double(index) / Double(spans.count)) / Double(blocks.count))
                places[index].add(correlation(span, whole, at: block), from: block)
            }
        }
        return zip(starts, places).flatMap { start, places in
            places.highest.map { fit(start, $0.place, $0.height) }
        }
    }

    private func spectra(of profile: SoundProfile, _ span: Range<Int>) -> [Spectrum] {
        let known = span.clamped(to: 0..<profile.count)
        return profile.bands.map { band in
            let silence = [Float](repeating: 0, count: known.lowerBound - span.lowerBound)
            return transform.spectrum(of: silence + band[known])
        }
    }

    /// How well a span fits at each place of a block, by the energy that is there.
    private func correlation(_ span: [Spectrum], _ block: [Spectrum], at place: Int) -> [Float] {
        var sum = Spectrum.empty(size: transform.size)
        for (one, other) in zip(block, span) { sum.addCorrelation(of: one, with: other) }
        let products = transform.samples(of: sum)
        let count = min(transform.size - length + 1, long.count - length / 2 - place + 1)
        let usual = 0.1 * (energies.last ?? 0) / Double(max(1, long.count)) * Double(length) + 1e-9
        return (0..<max(0, count)).map { index in
            let first = min(long.count, max(0, place + index))
            let last = min(long.count, max(0, place + index + length))
            return products[index] / Float((energies[last] - energies[first] + usual).squareRoot())
        }
    }

    private func fit(_ start: Int, _ place: Double, _ height: Float) -> Fit {
        let middle = Double(length) / 2
        let inShort = (Double(start) + middle) / SoundProfile.rate
        let inLong = (place + middle) / SoundProfile.rate
        let above = Double(height) - Self.chance
        let weight = above * above
        return Fit(
            point: isSwapped
                ? .init(time: inLong, reference: inShort, weight: weight)
                : .init(time: inShort, reference: inLong, weight: weight),
            height: Double(height))
    }

    /// The highest places of a span.
    private struct Places {
        private var found: [(place: Double, height: Float)] = []
        private var sum = 0.0
        private var count = 0

        mutating func add(_ heights: [Float], from first: Int) {
            for height in heights { sum += Double(height * height) }
            count += heights.count
            for index in heights.indices.dropFirst().dropLast() {
                let height = heights[index]
                guard height > heights[index - 1], height >= heights[index + 1], height > 0,
                    found.count < ProfileSearch.mostFits || height > (found.last?.height ?? 0)
                else { continue }
                insert(Double(first + index) + peakOffset(heights, index), height)
            }
        }

        private mutating func insert(_ place: Double, _ height: Float) {
            let near = found.firstIndex {
                abs($0.place - place) < Double(ProfileSearch.separation)
            }
            if let near {
                guard found[near].height < height else { return }
                found.remove(at: near)
            }
            let index = found.firstIndex { $0.height < height } ?? found.count
            found.insert((place, height), at: index)
            if found.count > ProfileSearch.mostFits { found.removeLast() }
        }

        /// Those that are no chance, in standard deviations of all places.
        var highest: [(place: Double, height: Float)] {
            let usual = Float((sum / Double(max(1, count))).squareRoot())
            guard usual > 0 else { return [] }
            return found.map { ($0.place, $0.height / usual) }.filter {
                $0.height >= ProfileSearch.leastHeight
            }
        }
    }
}

/// Where between its neighbours a peak really is (−0.5…0.5), by the parabola through the three.
func peakOffset(_ values: [Float], _ place: Int) -> Double {
    guard place > 0, place + 1 < values.count else { return 0 }
    let (left, middle, right) = (
        Double(values[place - 1]), Double(values[place]), Double(values[place + 1])
    )
    let bend = left - 2 * middle + right
    guard bend < 0 else { return 0 }
    return max(-0.5, min(0.5, (left - right) / (2 * bend)))
}
