package import LibAV
public import Media

/// The kinds of file a writer makes, and which codings each can hold.
public enum OutputContainer: String, Sendable, Hashable, Codable, CaseIterable {
    case mp4, mov
    case matroska = "mkv"
    case webm
    case mpegTS = "ts"
    /// MP4 of audio only, as players of music read it.
    case m4a
    // one audio track, nothing else
    case wav, flac, ogg, opus, mp3

    /// By a file's extension (`mp4`, `m4v`, `mov`, `mkv`, `webm`, `ts`, `m2ts`, `m4a`, `wav`, `flac`,
    /// `ogg`, `opus`, `mp3`), without regard to case; `nil` when it names none.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "mp4", "m4v": self = .mp4
        case "m4a": self = .m4a
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        case "opus": self = .opus
        case "mp3": self = .mp3
        case "mov", "qt": self = .mov
        case "mkv", "mka": self = .matroska
        case "webm": self = .webm
        case "ts", "m2ts", "mts": self = .mpegTS
        default: return nil
        }
    }

    /// Ticks per second of video tracks (1/s). Matroska's are a millisecond in libavformat 59, and
    /// rounding is done once.
    package var videoTimescale: Int32 { self == .matroska || self == .webm ? 1000 : 90_000 }

    /// Whether the file can make players rotate the frames.
    public var holdsOrientation: Bool { self == .mp4 || self == .mov || self == .m4a }

    /// Whether it says what part of a stored frame is meant to be seen (Matroska would; libavformat 59 does not
    /// write it).
    package var holdsCleanAperture: Bool { libavContainer == nil }

    /// Whether the file can make players show a part of what a track holds.
    package var hasEditLists: Bool { libavContainer == nil }

    /// Whether it holds audio only.
    public var isAudioOnly: Bool { videoCodecs.isEmpty }

    /// Whether it holds one audio track and nothing else, chapters neither.
    package var isAudioFile: Bool { libavContainer?.isAudioFile ?? false }

    /// Who writes it; nil: we ourselves.
    package var libavContainer: MuxerContainer? {
        switch self {
        case .mp4, .mov, .m4a: nil
        case .matroska: .matroska
        case .webm: .webm
        case .mpegTS: .mpegTS
        case .wav: .wav
        case .flac: .flac
        case .ogg: .ogg
        case .opus: .opus
        case .mp3: .mp3
        }
    }

    /// Whether a frame that stands for the file can be written.
    package func holds(_ cover: CoverArt) -> Bool {
        libavContainer?.takes(cover) ?? (cover.kind != nil)
    }

    /// Whether it says which tracks players take without being asked.
    package var holdsDefaultTracks: Bool { libavContainer?.holdsTrackFlags ?? true }

    /// Whether it says for tracks of a kind that players are forced to show them.
    package func holdsForcedTracks(of kind: MediaType) -> Bool {
        libavContainer?.holdsTrackFlags ?? (kind == .text)
    }

    /// Whether Dolby Vision's configuration goes along with copied frames.
    package var holdsDolbyVision: Bool { libavContainer?.holdsDolbyVision ?? true }

    /// Whether coded samples can be copied into it: more than what is encoded for it.
    package func holdsCopy(of format: FormatDescription) -> Bool {
        if let libavContainer {
            let isDepth = format.video?.depth != nil
            return libavContainer.takes(format) && (!isDepth || holdsDepth)
        }
        switch format {
        case .video(let video):
            guard video.depth == nil || holdsDepth, Self.isDescribed(video) else { return false }
            return video.codec.map(videoCodecs.contains) ?? false
        case .audio(let audio):
            // AAC that describes itself in every sample only has nothing to put into the header
            guard audio.codec != .aac || !audio.codecConfiguration.isEmpty else { return false }
            return audio.codec.map(audioCodecs.contains) ?? false
        // carried by what they say, not as the bytes of a file
        case .text, .metadata: return false
        }
    }

    /// Whether a format has with it what MP4 says of the codec: that of H.264 and HEVC a stream may hold, that of VP9
    /// Matroska and WebM have not.
    package static func isDescribed(_ format: VideoFormat) -> Bool {
        switch format.codec {
        case .h264, .hevc: !format.codecConfiguration.isEmpty
        case .av1: AV1Configuration.isRecord(format.codecConfiguration)
        case .vp9: VP9Configuration.isRecord(format.codecConfiguration)
        default: true
        }
    }

    /// Whether it holds depth tracks: values of 16 bits without loss, and what they are.
    public var holdsDepth: Bool { self == .matroska }

    /// - Throws: `unsupported` for depth where the file cannot say what its values are, or its coding changes them.
    package func requireRoom(
        forDepthOf format: VideoFormat, codec: VideoCodec
    ) throws(MediaError) {
        guard format.depth != nil, !holdsDepth || codec != .ffv1 else { return }
        throw MediaError(
            code: .unsupported, subject: rawValue,
            message:
                "Depth is kept to the unit as ffv1 in a .mkv file, not as \(codec.rawValue) in a "
                + ".\(rawValue) file: write ffv1 into .mkv.")
    }

    /// Whether it says which time code its frames have: Matroska and WebM of the first frame alone.
    public var holdsTimeCode: Bool {
        self == .mp4 || self == .mov || self == .matroska || self == .webm
    }

    /// Whether it says where the time code jumps.
    package var holdsTimeCodeJumps: Bool { self == .mp4 || self == .mov }

    /// Whether it holds metadata tracks.
    public var holdsMetadataTracks: Bool { self == .mp4 || self == .mov }

    /// - Throws: `unsupported` where the container has no such tracks, `invalidSetting` for the keys.
    package func requireRoom(for format: MetadataFormat) throws(MediaError) {
        guard holdsMetadataTracks else {
            throw MediaError(
                code: .unsupported, subject: rawValue,
                message: "A .\(rawValue) file holds no metadata tracks: leave the metadata out, or "
                    + "write .mp4 or .mov.")
        }
        try format.validate()
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    package func requireRoom(forCopyOf format: FormatDescription?) throws(MediaError) {
        guard let format, !holdsCopy(of: format) else { return }
        if let video = format.video, let codec = video.codec {
            try requireRoom(for: codec)
            try requireRoom(forDepthOf: video, codec: codec)
        }
        if let codec = format.audio?.codec { try requireRoom(for: codec) }
    }

    /// How the container holds subtitles; nil: as text not at all.
    public var textCodec: TextCodec? {
        switch self {
        case .mp4, .mov: .movText
        case .matroska: .subrip
        case .webm: .webvtt
        case .mpegTS, .m4a, .wav, .flac, .ogg, .opus, .mp3: nil
        }
    }

    /// Ticks per second of text tracks (1/s).
    var textTimescale: Int32 { self == .matroska || self == .webm ? 1000 : 90_000 }

    /// Video codecs the container holds.
    public var videoCodecs: Set<VideoCodec> {
        switch self {
        case .mp4: [.h264, .hevc, .av1, .vp9, .mjpeg]
        case .mov: [.h264, .hevc, .mjpeg, .ffv1, .prores]
        case .matroska: [.h264, .hevc, .av1, .vp9, .mjpeg, .ffv1, .prores]
        case .webm: [.vp8, .vp9, .av1]
        case .mpegTS: [.h264, .hevc]
        case .m4a, .wav, .flac, .ogg, .opus, .mp3: []
        }
    }

    /// Audio codecs the container holds.
    public var audioCodecs: Set<AudioCodec> {
        switch self {
        case .mp4: [.aac, .opus, .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .mov: [.aac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .matroska: [.aac, .opus, .flac, .alac, .mp3, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .webm: [.opus, .vorbis]
        case .mpegTS: [.aac, .opus, .mp3]
        case .m4a: [.aac, .alac]
        case .wav: [.pcm16, .pcm24, .pcm32, .pcmFloat]
        case .flac: [.flac]
        case .ogg: [.opus, .vorbis, .flac]
        case .opus: [.opus]
        case .mp3: [.mp3]
        }
    }

    /// What video is encoded in where nobody says; nil: it holds none.
    public var usualVideoCodec: VideoCodec? {
        switch self {
        case .mp4, .mov, .matroska, .mpegTS: .h264
        case .webm: .vp9
        case .m4a, .wav, .flac, .ogg, .opus, .mp3: nil
        }
    }

    /// What audio is encoded in where nobody says.
    public var usualAudioCodec: AudioCodec {
        switch self {
        case .mp4, .mov, .matroska, .mpegTS, .m4a: .aac
        case .webm, .ogg, .opus: .opus
        case .wav: .pcm16
        case .flac: .flac
        case .mp3: .mp3
        }
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    public func requireRoom(for codec: VideoCodec) throws(MediaError) {
        guard !videoCodecs.contains(codec) else { return }
        guard !videoCodecs.isEmpty else {
            throw MediaError(
                code: .unsupported, subject: codec.rawValue,
                message: "A .\(rawValue) file holds audio only and no video: leave the "
                    + "video out, or write .mp4, .mov or .mkv.")
        }
        let encoded = videoCodecs.filter(VideoCodec.encodable.contains)
        throw refusal(codec.rawValue, held: encoded.map(\.rawValue))
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    public func requireRoom(for codec: AudioCodec) throws(MediaError) {
        guard !audioCodecs.contains(codec) else { return }
        throw refusal(codec.rawValue, held: audioCodecs.map(\.rawValue))
    }

    /// - Throws: `unsupported` when frames that are copied would have to be rotated and the container
    ///   has no place to say so.
    package func requireRoom(for orientation: VideoOrientation) throws(MediaError) {
        guard orientation != .upright, !holdsOrientation else { return }
        throw MediaError(
            code: .unsupported, subject: rawValue,
            message:
                "Frames that are not upright cannot be copied into a .\(rawValue) file, which "
                + "has no place to say how they lie: write .mp4 or .mov, encode them, or leave "
                + "them as they are (no rotation).")
    }

    private func refusal(_ codec: String, held: [String]) -> MediaError {
        MediaError(
            code: .unsupported, subject: codec,
            message: "A .\(rawValue) file cannot hold \(codec); it holds "
                + held.sorted().joined(separator: ", ")
                + ": choose another codec or container.")
    }
}
