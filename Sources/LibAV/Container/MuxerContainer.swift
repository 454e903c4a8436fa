internal import CFFmpeg
package import Media

/// Containers that libavformat writes for us.
package enum MuxerContainer: String, Sendable, Hashable, CaseIterable {
    case matroska, webm
    case mpegTS = "mpegts"

    /// Whether a codec has a place in the container.
    package func takes(_ format: FormatDescription) -> Bool {
        switch format {
        case .video(let video): video.codec.map { videoCodecs.contains($0) } ?? false
        case .audio(let audio): audio.codec.map { audioCodecs.contains($0) } ?? false
        case .text(let text): text.codec.map { $0 == textCodec } ?? false
        }
    }

    private var videoCodecs: Set<VideoCodec> {
        switch self {
        case .matroska:
            [.h264, .hevc, .mjpeg, .ffv1, .vp8, .vp9, .av1, .prores, .mpeg4, .mpeg2video]
        case .webm: [.vp8, .vp9, .av1]
        case .mpegTS: [.h264, .hevc, .mpeg2video]
        }
    }

    private var audioCodecs: Set<AudioCodec> {
        switch self {
        case .matroska: Set(AudioCodec.allCases)
        case .webm: [.opus, .vorbis]
        case .mpegTS: [.aac, .opus, .mp3, .ac3]
        }
    }

    /// How subtitles are written; nil: there is no place for them.
    package var textCodec: TextCodec? {
        switch self {
        case .matroska: .subrip
        case .webm: .webvtt
        case .mpegTS: nil
        }
    }

    /// Options of libavformat's muxer. Clusters of 250 ms bound what a crash loses.
    var options: [(name: String, value: String)] {
        switch self {
        case .matroska, .webm: [("cluster_time_limit", "250")]
        case .mpegTS: [("max_delay", "200000")]
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
