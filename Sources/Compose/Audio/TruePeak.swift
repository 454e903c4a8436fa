/// The height of the wave between samples: 4 times oversampled, as ITU-R BS.1770 annex 2 asks.
enum TruePeak {
    /// Frames on either side of a frame that its peak depends on.
    static let reach = 12

    /// The highest amplitude at each frame and up to three quarters of a frame before and behind it,
    /// over all channels.
    static func peaks(_ frames: [Float], channels: Int) -> [Float] {
        let count = frames.count / channels
        var peaks = [Float](repeating: 0, count: count)
        for channel in 0..<channels {
            for frame in 0..<count {
                let sample = abs(frames[frame * channels + channel])
                peaks[frame] = max(peaks[frame], sample)
                guard frame >= reach - 1, frame + reach < count else { continue }
                let between = highest(frames, channels, channel, frame)
                peaks[frame] = max(peaks[frame], between)
                peaks[frame + 1] = max(peaks[frame + 1], between)
            }
        }
        return peaks
    }

    /// The highest of the three points between a frame and the next.
    private static func highest(
        _ frames: [Float], _ channels: Int, _ channel: Int, _ frame: Int
    ) -> Float {
        var highest: Float = 0
        for phase in phases {
            var sum: Float = 0
            for tap in 0..<2 * reach {
                sum += phase[tap] * frames[(frame + 1 - reach + tap) * channels + channel]
            }
            highest = max(highest, abs(sum))
        }
        return highest
    }

    /// Hann-windowed sinc for ¼, ½ and ¾ of a frame, each with a sum of 1.
    private static let phases: [[Float]] = [0.25, 0.5, 0.75].map { fraction in
        let weights = (0..<2 * reach).map { tap -> Double in
            let distance = Double(tap + 1 - reach) - fraction
            let angle = Double.pi * distance
            let window = 0.5 + 0.5 * Trigonometry.cosine(angle / Double(reach))
            return Trigonometry.sine(angle) / angle * window
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }
}
