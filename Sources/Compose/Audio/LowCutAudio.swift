internal import Media

/// A span without its low frequencies.
///
/// A filter has a memory without end, and frames must not depend on where reading begins. So the span has sections of 2 s,
/// and each begins with a filter that has heard the 0.5 s before it: at 20 Hz, where memory is longest, what came earlier
/// has fallen by 200 dB. Before the span's first frame it hears the span's beginning mirrored about that frame, which
/// leads there without a step or a bend, so that nothing outside of the span is heard and a cut does not thump.
final class LowCutAudio: SpanAudio {
    /// Of a section, and of what a filter hears before it (seconds).
    static let sectionSeconds = 2
    static let warmUpSeconds = 0.5
    /// What is lower is silence (amplitude; −240 dB).
    private static let silence = 1e-12

    private let audio: any SpanAudio
    private let count: Int64
    private let channels: Int
    private let section: Int64
    private let warmUp: Int64
    private let fresh: HighPass
    private var tape: FrameTape
    /// One for each channel.
    private var filters: [HighPass] = []
    /// The frame that the filters expect; nil: none yet.
    private var place: Int64?

    /// - Parameters:
    ///   - count: of the span (frames).
    ///   - frequency: Hz.
    init(
        _ audio: any SpanAudio, count: Int64, channels: Int, sampleRate: Int, frequency: Double
    ) {
        (self.audio, self.count, self.channels) = (audio, count, channels)
        section = Int64(sampleRate * Self.sectionSeconds)
        warmUp = Int64(Double(sampleRate) * Self.warmUpSeconds)
        fresh = HighPass(frequency: frequency, sampleRate: sampleRate)
        tape = FrameTape(channels: channels)
    }

    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count * channels)
        var at = frame
        while at < frame + Int64(count) {
            let begin = at.floored(by: section) * section
            let end = min(begin + section, frame + Int64(count))
            try lead(to: at, from: begin)
            result += try pass(at..<end)
            at = end
        }
        return result
    }

    /// Brings the filters to a frame of the section that begins at another one.
    private func lead(to frame: Int64, from begin: Int64) throws(MediaError) {
        var from = begin
        if let place, place > begin, place <= frame {
            from = place
        } else {
            try warmUp(before: begin)
        }
        if from < frame { _ = try pass(from..<frame) }
    }

    private func warmUp(before frame: Int64) throws(MediaError) {
        filters = Array(repeating: fresh, count: channels)
        let heard: [Float]
        if frame > 0 {
            heard = Array(try input(frame - warmUp..<frame))
        } else {
            heard = mirrored(Array(try input(0..<min(warmUp + 1, count))))
        }
        guard !heard.isEmpty else { return }
        for channel in 0..<channels { filters[channel].settle(Double(heard[channel])) }
        _ = pass(heard[...])
    }

    /// The frames behind the first one, backwards, and as far on the other side of it.
    private func mirrored(_ frames: [Float]) -> [Float] {
        stride(from: frames.count / channels - 1, to: 0, by: -1).flatMap { frame in
            (0..<channels).map { 2 * frames[$0] - frames[frame * channels + $0] }
        }
    }

    private func pass(_ range: Range<Int64>) throws(MediaError) -> [Float] {
        defer { place = range.upperBound }
        return pass(try input(range))
    }

    private func pass(_ frames: ArraySlice<Float>) -> [Float] {
        var result = [Float](repeating: 0, count: frames.count)
        for channel in 0..<channels {
            var filter = filters[channel]
            for index in stride(from: channel, to: frames.count, by: channels) {
                let value = filter.pass(Double(frames[frames.startIndex + index]))
                result[index] = abs(value) < Self.silence ? 0 : Float(value)
            }
            filters[channel] = filter
        }
        return result
    }

    private func input(_ range: Range<Int64>) throws(MediaError) -> ArraySlice<Float> {
        try tape.frames(range, keeping: range.lowerBound - warmUp) {
            missing throws(MediaError) in
            try audio.read(from: missing.lowerBound, count: missing.count)
        }
    }
}
