/// A camera's frames as a processor changes them: a source for a `Recorder` or a preview, between the camera's output
/// and them. Thread-safe.
///
/// Nothing waits for the processor. It has a thread of its own and one frame at a time; a frame that it does not settle
/// within `timeout` goes out as its `fallback` (black, unless the processor says otherwise), and so does one that it
/// fails on: no frame is lost, none changes its time, and each is counted. A processor that never returns costs the
/// recording its picture and nothing else.
public final class FilteredSource: SampleSource {
    /// What goes wrong with the frames, or goes well again.
    public enum Trouble: Sendable, Hashable {
        /// The processor takes longer than frames come, or does not return.
        case late
        /// It failed; the sentence says why.
        case failed(String)
        /// Frames are processed again.
        case over
    }

    // immutable
    private let source: any SampleSource
    /// What changes the frames.
    public let processor: any FrameProcessor
    private let runner: FilterRunner

    /// - Parameters:
    ///   - source: gives raw frames: a `VideoDataOutput` that wants a raw format, another `FilteredSource`.
    ///   - processor: of this camera alone, where it remembers anything of the frames before.
    ///   - timeout: how long a frame may wait for the processor (100 ms to 2 s; default 300 ms). A recorder
    ///     that stops waits half a second for the last frames.
    /// - Throws: `invalidSetting` for a timeout outside that.
    public init(
        of source: any SampleSource, by processor: any FrameProcessor,
        timeout: MediaTime = .nanoseconds(300_000_000)
    ) throws(MediaError) {
        guard (MediaTime.nanoseconds(100_000_000)...MediaTime.seconds(2)).contains(timeout) else {
            throw MediaError(
                code: .invalidSetting, subject: "timeout",
                message: "A frame waits for its filter for 100 ms to 2 s, not for "
                    + "\(timeout.approximateSeconds) s.")
        }
        self.source = source
        self.processor = processor
        runner = FilterRunner(processor, timeout: timeout.nanoseconds())
    }

    deinit { runner.finish() }

    /// The camera behind it.
    public var origin: SourceOrigin { source.origin }

    /// That of the frames before: a processor changes pixels only.
    public var format: FormatDescription { source.format }

    /// - Throws: `invalidState` while the camera's output has no format yet; `unsupported` for samples that are no raw
    ///   frames, for depth, and where the processor does not take them.
    public func requireFormat() throws(MediaError) {
        try source.requireFormat()
        guard let video = source.format.video, video.pixelFormat != nil, video.depth == nil else {
            throw MediaError(
                code: .unsupported, subject: origin.name,
                message: "The filter \(processor.name) changes raw frames: want a raw format of "
                    + "the output of \(origin.name).")
        }
        try processor.check(video)
    }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        guard let handler else {
            source.setHandler(nil)
            runner.setHandler(nil)
            return
        }
        runner.setHandler(handler)
        source.setHandler { [runner] in runner.take($0) }
    }

    /// Sets who learns when frames begin to be replaced by the fallback, and when they are processed again.
    /// - Parameter handler: called on the thread that delivers frames; `nil` removes it.
    public func setTroubleHandler(_ handler: (@Sendable (Trouble) -> Void)?) {
        runner.setTroubleHandler(handler)
    }

    /// What became of the frames since the source was made, filter after filter: first those of the source behind it.
    public var filterCounts: [FilterCounts] {
        ((source as? FilteredSource)?.filterCounts ?? []) + [runner.counts]
    }
}
