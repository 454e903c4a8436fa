internal import CV4L2
internal import Media

/// V4L2's colour words in H.273's code points; what a driver leaves open follows the kernel's
/// defaults (Documentation/userspace-api/media/v4l/colorspaces-details).
struct V4L2Color: Sendable, Equatable {
    var space: UInt32
    var encoding: UInt32
    var quantization: UInt32
    var transfer: UInt32

    func description(fourCC: String) -> ColorDescription {
        let coding = V4L2PixelFormat.of(fourCC: fourCC)?.coding
        if case .coded(.mjpeg) = coding { return .jpeg }
        if V4L2PixelFormat.of(fourCC: fourCC)?.bayer != nil { return .developed }
        var isRGB = coding == nil  // libv4lconvert makes RGB of what we do not know
        if case .raw(let format) = coding { isRGB = format.isRGB }
        let isConverted = coding == nil
        let range: ColorDescription.Range =
            isConverted ? .full : self.range(isRGB: isRGB)
        return ColorDescription(
            primaries: primaries, transfer: transferCode, matrix: isRGB ? 0 : matrix, range: range)
    }

    private func range(isRGB: Bool) -> ColorDescription.Range {
        switch quantization {
        case V4L2_QUANTIZATION_FULL_RANGE.rawValue: .full
        case V4L2_QUANTIZATION_LIM_RANGE.rawValue: .limited
        default: isRGB || space == V4L2_COLORSPACE_JPEG.rawValue ? .full : .limited
        }
    }

    private var primaries: UInt8 {
        switch space {
        case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_SRGB.rawValue,
            V4L2_COLORSPACE_JPEG.rawValue:
            1
        case V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: 5
        case V4L2_COLORSPACE_BT2020.rawValue: 9
        case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
        default: 6
        }
    }

    private var transferCode: UInt8 {
        switch transfer {
        case V4L2_XFER_FUNC_709.rawValue: 1
        case V4L2_XFER_FUNC_SRGB.rawValue: 13
        case V4L2_XFER_FUNC_SMPTE240M.rawValue: 7
        case V4L2_XFER_FUNC_NONE.rawValue: 8
        case V4L2_XFER_FUNC_SMPTE2084.rawValue: 16
        default:
            switch space {
            case V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: 13
            case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
            default: 1
            }
        }
    }

    private var matrix: UInt8 {
        switch encoding {
        case V4L2_YCBCR_ENC_601.rawValue, V4L2_YCBCR_ENC_XV601.rawValue: 6
        case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: 1
        case V4L2_YCBCR_ENC_BT2020.rawValue: 9
        case V4L2_YCBCR_ENC_SMPTE240M.rawValue: 7
        default:
            switch space {
            case V4L2_COLORSPACE_REC709.rawValue: 1
            case V4L2_COLORSPACE_BT2020.rawValue: 9
            case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
            default: 6
            }
        }
    }
}
