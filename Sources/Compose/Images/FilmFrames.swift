internal import Media
internal import Reading

/// Frames of a film, wherever one likes, in one size. Thread-bound; blocks on the sources.
final class FilmFrames {
    // immutable
    /// With a video composition.
    let film: Film
    /// Of the frames: the film's pixel format and colours.
    let format: VideoFormat
    private let frameDuration: MediaTime
    private let renderer: FilmRenderer

    /// - Parameter size: of the frames (pixels; even), made of the film's own.
    /// - Throws: `invalid-setting` for a film without pictures, `invalid-edit` for one that its instructions do
    ///   not cover; what is wrong with a source.
    init(_ film: Film, size: (PixelSize) -> PixelSize = { $0 }) throws(MediaError) {
        try film.requireReadableFrames()
        let film = try film.withPictures()
        guard let frames = film.videoComposition else { throw Film.noFrames }
        try frames.validate(for: film.composition)
        self.film = film
        frameDuration = frames.frameDuration
        format = frames.format(size(frames.scaledSize))
        renderer = try FilmRenderer(
            film, format: format, threads: nil, shelf: SourceShelf(film.assets))
    }

    /// All of the film.
    var timeRange: MediaTimeRange {
        MediaTimeRange(start: .zero, duration: film.composition.duration)
    }

    /// - Throws: `invalid-setting` outside the film.
    func require(_ time: MediaTime) throws(MediaError) {
        guard time >= .zero, time < film.composition.duration else {
            throw .setting(
                "time",
                "The film has no frame at \(time.spoken); it lasts "
                    + "\(film.composition.duration.spoken).")
        }
    }

    /// The frame on show at an instant of the timeline, and when it begins.
    /// - Throws: `invalid-setting` outside the film; what is wrong with a source.
    func frame(at time: MediaTime) throws(MediaError) -> (picture: PixelBuffer, time: MediaTime) {
        try require(time)
        let frame = frameDuration.timelineTicks
        let start = MediaTime.timeline(time.timelineTicks / frame * frame)
        return (try renderer.picture(at: start), start)
    }
}

extension Film {
    static let noFrames = MediaError.setting("film", "The film has no video.")
}

/// Images of a film. Thread-bound.
final class FilmImages: ImageSource {
    private let frames: FilmFrames
    private let settings: ImageGeneratorSettings
    private let fitter: ImageFitter

    init(_ film: Film, _ settings: ImageGeneratorSettings) throws(MediaError) {
        self.settings = settings
        fitter = ImageFitter(settings)
        frames = try FilmFrames(film) { size in
            let fitted = size.fitted(in: settings.maximumSize)
            return PixelSize(width: max(2, fitted.width & ~1), height: max(2, fitted.height & ~1))
        }
    }

    func image(at time: MediaTime) throws(MediaError) -> GeneratedImage {
        var time = time
        let end = frames.film.composition.duration
        if time < .zero || time >= end {
            let nearest = MediaTime.timeline(time < .zero ? 0 : max(0, end.timelineTicks - 1))
            if settings.allows(nearest, for: time) { time = nearest }
        }
        let frame = try frames.frame(at: time)
        return GeneratedImage(
            image: try fitter.image(frame.picture, frames.format), actualTime: frame.time)
    }
}
