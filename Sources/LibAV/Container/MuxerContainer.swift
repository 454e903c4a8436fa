internal import CFFmpeg
package import Media

/// Containers that libavformat writes for us.
package enum MuxerContainer: String, Sendable, Hashable, CaseIterable {
    case matroska, webm
    case mpegTS = "mpegts"
    // one audio track
    case wav, flac, ogg, opus, mp3

    /// Whether it holds one audio track and nothing else. Its times then are counted as the codec's
    /// packets lie, priming before zero, and the container cuts that.
    package var isAudioFile: Bool {
        switch self {
        case .matroska, .webm, .mpegTS: false
        case .wav, .flac, .ogg, .opus, .mp3: true
        }
    }

    /// Whether chapters have a place, at the end of writing too.
    package var holdsChapters: Bool { self == .matroska || self == .webm }

    /// Whether the file can say which tracks players take without being asked, and which they are forced to show.
    package var holdsTrackFlags: Bool { self == .matroska || self == .webm }

    /// Whether frames that stand for the file have a place.
    package var holdsCovers: Bool { self == .matroska || self == .mp3 || self == .flac }

    /// Whether a frame can be written as it is.
    package func takes(_ cover: CoverArt) -> Bool {
        guard holdsCovers, cover.kind != nil else { return false }
        return self == .matroska || cover.width > 0 && cover.height > 0
    }

    /// Whether Dolby Vision's configuration has a place.
    package var holdsDolbyVision: Bool { self == .matroska }

    /// Whether a codec has a place in the container.
    package func takes(_ format: FormatDescription) -> Bool {
        switch format {
        case .video(let video): video.codec.map { videoCodecs.contains($0) } ?? false
        case .audio(let audio): audio.codec.map { audioCodecs.contains($0) } ?? false
        case .text(let text): text.codec.map { $0 == textCodec } ?? false
        case .metadata: false
        }
    }

    private var videoCodecs: Set<VideoCodec> {
        switch self {
        case .matroska:
            [.h264, .hevc, .mjpeg, .ffv1, .vp8, .vp9, .av1, .prores, .mpeg4, .mpeg2video]
        case .webm: [.vp8, .vp9, .av1]
        case .mpegTS: [.h264, .hevc, .mpeg2video]
        case .wav, .flac, .ogg, .opus, .mp3: []
        }
    }

    private var audioCodecs: Set<AudioCodec> {
        switch self {
        case .matroska:
            [
                .aac, .opus, .flac, .pcm16, .pcm24, .pcm32, .pcmFloat, .alac, .mp3, .vorbis, .ac3,
                .eac3, .mp2, .dts, .pcm16Big, .pcm24Big, .pcm8, .pcmDouble,
            ]
        case .webm: [.opus, .vorbis]
        case .mpegTS: [.aac, .opus, .mp3, .ac3, .eac3, .mp2, .dts]
        case .wav: [.pcm8, .pcm16, .pcm24, .pcm32, .pcmFloat, .pcmDouble]
        case .flac: [.flac]
        case .ogg: [.opus, .vorbis, .flac]
        case .opus: [.opus]
        case .mp3: [.mp3]
        }
    }

    /// How subtitles are written; nil: there is no place for them.
    package var textCodec: TextCodec? {
        switch self {
        case .matroska: .subrip
        case .webm: .webvtt
        default: nil
        }
    }

    /// Options of libavformat's muxer. Clusters of 250 ms bound what a crash loses.
    var options: [(name: String, value: String)] {
        switch self {
        case .matroska, .webm: [("cluster_time_limit", "250")]
        case .mpegTS: [("max_delay", "200000")]
        // beyond 4 GiB the sizes of RIFF do not reach
        case .wav: [("rf64", "auto")]
        case .flac, .ogg, .opus, .mp3: []
        }
    }
}

/// A named instant of the movie, as players list it.
package struct MuxerChapter: Sendable, Hashable {
    /// Movie time.
    package var range: MediaTimeRange
    package var title: String

    package init(range: MediaTimeRange, title: String) {
        self.range = range
        self.title = title
    }
}
