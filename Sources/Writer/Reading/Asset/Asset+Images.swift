internal import Image
public import Media
internal import Movie

extension Asset {
    /// A picture file or an animation; nil for anything else.
    init?(images path: String, _ delays: DelayRule) throws(MediaError) {
        let kind: ImageFile.Kind?
        // what cannot be opened is reported by the reader of movies
        do throws(MediaError) { kind = try ImageFile.kind(of: path) } catch { kind = nil }
        guard kind != nil else { return nil }
        let file = try ImageFile(path: path, delays: delays)
        self.init(
            path: path, container: file.kind.rawValue, state: .ordinary, duration: file.duration,
            tracks: [AssetTrack(file)], pauses: [], markers: [], metadata: MovieMetadata(),
            damagedBytes: 0)
        image = file
    }

    /// When each frame of a picture file or an animation is shown (movie time): in order, without holes; a
    /// still picture has one of no length. Nil for movies.
    public var frameTimes: [MediaTimeRange]? {
        image.map { file in
            file.pictures.map {
                MediaTimeRange(
                    start: MediaTime(value: $0.start, timescale: file.timescale),
                    duration: MediaTime(value: $0.duration, timescale: file.timescale))
            }
        }
    }
}

extension Asset {
    /// Whether a picture file ends otherwise than files of its kind do, so that frames may be missing.
    package var endsEarly: Bool { image?.endsEarly ?? false }

    /// Whether a picture file holds more frames than the one that is shown.
    package var hasMorePages: Bool { image?.hasMorePages ?? false }

    /// When a frame was taken, by its Exif data: since 1970-01-01T00:00:00 of the camera's place, of
    /// universal time where it says how far that is (seconds). Nil for what does not say, and for movies.
    public var captureTime: MediaTime? { image?.captureTime?.instant }
}

extension AssetTrack {
    /// The frames of a picture file or an animation.
    init(_ file: ImageFile) {
        let codec = file.kind.codec
        let steps = file.pictures.dropLast().map(\.duration)
        let total = steps.reduce(0, +)
        func time(_ ticks: Int64) -> MediaTime {
            MediaTime(value: ticks, timescale: file.timescale)
        }
        self.init(
            id: 1, mediaType: .video,
            format: .video(
                VideoFormat(
                    coding: .coded(codec), width: file.width, height: file.height,
                    color: file.color, orientation: file.orientation)),
            codecTag: codec.rawValue, timescale: file.timescale, duration: file.duration,
            sampleCount: file.pictures.count, syncSampleCount: file.pictures.count,
            bytes: file.byteCount, edits: [],
            averageRate: total > 0
                ? Double(steps.count) * Double(file.timescale) / Double(total) : nil,
            frameDurations: steps.min().flatMap { least in
                steps.max().map { time(least)...time($0) }
            }, language: nil, name: nil, isEnabled: true)
        isStill = file.isStill
        isAnimation = !file.isStill
        loops = file.loops
        hasAlpha = file.hasAlpha
    }
}

extension ImageFile.Kind {
    var codec: VideoCodec {
        switch self {
        case .gif: .gif
        case .webp: .webp
        case .png: .png
        case .apng: .apng
        case .jpeg: .mjpeg
        case .tiff: .tiff
        case .avif: .av1
        case .heic: .hevc
        }
    }
}
