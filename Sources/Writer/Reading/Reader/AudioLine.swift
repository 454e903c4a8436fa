internal import LibAV
internal import Media

/// A track's audio at its own rate by movie time, in the wanted channels: the edit list applied.
final class AudioLine {
    /// One span of the edit list in frames.
    private struct Span {
        let start: Int64
        let end: Int64?
        /// The track's frame at `start`; `nil` is silence.
        let media: Int64?
    }

    // immutable
    let stream: AudioStream
    let channels: Int
    var rate: Int { stream.rate }
    private let spans: [Span]
    private let mixer: ChannelMixer

    init(
        _ stream: AudioStream, _ line: EditLine, channels: Int, path: String
    ) throws(MediaError) {
        self.stream = stream
        self.channels = channels
        let rate = Int32(stream.rate)
        func frames(_ ticks: Int64) -> Int64 {
            line.time(ticks).ticks(per: rate, rounding: .nearest)
        }
        spans = line.spans.map { span in
            Span(
                start: frames(span.start), end: span.end.map(frames),
                media: span.isHeld ? nil : span.media.map(frames))
        }
        do throws(MediaError) {
            mixer = try ChannelMixer(rate: stream.rate, from: stream.channels, to: channels)
        } catch {
            throw error.of(path)
        }
    }

    /// Fills the target (interleaved, whole frames) from a movie frame on.
    func read(
        at frame: Int64, into target: UnsafeMutableBufferPointer<Float>
    ) throws(MediaError) {
        target.update(repeating: 0)
        let end = frame + Int64(target.count / channels)
        for span in spans {
            let from = max(frame, span.start)
            let to = min(end, span.end ?? end)
            guard let media = span.media, from < to else { continue }
            let first = media + (from - span.start)
            let part = Int(from - frame) * channels..<Int(to - frame) * channels
            let goal = UnsafeMutableBufferPointer(rebasing: target[part])
            if mixer.isIdentity {
                try stream.read(at: first, into: goal)
            } else {
                let native = try stream.read(at: first, count: Int(to - from))
                try mixer.mix(native, into: goal, path: stream.path)
            }
        }
    }
}
