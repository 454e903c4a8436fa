internal import CFFmpeg
internal import Media

extension VideoCodec {
    var identifier: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .mjpeg: AV_CODEC_ID_MJPEG
        case .ffv1: AV_CODEC_ID_FFV1
        case .vp8: AV_CODEC_ID_VP8
        case .vp9: AV_CODEC_ID_VP9
        case .av1: AV_CODEC_ID_AV1
        case .prores: AV_CODEC_ID_PRORES
        case .mpeg4: AV_CODEC_ID_MPEG4
        case .mpeg2video: AV_CODEC_ID_MPEG2VIDEO
        case .gif: AV_CODEC_ID_GIF
        case .png: AV_CODEC_ID_PNG
        case .apng: AV_CODEC_ID_APNG
        case .webp: AV_CODEC_ID_WEBP
        case .tiff: AV_CODEC_ID_TIFF
        case .rawvideo: AV_CODEC_ID_RAWVIDEO
        }
    }

    init?(_ identifier: AVCodecID) {
        guard let found = Self.allCases.first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = found
    }
}

extension TextCodec {
    var identifier: AVCodecID {
        switch self {
        case .movText: AV_CODEC_ID_MOV_TEXT
        case .subrip: AV_CODEC_ID_SUBRIP
        case .webvtt: AV_CODEC_ID_WEBVTT
        case .ass: AV_CODEC_ID_ASS
        }
    }

    init?(_ identifier: AVCodecID) {
        guard let found = Self.allCases.first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = found
    }
}

extension AudioCodec {
    var identifier: AVCodecID {
        switch self {
        case .aac: AV_CODEC_ID_AAC
        case .opus: AV_CODEC_ID_OPUS
        case .flac: AV_CODEC_ID_FLAC
        case .pcm16: AV_CODEC_ID_PCM_S16LE
        case .pcm24: AV_CODEC_ID_PCM_S24LE
        case .pcm32: AV_CODEC_ID_PCM_S32LE
        case .pcmFloat: AV_CODEC_ID_PCM_F32LE
        case .mp3: AV_CODEC_ID_MP3
        case .vorbis: AV_CODEC_ID_VORBIS
        case .alac: AV_CODEC_ID_ALAC
        case .ac3: AV_CODEC_ID_AC3
        case .pcm16Big: AV_CODEC_ID_PCM_S16BE
        case .pcm24Big: AV_CODEC_ID_PCM_S24BE
        case .eac3: AV_CODEC_ID_EAC3
        case .mp2: AV_CODEC_ID_MP2
        case .dts: AV_CODEC_ID_DTS
        case .pcm8: AV_CODEC_ID_PCM_U8
        case .pcmDouble: AV_CODEC_ID_PCM_F64LE
        case .aLaw: AV_CODEC_ID_PCM_ALAW
        case .muLaw: AV_CODEC_ID_PCM_MULAW
        case .adpcmMicrosoft: AV_CODEC_ID_ADPCM_MS
        case .adpcmIMA: AV_CODEC_ID_ADPCM_IMA_WAV
        case .amrNarrow: AV_CODEC_ID_AMR_NB
        case .amrWide: AV_CODEC_ID_AMR_WB
        case .aacLATM: AV_CODEC_ID_AAC_LATM
        }
    }

    init?(_ identifier: AVCodecID) {
        guard let found = Self.allCases.first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = found
    }

    /// Bytes of one coded sample per channel for PCM; `nil` for anything else.
    package var bytesPerPCMSample: Int? {
        switch self {
        case .pcm8, .aLaw, .muLaw: 1
        case .pcmDouble: 8
        case .pcm16, .pcm16Big: 2
        case .pcm24, .pcm24Big: 3
        case .pcm32, .pcmFloat: 4
        default: nil
        }
    }
}
