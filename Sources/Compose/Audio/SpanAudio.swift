internal import Media

/// The audio of one span at its speed, before fades. Any frame may be asked for and has the same value
/// in whatever order it is asked for. Thread-bound.
protocol SpanAudio: AnyObject {
    /// Adds nothing, fills `count` interleaved frames from the span's frame `frame` on.
    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float]
}

/// A span at its own speed: the source's samples themselves.
final class PlainAudio: SpanAudio {
    private let window: SourceWindow
    private let origin: Int64

    init(_ window: SourceWindow, origin: Int64) {
        self.window = window
        self.origin = origin
    }

    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float] {
        Array(try window.frames(origin + frame..<origin + frame + Int64(count)))
    }
}
