public import Compose
public import Media
public import Reading

/// What a player plays: a film, or a range of it. What is shown and heard is what its export would encode, in 8 bits
/// and in the size asked for.
public struct PlayerItem: Sendable {
    // immutable
    public let film: Film
    /// Of the timeline: what is played.
    public let range: MediaTimeRange
    /// In order of time, of those in the range.
    public let chapters: [Chapter]
    /// Where clips begin, in order of time, each once, inside the range (its start is not among them).
    public let cuts: [MediaTime]
    let times: FilmTimes

    /// - Parameters:
    ///   - film: sources that it does not bring are read here, on the calling thread.
    ///   - range: of the timeline (nil: all of it).
    /// - Throws: `invalid-setting` for an empty film and a range outside of it, `invalid-edit` for instructions that
    ///   leave something out; what is wrong with a source.
    public init(_ film: Film, range: MediaTimeRange? = nil) throws(MediaError) {
        let film = try film.readyToPlay()
        let whole = MediaTimeRange(start: .zero, duration: film.composition.duration)
        guard let part = range.map({ whole.intersection($0.onTimeline) }) ?? whole, !part.isEmpty
        else {
            throw MediaError(
                code: .invalidSetting, subject: "range",
                message: "There is nothing of the film in that range; it lasts "
                    + "\(whole.duration.approximateSeconds) s.")
        }
        self.film = film
        self.range = part
        let hasAudio = !film.composition.tracks(of: .audio).isEmpty
        times = FilmTimes(
            range: part, frameDuration: film.videoComposition?.frameDuration, sampleRate: 48_000,
            hasAudio: hasAudio)
        chapters = film.chapters.filter { part.contains($0.time) }.sorted { $0.time < $1.time }
        let starts = film.composition.tracks(of: .video).flatMap(\.segments)
            .filter { !$0.isEmpty }.map(\.timeRange.start)
        cuts = Set(starts).filter { part.contains($0) && $0 > part.start }.sorted()
    }

    /// A movie, an animation, audio or a still picture as a film of its own: as a timeline shows it that has it as
    /// its only clip.
    /// - Parameters:
    ///   - asset: a movie, an animation, audio or a still picture.
    ///   - range: of the movie (nil: all of it).
    /// - Throws: as `init(_:range:)`; `unsupported` for frames that cannot be read.
    public init(_ asset: Asset, range: MediaTimeRange? = nil) throws(MediaError) {
        let timeline = Timeline(videos: [VideoItem(asset.path)])
        try self.init(TimelineBuilder(timeline, assets: [asset]).film(), range: range)
    }

    /// How long it plays (seconds).
    public var duration: MediaTime { range.duration }
    /// One frame's time (seconds; zero without frames).
    public var frameDuration: MediaTime { times.frameDuration }
    /// Frames that are played (count; 0 without frames).
    public var frameCount: Int64 { times.frameCount }
    /// Whether it has frames, and audio.
    public var hasFrames: Bool { times.frameCount > 0 }
    public var hasAudio: Bool { times.audioFrameCount > 0 }
    /// Of its frames (pixels); nil without.
    public var size: PixelSize? { film.videoComposition?.scaledSize }

    /// When a frame begins on the timeline (seconds).
    /// - Parameter number: from 0; the frames after the last one are as long.
    public func time(ofFrame number: Int64) -> MediaTime { times.time(ofFrame: number) }

    /// The frame on show at an instant of the timeline; before the range its first, behind it its last.
    public func frame(at time: MediaTime) -> Int64 { times.frame(at: time) }
}

extension MediaTimeRange {
    /// On the timeline's grid.
    fileprivate var onTimeline: MediaTimeRange {
        let scale = Composition.timescale
        return MediaTimeRange(
            start: start.scaled(to: scale, rounding: .nearest),
            duration: duration.scaled(to: scale, rounding: .nearest))
    }
}
