import FoundationEssentials
import TestSupport

/// An undamaged file of a kind, and what must lie beside it.
struct FuzzSeed {
    let kind: FuzzKind
    let bytes: [UInt8]
    /// By name.
    let companions: [String: [UInt8]]

    private struct Unmade: Error { let what: String }

    private static let magick = "convert-im6.q16"

    init(_ kind: FuzzKind) throws {
        self.kind = kind
        let folder = try TemporaryFolder()
        var companions: [String: [UInt8]] = [:]
        switch kind {
        case .project, .timeline:
            companions["movie.mp4"] = try Self.small("movie.mp4", folder)
            companions["still.png"] = try Self.small("still.png", folder)
            companions["sound.wav"] = try Self.tool("sound.wav", folder)
            let project = Array(Self.project.utf8)
            bytes =
                kind == .project ? project : try Self.timeline(project, companions, folder)
        case .motionPhoto, .microVideo, .samsung, .motionHEIC:
            bytes = try Self.livePhoto(kind, folder)
        default:
            bytes =
                try Self.small(kind.rawValue, folder)
                ?? Self.tool(kind.rawValue, folder)
        }
        self.companions = companions
    }

    private static func bytes(_ name: String, _ folder: TemporaryFolder) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
    }

    /// What other tests have as well; nil for anything else.
    private static func small(_ name: String, _ folder: TemporaryFolder) throws -> [UInt8]? {
        try SmallFiles.Kind(rawValue: name).map { try SmallFiles().bytes(of: $0) }
    }

    // MARK: By other programs

    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2"]
    private static let sound = ["-f", "lavfi", "-i", "sine=d=0.2"]
    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

    private static func tool(_ name: String, _ folder: TemporaryFolder) throws -> [UInt8] {
        guard let kind = FuzzKind(rawValue: name) else { throw Unmade(what: name) }
        let gradient = ["-size", "32x24", "gradient:red-blue", "-alpha", "off"]
        let coded = ["-c:a", "aac", "-b:a", "32k"]
        switch kind {
        case .lossyWebP:
            try run(magick, gradient + ["PNG24:source.png"], folder)
            try run("cwebp", ["-quiet", "source.png", "-o", name], folder)
        case .palettePNG: try run(magick, gradient + ["-colors", "16", "PNG8:\(name)"], folder)
        case .progressiveJPEG: try run(magick, gradient + ["-interlace", "Plane", name], folder)
        case .packedTIFF: try run(magick, gradient + ["-compress", "lzw", name], folder)
        case .take:
            let words = ["-c", "test:", "-a", "test:", "-s", "64x36", "-r", "25", "-t", "0.4"]
            let made = try Program.vcap.run(
                ["record", "-q", "--keys", "none", "-o", folder.file(name)] + words,
                environment: ["HOME": folder.path], in: folder.path)
            guard made.status == 0 else { throw Unmade(what: made.errorText) }
        case .subtitled:
            let text =
                "1\n00:00:00,000 --> 00:00:00,100\nOne\n\n"
                + "2\n00:00:00,100 --> 00:00:00,200\nTwo\n"
            try Data(text.utf8).write(to: URL(filePath: folder.file("text.srt")))
            try ffmpeg(picture + ["-i", "text.srt"] + h264 + ["-c:s", "mov_text", name], folder)
        case .transport: try ffmpeg(picture + sound + h264 + coded + [name], folder)
        case .webm:
            try ffmpeg(picture + sound + ["-c:v", "libvpx", "-c:a", "libopus", name], folder)
        case .hevc:
            let options = ["-x265-params", "log-level=error", "-preset", "ultrafast"]
            try ffmpeg(picture + sound + ["-c:v", "libx265"] + options + coded + [name], folder)
        case .ffv1: try ffmpeg(picture + sound + ["-c:v", "ffv1", "-c:a", "flac", name], folder)
        case .prores:
            try ffmpeg(picture + sound + ["-c:v", "prores_ks", "-c:a", "pcm_s24le", name], folder)
        case .motionJPEG:
            try ffmpeg(picture + sound + ["-c:v", "mjpeg", "-c:a", "pcm_s16le", name], folder)
        default: try ffmpeg(sound + [name], folder)
        }
        return try bytes(name, folder)
    }

    private static func ffmpeg(_ words: [String], _ folder: TemporaryFolder) throws {
        try run("ffmpeg", ["-v", "error", "-y"] + words, folder)
    }

    private static func run(
        _ name: String, _ words: [String], _ folder: TemporaryFolder
    ) throws {
        guard let tool = Program.tool(name) else { throw Unmade(what: "\(name) is not installed") }
        let result = try tool.run(words, in: folder.path)
        guard result.status == 0 else {
            throw Unmade(what: "\(name) \(words): \(result.errorText)")
        }
    }

    // MARK: Live photos

    private static func livePhoto(_ kind: FuzzKind, _ folder: TemporaryFolder) throws -> [UInt8] {
        let movie = try SmallFiles().bytes(of: .mp4)
        let jpeg = try SmallFiles().bytes(of: .jpeg)
        switch kind {
        case .microVideo:
            let notes = LivePhotoBuilder.xmp(LivePhotoBuilder.microVideo(offset: movie.count))
            return LivePhotoBuilder.photo(jpeg, notes) + movie
        case .samsung:
            return jpeg
                + LivePhotoBuilder.samsungTrailer([
                    (0x0A01, "Image_UTC_Data", Array("1700000000000".utf8)),
                    (0x0A30, "MotionPhoto_Data", movie),
                ])
        case .motionHEIC:
            let notes = LivePhotoBuilder.motionPhoto(lengths: [movie.count], mime: "image/heic")
            return LivePhotoBuilder.heic(xmp: notes, exif: nil, movie: movie)
        default:
            let notes = LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count]))
            return LivePhotoBuilder.photo(jpeg, notes) + movie
        }
    }

    // MARK: Projects

    private static let project = """
        // a small film
        { title: "Two", fps: 25, size: "64x36", background: '#102030',
          videos: ["movie.mp4", { file: "movie.mp4", start: "40ms", transition: "dissolve:80ms",
            speed: "3/2", volume: 0.5, pan: -1, lowCut: "80Hz", gate: { hold: 0 }, limiter: -3 },
            { file: "still.png", duration: "200ms" }],
          titles: [{ text: "Hi", style: "lower-third", duration: "200ms" }],
          music: [{ file: "sound.wav", volume: 0.2, fadeIn: .1, loop: true }],
          chapters: [{ at: "80ms", title: "Middle" }] }
        """

    private static func timeline(
        _ project: [UInt8], _ companions: [String: [UInt8]], _ folder: TemporaryFolder
    ) throws -> [UInt8] {
        for (name, bytes) in companions {
            try Data(bytes).write(to: URL(filePath: folder.file(name)))
        }
        try Data(project).write(to: URL(filePath: folder.file("film.vcap.json5")))
        let made = try Program.vcap.run(
            ["export", "film.vcap.json5", "-o", "film.otio"], environment: ["HOME": folder.path],
            in: folder.path)
        guard made.status == 0 else { throw Unmade(what: made.errorText) }
        return try bytes("film.otio", folder)
    }
}
