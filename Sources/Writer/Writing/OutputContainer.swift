internal import LibAV
public import Media

/// The kinds of file a writer makes, and which codings each can hold.
public enum OutputContainer: String, Sendable, Hashable, Codable, CaseIterable {
    case mp4, mov
    case matroska = "mkv"
    case webm
    case mpegTS = "ts"

    /// By a file's extension (`mp4`, `m4v`, `mov`, `mkv`, `webm`, `ts`, `m2ts`), without regard to
    /// case; `nil` when it names none.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "mp4", "m4v", "m4a": self = .mp4
        case "mov", "qt": self = .mov
        case "mkv", "mka": self = .matroska
        case "webm": self = .webm
        case "ts", "m2ts", "mts": self = .mpegTS
        default: return nil
        }
    }

    /// Ticks per second of video tracks (1/s). Matroska's are a millisecond in libavformat 59, and
    /// rounding is done once.
    var videoTimescale: Int32 { self == .matroska || self == .webm ? 1000 : 90_000 }

    /// Whether players can be told to turn the pictures.
    public var holdsOrientation: Bool { self == .mp4 || self == .mov }

    /// Whether players can be told to show a part of what a track holds.
    package var hasEditLists: Bool { self == .mp4 || self == .mov }

    /// Who writes it; nil: we ourselves.
    var libavContainer: MuxerContainer? {
        switch self {
        case .mp4, .mov: nil
        case .matroska: .matroska
        case .webm: .webm
        case .mpegTS: .mpegTS
        }
    }

    /// Whether coded samples can be copied into it: more than what is encoded for it.
    package func holdsCopy(of format: FormatDescription) -> Bool {
        if let libavContainer { return libavContainer.takes(format) }
        switch format {
        case .video(let video): return video.codec.map(videoCodecs.contains) ?? false
        case .audio(let audio): return audio.codec.map(audioCodecs.contains) ?? false
        case .text: return false
        }
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    func requireRoom(forCopyOf format: FormatDescription?) throws(WriterError) {
        guard let format, !holdsCopy(of: format) else { return }
        if let codec = format.video?.codec { try requireRoom(for: codec) }
        if let codec = format.audio?.codec { try requireRoom(for: codec) }
    }

    /// How the container holds subtitles; nil: as text not at all.
    public var textCodec: TextCodec? {
        switch self {
        case .mp4, .mov: .movText
        case .matroska: .subrip
        case .webm: .webvtt
        case .mpegTS: nil
        }
    }

    /// Ticks per second of text tracks (1/s).
    var textTimescale: Int32 { self == .matroska || self == .webm ? 1000 : 90_000 }

    /// Video codecs the container holds.
    public var videoCodecs: Set<VideoCodec> {
        switch self {
        case .mp4: [.h264, .hevc, .mjpeg]
        case .mov: [.h264, .hevc, .mjpeg, .ffv1, .prores]
        case .matroska: [.h264, .hevc, .mjpeg, .ffv1, .prores]
        case .webm: [.vp8, .vp9, .av1]
        case .mpegTS: [.h264, .hevc]
        }
    }

    /// Audio codecs the container holds.
    public var audioCodecs: Set<AudioCodec> {
        switch self {
        case .mp4: [.aac, .opus, .flac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .mov: [.aac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .matroska: [.aac, .opus, .flac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        case .webm: [.opus, .vorbis]
        case .mpegTS: [.aac, .opus]
        }
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    public func requireRoom(for codec: VideoCodec) throws(WriterError) {
        guard !videoCodecs.contains(codec) else { return }
        throw refusal(
            codec.rawValue, held: videoCodecs.map(\.rawValue),
            advice: self == .webm
                ? ", which vcap copies and does not encode: choose .mkv, or .mp4." : nil)
    }

    /// - Throws: `unsupported`, naming what the container does hold.
    public func requireRoom(for codec: AudioCodec) throws(WriterError) {
        guard !audioCodecs.contains(codec) else { return }
        throw refusal(codec.rawValue, held: audioCodecs.map(\.rawValue))
    }

    /// - Throws: `unsupported` when pictures that are copied would have to be turned and the container
    ///   has no place to say so.
    func requireRoom(for orientation: VideoOrientation) throws(WriterError) {
        guard orientation != .upright, !holdsOrientation else { return }
        throw WriterError(
            code: .unsupported, subject: rawValue,
            message:
                "Pictures that are not upright cannot be copied into a .\(rawValue) file, which "
                + "has no place to say how they lie: write .mp4 or .mov, encode them, or leave "
                + "them as they are (no rotation).")
    }

    private func refusal(
        _ codec: String, held: [String], advice: String? = nil
    ) -> WriterError {
        WriterError(
            code: .unsupported, subject: codec,
            message: "A .\(rawValue) file cannot hold \(codec); it holds "
                + held.sorted().joined(separator: ", ")
                + (advice ?? ": choose another codec or container."))
    }
}
