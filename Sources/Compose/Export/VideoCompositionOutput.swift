public import Media
public import Reading

/// The frames of a film's tracks as one, for an `AssetReader`: layers, transitions and titles as the
/// film's `VideoComposition` says.
///
/// Frame *n* of the film is on show from *n* times the frame duration until the next one, whatever range is
/// read; the first and the last sample of a range are cut to it. The same instant gives the same frame
/// every time. Times are the timeline's. Sources are open only while they are in view.
public final class VideoCompositionOutput: AssetReaderOutput {
    /// What is being read. Thread-bound.
    private final class Rendering: @unchecked Sendable {  // because the output's lock guards it
        let renderer: FilmRenderer
        var place: MediaTime = .zero
        var end: MediaTime = .zero

        init(_ renderer: FilmRenderer) { self.renderer = renderer }
    }

    private struct State: Sendable {
        var rendering: Rendering?
        var warnings: [String] = []
    }

    // immutable
    public let film: Film
    /// Raw frames of the film's size, pixel format, rate and colours; upright, with square pixels.
    public let format: VideoFormat
    public let slot = AssetReaderSlot()
    private let frameDuration: MediaTime
    private let threads: Int?
    // guarded by itself; held while a sample is made
    private let state = Lock(State())

    /// - Parameters:
    ///   - film: of which all frames are made.
    ///   - threads: that compose a frame (count; 1…16); default: as many as there are cores, at most 4.
    /// - Throws: `invalid-setting` for a film without frames or threads out of range.
    public init(film: Film, threads: Int? = nil) throws(MediaError) {
        let film = try film.withPictures()
        guard let frames = film.videoComposition else {
            throw .setting("film", "The film has no video.")
        }
        if let threads, !(1...16).contains(threads) {
            throw .setting("threads", "\(threads) threads are outside 1 to 16.")
        }
        self.film = film
        self.threads = threads
        frameDuration = .timeline(frames.frameDuration.timelineTicks)
        let rate = frames.frameDuration.reduced
        format = frames.format(
            frames.scaledSize, rate: FrameRate(rate.timescale, per: Int32(clamping: rate.value)))
    }

    public var mediaType: MediaType { .video }

    /// The whole film.
    public var timeRange: MediaTimeRange {
        MediaTimeRange(start: .zero, duration: film.composition.duration)
    }

    /// What the titles' author should know, one sentence each; grows while samples are made.
    public var warnings: [String] {
        state.withLock { $0.rendering?.renderer.warnings ?? $0.warnings }
    }

    /// What lies outside the film is left out of the range.
    /// - Throws: `invalid-edit` for a composition that does not fit the film.
    public func begin(_ range: MediaTimeRange) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            let rendering: Rendering
            if let open = state.rendering { rendering = open } else { rendering = try open() }
            rendering.place = max(.zero, .timeline(range.start.timelineTicks))
            rendering.end = min(film.composition.duration, .timeline(range.end.timelineTicks))
            state.rendering = rendering
        }
    }

    public func produce() throws(MediaError) -> SampleBuffer? {
        try state.withLock { state throws(MediaError) in
            guard let rendering = state.rendering, rendering.place < rendering.end else {
                return nil
            }
            let index = rendering.place.timelineTicks / frameDuration.timelineTicks
            let frame = MediaTime.timeline(index * frameDuration.timelineTicks)
            let next = min(frame + frameDuration, rendering.end)
            let picture = try rendering.renderer.picture(at: frame)
            defer { rendering.place = next }
            return SampleBuffer(
                payload: .pixels(picture), format: .video(format),
                presentationTime: rendering.place, duration: next - rendering.place)
        }
    }

    public func end() {
        state.withLock { state in
            state.warnings = state.rendering?.renderer.warnings ?? state.warnings
            state.rendering = nil
        }
    }

    private func open() throws(MediaError) -> Rendering {
        try film.requireReadableFrames()
        try film.videoComposition?.validate(for: film.composition)
        return Rendering(
            try FilmRenderer(
                film, format: format, threads: threads, shelf: SourceShelf(film.assets)))
    }
}
