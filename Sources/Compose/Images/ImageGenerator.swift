public import Media
public import Reading

/// Single images of an asset, a composition or a film: thumbnails, frames under a scrubber, posters.
///
/// Images are `settings.pixelFormat` in sRGB, whatever the source is coded in. Of an asset times are movie
/// time, of a composition or a film the timeline's; the actual time of an image is when its picture begins
/// to be shown.
///
/// Thread-safe, for tasks: images are made on threads of the generator's own, one for `image(at:)` and one
/// for each run through a sequence. Each of them has one decoder (a film one for each track in view), which
/// continues from where it is and seeks only where that is cheaper; memory does not depend on how many images
/// are asked for. Files are closed when the generator and its sequences are gone.
public final class ImageGenerator: Sendable {
    // immutable
    public let settings: ImageGeneratorSettings
    /// What there is to be shown (movie or timeline time).
    public let timeRange: MediaTimeRange
    private let open: @Sendable () throws(MediaError) -> any ImageSource
    // guarded by themselves
    private let requests = ImageRequests()
    /// Of `image(at:)`, from its first call on.
    private let worker = Lock<ImageWorker?>(nil)

    /// Images of a track of an asset: a movie, an animation or a still picture, which shows at any time.
    /// - Parameters:
    ///   - asset: where they are from.
    ///   - track: of the asset; nil: its first track with pictures that can be read, one that is enabled if there
    ///     is any.
    ///   - settings: how large they are, and how near to the times asked for.
    /// - Throws: `invalid-setting`; `unsupported` where there is no picture that can be read.
    public init(
        asset: Asset, track: AssetTrack? = nil,
        settings: ImageGeneratorSettings = ImageGeneratorSettings()
    ) throws(MediaError) {
        try settings.validate()
        let readable = asset.tracks(of: .video).filter { $0.format?.video != nil }
        let wanted = track.map { track in readable.filter { $0.id == track.id } } ?? readable
        guard let shown = wanted.first(where: \.isEnabled) ?? wanted.first else {
            let reason = asset.tracks(of: .video).first { $0.format == nil }?.reasonUnread
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot make images of \(asset.path): "
                    + (reason ?? "it has no such video track") + ".")
        }
        self.settings = settings
        timeRange = MediaTimeRange(start: .zero, duration: shown.isStill ? .zero : shown.duration)
        open = { () throws(MediaError) in AssetImages(asset, shown, settings) }
    }

    /// Images of a composition.
    /// - Parameters:
    ///   - composition: of which frames are made.
    ///   - videoComposition: how its tracks become one picture; nil: as they lie there, first track in front.
    ///   - assets: sources that have been loaded already; others are read when they are needed.
    ///   - settings: how large they are, and how near to the times asked for.
    /// - Throws: `invalid-setting`, also for a composition without pictures.
    public convenience init(
        composition: Composition, videoComposition: VideoComposition? = nil, assets: [Asset] = [],
        settings: ImageGeneratorSettings = ImageGeneratorSettings()
    ) throws(MediaError) {
        try self.init(
            film: Film(
                composition: composition, videoComposition: videoComposition, assets: assets),
            settings: settings)
    }

    /// Images of a film, with its titles.
    /// - Throws: `invalid-setting`, also for a film without pictures; `unsupported` where pictures of a clip
    ///   cannot be read.
    public init(
        film: Film, settings: ImageGeneratorSettings = ImageGeneratorSettings()
    ) throws(MediaError) {
        try settings.validate()
        try film.requireReadableFrames()
        let hasFrames = film.composition.tracks(of: .video).contains { !$0.segments.isEmpty }
        guard film.videoComposition != nil || hasFrames else { throw Film.noFrames }
        self.settings = settings
        timeRange = MediaTimeRange(start: .zero, duration: film.composition.duration)
        open = { () throws(MediaError) in try FilmImages(film, settings) }
    }

    /// The image on show at a time, or one within the tolerances. A cancelled task gets `cancelled` at once.
    /// - Throws: `invalid-setting` for a time at which there is nothing, `cancelled`; what the file answered.
    public func image(
        at time: MediaTime
    ) async throws(MediaError) -> (image: PixelBuffer, actualTime: MediaTime) {
        let worker = worker.withLock { worker in
            let known = worker ?? ImageWorker(open)
            worker = known
            return known
        }
        let made = try await requests.image(at: time, in: requests.round, by: worker).get()
        return (made.image, made.actualTime)
    }

    /// Images at several times, each when it is asked for. They come in order of time, whatever order they are
    /// given in, because that is cheapest; a time that has none is a failure and ends nothing. In a cancelled
    /// task the sequence ends.
    public func images(for times: [MediaTime]) -> Images {
        Images(times: times.sorted(), requests: requests, round: requests.round, open: open)
    }

    /// Images from all over what there is to be shown: the middle of each of equal parts.
    /// - Parameters:
    ///   - count: of images (1…10,000).
    ///   - range: movie or timeline time; nil: everything.
    /// - Throws: `invalid-setting`.
    public func thumbnails(
        count: Int, in range: MediaTimeRange? = nil
    ) throws(MediaError) -> Images {
        guard (1...10_000).contains(count) else {
            throw .setting("count", "\(count) thumbnails are outside 1 to 10,000.")
        }
        return images(for: (range ?? timeRange).middles(count))
    }

    /// Makes no more of what has been asked for: `image(at:)` throws `cancelled`, and sequences have a failure
    /// of that code for each time that is left. Later calls are not affected.
    public func cancelAllImageGeneration() { requests.cancel() }
}

extension MediaTimeRange {
    /// The middle of each of equal parts, on the timeline's grid.
    func middles(_ count: Int) -> [MediaTime] {
        let (from, length) = (start.timelineTicks, duration.timelineTicks)
        return (0..<count).map { index in
            let share = Int128(length) * Int128(2 * index + 1) / Int128(2 * count)
            return .timeline(from + Int64(share))
        }
    }
}
