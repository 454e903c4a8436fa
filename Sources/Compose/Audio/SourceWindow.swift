internal import Media

/// The part of a source that is in use, in the film's channels; what was read is kept while requests
/// overlap, so that the source itself is read forward only.
final class SourceWindow {
    private let source: any AudioSource
    private let matrix: ChannelMatrix
    /// The only frames that may be heard (source frames).
    private let limits: Range<Int64>
    /// Frames kept before a request, for one that begins a little earlier (frames).
    private let history: Int64
    private var tape: FrameTape

    var channels: Int { matrix.outputs }

    init(_ source: any AudioSource, channels: Int, limits: Range<Int64>, history: Int = 0) {
        self.history = Int64(history)
        self.source = source
        self.matrix = ChannelMatrix(from: source.channels, to: channels)
        self.limits = limits
        tape = FrameTape(channels: channels)
    }

    /// Interleaved frames; those outside the limits are silent.
    func frames(_ range: Range<Int64>) throws(MediaError) -> ArraySlice<Float> {
        try tape.frames(range, keeping: range.lowerBound - history) {
            missing throws(MediaError) in
            try read(missing)
        }
    }

    private func read(_ range: Range<Int64>) throws(MediaError) -> [Float] {
        let inside = range.clamped(to: limits)
        guard !inside.isEmpty else { return silence(range.count) }
        let raw = try source.read(at: inside.lowerBound, count: inside.count)
            .floats(inside.count * source.channels)
        let before = Int(inside.lowerBound - range.lowerBound)
        let after = Int(range.upperBound - inside.upperBound)
        return silence(before) + matrix.apply(raw) + silence(after)
    }

    private func silence(_ frames: Int) -> [Float] {
        [Float](repeating: 0, count: frames * channels)
    }
}
