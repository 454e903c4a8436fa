internal import Media

/// A span behind a gate, which opens for what is loud in the span itself.
final class GatedAudio: SpanAudio {
    private let audio: any SpanAudio
    private let count: Int64
    private let curve: GateCurve
    private let channels: Int
    private var tape: FrameTape
    /// Mean squares of windows, from one of them on.
    private var levels: [Double] = []
    private var firstLevel = 0

    /// - Parameter count: of the span (frames).
    init(
        _ audio: any SpanAudio, count: Int64, channels: Int, sampleRate: Int, gate: NoiseGate
    ) {
        (self.audio, self.count, self.channels) = (audio, count, channels)
        curve = GateCurve(gate, sampleRate: sampleRate)
        tape = FrameTape(channels: channels)
    }

    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float] {
        let range = frame..<frame + Int64(count)
        let windows = curve.windows(for: range)
        try listen(to: windows, keeping: frame)
        let gains = curve.gains(
            range, levels[windows.lowerBound - firstLevel..<windows.upperBound - firstLevel],
            from: windows.lowerBound)
        var frames = Array(try input(range, keeping: frame))
        for index in frames.indices { frames[index] *= gains[index / channels] }
        return frames
    }

    /// Makes the levels of windows, a second at a time.
    private func listen(to windows: Range<Int>, keeping frame: Int64) throws(MediaError) {
        let known = firstLevel..<firstLevel + levels.count
        if windows.lowerBound < known.lowerBound || windows.lowerBound > known.upperBound {
            levels = []
            firstLevel = windows.lowerBound
        } else {
            levels.removeFirst(windows.lowerBound - firstLevel)
            firstLevel = windows.lowerBound
        }
        while firstLevel + levels.count < windows.upperBound {
            let next = firstLevel + levels.count
            let end = min(next + 100, windows.upperBound)
            let frames = Int64(next * curve.window)..<Int64(end * curve.window)
            levels += meanSquares(try input(frames, keeping: frame))
        }
    }

    /// Of the louder channel in each window.
    private func meanSquares(_ frames: ArraySlice<Float>) -> [Double] {
        let size = curve.window * channels
        return stride(from: frames.startIndex, to: frames.endIndex, by: size).map { start in
            (0..<channels).reduce(0.0) { loudest, channel in
                var sum = 0.0
                for index in stride(from: start + channel, to: start + size, by: channels) {
                    sum += Double(frames[index]) * Double(frames[index])
                }
                return max(loudest, sum / Double(curve.window))
            }
        }
    }

    /// Silence behind the span's end.
    private func input(
        _ range: Range<Int64>, keeping first: Int64
    ) throws(MediaError) -> ArraySlice<Float> {
        try tape.frames(range, keeping: first) { missing throws(MediaError) in
            let inside = missing.clamped(to: 0..<count)
            let frames =
                inside.isEmpty ? [] : try audio.read(from: inside.lowerBound, count: inside.count)
            return frames
                + [Float](repeating: 0, count: (missing.count - inside.count) * channels)
        }
    }
}
