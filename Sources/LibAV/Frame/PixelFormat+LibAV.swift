internal import CFFmpeg
internal import Media

extension PixelFormat {
    /// libav's format of the same name.
    var libav: AVPixelFormat { av_get_pix_fmt(rawValue) }

    /// The format with libav's memory layout. The deprecated "J" formats are their full-range twins;
    /// the range is in `ColorDescription`.
    init?(_ format: AVPixelFormat) {
        switch format {
        case AV_PIX_FMT_YUVJ420P: self = .yuv420p
        case AV_PIX_FMT_YUVJ422P: self = .yuv422p
        case AV_PIX_FMT_YUVJ444P: self = .yuv444p
        default:
            guard let name = av_get_pix_fmt_name(format) else { return nil }
            self.init(rawValue: String(cString: name))
        }
    }

    /// The format of ours that loses least of a libav format that is not ours.
    static func closest(to format: AVPixelFormat) -> PixelFormat {
        let description = av_pix_fmt_desc_get(format)?.pointee
        let flags = description?.flags ?? 0
        let isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        // YUV stays YUV: more bits of RGB would not be worth a conversion by a matrix that nobody may have stated
        let isYUV = !isRGB && description?.nb_components ?? 0 >= 3
        var candidates = allCases.filter { !isYUV || !$0.isRGB }.map(\.libav)
        candidates.append(AV_PIX_FMT_NONE)
        let hasAlpha = flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0
        let best = avcodec_find_best_pix_fmt_of_list(candidates, format, hasAlpha ? 1 : 0, nil)
        return PixelFormat(best) ?? (hasAlpha ? .rgba : .rgb24)
    }
}

extension AVPixelFormat {
    /// Whether the name itself says full range.
    var isFullRangeTwin: Bool {
        self == AV_PIX_FMT_YUVJ420P || self == AV_PIX_FMT_YUVJ422P || self == AV_PIX_FMT_YUVJ444P
    }
}
