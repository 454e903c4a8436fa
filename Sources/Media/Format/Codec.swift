/// Codings vcap reads or writes as samples of a track. Names are FFmpeg's.
public enum VideoCodec: String, Sendable, Hashable, Codable, CaseIterable {
    case h264, hevc, mjpeg, ffv1, av1, vp9, prores
    // read only
    case vp8, mpeg4, mpeg2video, gif, png, apng, webp, tiff, rawvideo
}

public enum AudioCodec: String, Sendable, Hashable, Codable, CaseIterable {
    case aac, opus, flac
    /// Interleaved little-endian PCM.
    case pcm16 = "pcm_s16le"
    case pcm24 = "pcm_s24le"
    case pcm32 = "pcm_s32le"
    case pcmFloat = "pcm_f32le"
    case alac, mp3
    // read only
    case vorbis, ac3, eac3, mp2, dts
    case pcm16Big = "pcm_s16be"
    case pcm24Big = "pcm_s24be"
    /// PCM of 8 bits, unsigned, and of 64-bit floating point numbers.
    case pcm8 = "pcm_u8"
    case pcmDouble = "pcm_f64le"
    /// G.711.
    case aLaw = "pcm_alaw"
    case muLaw = "pcm_mulaw"
    case adpcmMicrosoft = "adpcm_ms"
    case adpcmIMA = "adpcm_ima_wav"
    case amrNarrow = "amr_nb"
    case amrWide = "amr_wb"
    /// AAC in LATM, as broadcasters have it.
    case aacLATM = "aac_latm"
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
    /// Timed values under names, such as detected codes; players pass them over.
    case metadata

    /// Whether its tracks make a movie as long as they are; others only go along.
    package var setsLength: Bool { self == .video || self == .audio }
}
