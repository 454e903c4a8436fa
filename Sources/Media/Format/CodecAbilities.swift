/// What vcap's encoders can be asked for, codec by codec.
extension VideoCodec {
    /// Codecs that frames are encoded in. All others are read, and copied where a container holds them.
    public static let encodable: [VideoCodec] = [.h264, .hevc, .av1, .vp9, .mjpeg, .ffv1, .prores]

    /// The same in words.
    package static let encodableNames =
        encodable.dropLast().map(\.rawValue).joined(separator: ", ")
        + " or \(encodable.last?.rawValue ?? "")"

    /// Whether frames are coded from other frames, so that presets, bit rates and the distance of sync samples have
    /// something to act on. Of other codecs every frame is a sync sample.
    public var isPredictive: Bool { [.h264, .hevc, .av1, .vp9].contains(self) }

    /// Whether frames can be encoded as they come from a camera. The encoders of AV1 and VP9 hold seconds of them.
    public var isForRecording: Bool {
        VideoCodec.encodable.contains(self) && ![.av1, .vp9].contains(self)
    }

    /// The shortest side of a frame that is encoded (pixels).
    package var leastSide: Int { self == .av1 ? 64 : 1 }

    /// Values of a constant quality (lower is better); nil: there is none to choose.
    public var qualities: ClosedRange<Double>? {
        switch self {
        case .h264, .hevc: 0...51
        // libavcodec takes SVT-AV1's 0 for none
        case .av1: 1...63
        case .vp9: 0...63
        case .mjpeg: 1...31
        default: nil
        }
    }

    /// The quality where nobody asks for one; nil: there is none to choose.
    public var usualQuality: Double? {
        switch self {
        case .h264: 20
        case .hevc: 23
        case .av1: 30
        case .vp9: 31
        case .mjpeg: 3
        default: nil
        }
    }
}
