/// The memory layout of raw frames. Planar YUV is the working form; the packed forms are what
/// cameras deliver. Names are FFmpeg's, the field's lingua franca.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable, Codable {
    // planar YUV, 8 bit
    case yuv420p, yuv422p, yuv444p, yuva420p
    // planar YUV, 10 bit in 16-bit little-endian words
    case yuv420p10le, yuv422p10le, yuv444p10le, yuva444p10le
    // semi-planar: one luma plane, one plane of interleaved chroma
    case nv12, nv21, nv16, p010le
    // packed YUV
    case yuyv422, yvyu422, uyvy422
    // grey
    case gray, gray10le, gray12le, gray16le
    // RGB
    case rgb24, bgr24, rgba, bgra, rgb565le, rgb48le, rgba64le

    /// How the planes are laid out.
    public var layout: PixelLayout {
        switch self {
        case .yuv420p: .planarYUV(horizontal: 2, vertical: 2, bytes: 1)
        case .yuv422p: .planarYUV(horizontal: 2, vertical: 1, bytes: 1)
        case .yuv444p: .planarYUV(horizontal: 1, vertical: 1, bytes: 1)
        case .yuva420p: .planarYUV(horizontal: 2, vertical: 2, bytes: 1, alpha: true)
        case .yuv420p10le: .planarYUV(horizontal: 2, vertical: 2, bytes: 2)
        case .yuv422p10le: .planarYUV(horizontal: 2, vertical: 1, bytes: 2)
        case .yuv444p10le: .planarYUV(horizontal: 1, vertical: 1, bytes: 2)
        case .yuva444p10le: .planarYUV(horizontal: 1, vertical: 1, bytes: 2, alpha: true)
        case .nv12, .nv21: .semiPlanarYUV(vertical: 2, bytes: 1)
        case .nv16: .semiPlanarYUV(vertical: 1, bytes: 1)
        case .p010le: .semiPlanarYUV(vertical: 2, bytes: 2)
        case .yuyv422, .yvyu422, .uyvy422: .packed(bytesPerGroup: 4, pixelsPerGroup: 2)
        case .gray: .packed(bytesPerGroup: 1)
        case .gray10le, .gray12le, .gray16le, .rgb565le: .packed(bytesPerGroup: 2)
        case .rgb24, .bgr24: .packed(bytesPerGroup: 3)
        case .rgba, .bgra: .packed(bytesPerGroup: 4)
        case .rgb48le: .packed(bytesPerGroup: 6)
        case .rgba64le: .packed(bytesPerGroup: 8)
        }
    }

    /// Significant bits of a component (bits; 5…16).
    public var bitDepth: Int {
        switch self {
        case .yuv420p10le, .yuv422p10le, .yuv444p10le, .yuva444p10le, .p010le, .gray10le: 10
        case .gray12le: 12
        case .gray16le, .rgb48le, .rgba64le: 16
        case .rgb565le: 5
        default: 8
        }
    }

    public var isRGB: Bool {
        switch self {
        case .rgb24, .bgr24, .rgba, .bgra, .rgb565le, .rgb48le, .rgba64le: true
        default: false
        }
    }

    public var hasAlpha: Bool {
        switch self {
        case .yuva420p, .yuva444p10le, .rgba, .bgra, .rgba64le: true
        default: false
        }
    }
}

/// The planes of a pixel format.
public struct PixelLayout: Sendable, Hashable {
    /// One plane: groups of pixels, each some bytes, in rows.
    public struct Plane: Sendable, Hashable {
        /// Bytes of one group (bytes; positive).
        public let bytesPerGroup: Int
        /// Frame columns one group covers (pixels; 1 or 2).
        public let pixelsPerGroup: Int
        /// Frame rows one plane row covers (pixels; 1 or 2).
        public let rowsPerRow: Int

        /// Bytes of a row without padding (bytes).
        public func bytesPerRow(width: Int) -> Int {
            (width + pixelsPerGroup - 1) / pixelsPerGroup * bytesPerGroup
        }

        /// Rows of the plane (rows).
        public func rows(height: Int) -> Int { (height + rowsPerRow - 1) / rowsPerRow }
    }

    public let planes: [Plane]

    static func planarYUV(
        horizontal: Int, vertical: Int, bytes: Int, alpha: Bool = false
    ) -> PixelLayout {
        let luma = Plane(bytesPerGroup: bytes, pixelsPerGroup: 1, rowsPerRow: 1)
        let chroma = Plane(bytesPerGroup: bytes, pixelsPerGroup: horizontal, rowsPerRow: vertical)
        return PixelLayout(planes: [luma, chroma, chroma] + (alpha ? [luma] : []))
    }

    static func semiPlanarYUV(vertical: Int, bytes: Int) -> PixelLayout {
        PixelLayout(planes: [
            Plane(bytesPerGroup: bytes, pixelsPerGroup: 1, rowsPerRow: 1),
            Plane(bytesPerGroup: 2 * bytes, pixelsPerGroup: 2, rowsPerRow: vertical),
        ])
    }

    static func packed(bytesPerGroup: Int, pixelsPerGroup: Int = 1) -> PixelLayout {
        PixelLayout(planes: [
            Plane(bytesPerGroup: bytesPerGroup, pixelsPerGroup: pixelsPerGroup, rowsPerRow: 1)
        ])
    }
}
