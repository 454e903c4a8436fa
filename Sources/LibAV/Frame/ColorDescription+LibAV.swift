internal import CFFmpeg
package import Media

extension ColorDescription.Range {
    var libav: AVColorRange {
        switch self {
        case .limited: AVCOL_RANGE_MPEG
        case .full: AVCOL_RANGE_JPEG
        case .unspecified: AVCOL_RANGE_UNSPECIFIED
        }
    }

    init(_ range: AVColorRange) {
        switch range {
        case AVCOL_RANGE_MPEG: self = .limited
        case AVCOL_RANGE_JPEG: self = .full
        default: self = .unspecified
        }
    }
}

extension ColorDescription {
    var libavPrimaries: AVColorPrimaries { AVColorPrimaries(rawValue: UInt32(primaries)) }
    var libavTransfer: AVColorTransferCharacteristic {
        AVColorTransferCharacteristic(rawValue: UInt32(transfer))
    }
    var libavMatrix: AVColorSpace { AVColorSpace(rawValue: UInt32(matrix)) }

    /// libav's numbers are those of H.273.
    init(
        _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic,
        _ matrix: AVColorSpace, _ range: AVColorRange
    ) {
        self.init(
            primaries: UInt8(truncatingIfNeeded: primaries.rawValue),
            transfer: UInt8(truncatingIfNeeded: transfer.rawValue),
            matrix: UInt8(truncatingIfNeeded: matrix.rawValue), range: Range(range))
    }

    /// This description with what it leaves open taken from another one.
    package func filled(from other: ColorDescription) -> ColorDescription {
        ColorDescription(
            primaries: primaries == 2 ? other.primaries : primaries,
            transfer: transfer == 2 ? other.transfer : transfer,
            matrix: matrix == 2 ? other.matrix : matrix,
            range: range == .unspecified ? other.range : range)
    }
}
