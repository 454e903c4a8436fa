/// Turns down the neighbourhood of frames that pass a ceiling, and nothing else.
///
/// The gain of a frame is a weighted mean (a triangle of ±20 ms) of the lowest gain that any frame within
/// 20 ms of each neighbour needs. So it is low enough wherever it must be, changes slowly,
/// is 1 from 40 ms after the last peak on, and is a function of the frames around it alone: blocks can be
/// rendered in any order. Both sides get the same gain.
struct PeakLimiter {
    /// What a block needed.
    struct Outcome: Equatable {
        /// Frames of which a sample was above the ceiling.
        var frames = 0
        /// The first of them, from the block's start.
        var firstFrame: Int?
        /// The highest sample before limiting (amplitude).
        var peak: Float = 0
        /// The lowest gain.
        var gain: Float = 1
    }

    let channels: Int
    /// The highest amplitude that may leave (1 = full scale).
    let ceiling: Float
    /// Also limits what lies between the samples (4 times oversampled).
    let isTruePeak: Bool
    private let reach: Int

    init(channels: Int, sampleRate: Int, ceiling: Float = 1, isTruePeak: Bool = false) {
        self.channels = channels
        self.ceiling = ceiling
        self.isTruePeak = isTruePeak
        reach = max(sampleRate / 50, 2) & ~1
    }

    /// Frames on either side of a frame that can change its gain.
    var context: Int { 2 * reach + (isTruePeak ? TruePeak.reach : 0) }

    /// Limits the middle of interleaved frames.
    /// - Parameter frames: the block with `context` frames or more before and behind it.
    func limit(_ frames: [Float], before: Int, count: Int) -> (frames: [Float], Outcome) {
        var outcome = Outcome()
        let middle = Array(frames[before * channels..<(before + count) * channels])
        let needed = gainsNeeded(frames)
        for frame in before..<before + count where needed[frame] < 1 {
            outcome.frames += 1
            outcome.firstFrame = outcome.firstFrame ?? frame - before
        }
        outcome.peak = middle.reduce(0) { max($0, abs($1)) }
        guard needed.contains(where: { $0 < 1 }) else { return (middle, outcome) }
        let lowest = Self.slidingMinimum(needed, reach: reach)
        let smooth = Self.slidingMean(
            Self.slidingMean(lowest, reach: reach / 2), reach: reach / 2)
        var result = middle
        for frame in 0..<count {
            let gain = min(smooth[before + frame], needed[before + frame])
            guard gain < 1 else { continue }
            outcome.gain = min(outcome.gain, gain)
            for sample in frame * channels..<(frame + 1) * channels {
                result[sample] = min(max(result[sample] * gain, -ceiling), ceiling)
            }
        }
        return (result, outcome)
    }

    private func gainsNeeded(_ frames: [Float]) -> [Float] {
        let peaks = isTruePeak ? TruePeak.peaks(frames, channels: channels) : samplePeaks(frames)
        return peaks.map { $0 > ceiling ? ceiling / $0 : 1 }
    }

    private func samplePeaks(_ frames: [Float]) -> [Float] {
        (0..<frames.count / channels).map { frame in
            var peak: Float = 0
            for channel in 0..<channels {
                peak = max(peak, abs(frames[frame * channels + channel]))
            }
            return peak
        }
    }

    /// The least of the values within `reach` of each; beyond the ends there are ones.
    static func slidingMinimum(_ values: [Float], reach: Int) -> [Float] {
        var result = [Float](repeating: 1, count: values.count)
        var candidates: [Int] = []  // of growing values
        var head = 0
        for index in 0..<values.count + reach {
            if index < values.count {
                while candidates.count > head,
                    values[candidates[candidates.count - 1]]
                        >= values[index]
                { candidates.removeLast() }
                candidates.append(index)
            }
            let middle = index - reach
            guard middle >= 0 else { continue }
            while candidates[head] < middle - reach { head += 1 }
            result[middle] = values[candidates[head]]
        }
        return result
    }

    /// The mean of the values within `reach` of each; beyond the ends there are ones.
    static func slidingMean(_ values: [Float], reach: Int) -> [Float] {
        // whole numbers, so that the sum has no history
        let scale = Double(1 << 40)
        let whole = values.map { Int64(Double($0) * scale) }
        let one = Int64(scale)
        let width = 2 * reach + 1
        var sum = Int64(reach) * one
        for index in 0...reach { sum += index < whole.count ? whole[index] : one }
        return whole.indices.map { index in
            let mean = Double(sum) / (Double(width) * scale)
            let (leaving, entering) = (index - reach, index + reach + 1)
            sum -= leaving >= 0 ? whole[leaving] : one
            sum += entering < whole.count ? whole[entering] : one
            return Float(mean)
        }
    }
}
