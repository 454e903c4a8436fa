/// Codings vcap reads or writes as samples of a track. Names are FFmpeg's.
public enum VideoCodec: String, Sendable, Hashable, Codable, CaseIterable {
    case h264, hevc, mjpeg, ffv1
    // read only
    case vp8, vp9, av1, prores, mpeg4, mpeg2video, gif, png, apng, webp, tiff, rawvideo
}

public enum AudioCodec: String, Sendable, Hashable, Codable, CaseIterable {
    case aac, opus, flac
    /// Interleaved little-endian PCM.
    case pcm16 = "pcm_s16le"
    case pcm24 = "pcm_s24le"
    case pcm32 = "pcm_s32le"
    case pcmFloat = "pcm_f32le"
    // read only
    case mp3, vorbis, alac, ac3
    case pcm16Big = "pcm_s16be"
    case pcm24Big = "pcm_s24be"
}

/// Codings of subtitles that are text.
public enum TextCodec: String, Sendable, Hashable, Codable, CaseIterable {
    /// 3GPP timed text (`tx3g`) and QuickTime's text.
    case movText = "mov_text"
    case subrip, webvtt
    // read only
    case ass
}

/// What a track or source carries.
public enum MediaType: String, Sendable, Hashable, Codable {
    case video, audio
    /// Subtitles.
    case text
}
