extension PixelBuffer {
    /// A black frame, opaque where it has opacity.
    /// - Parameters:
    ///   - format: of its pixels.
    ///   - range: of their codes.
    package static func black(
        width: Int, height: Int, format: PixelFormat, range: ColorDescription.Range
    ) -> PixelBuffer {
        var frame = PixelBuffer(width: width, height: height, format: format)
        let groups = format.blackGroups(range)
        let layout = format.layout.planes
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let group = groups[index]
                let count = layout[index].bytesPerRow(width: width)
                let line = (0..<count).map { group[$0 % group.count] }
                for row in 0..<plane.rows {
                    line.withUnsafeBufferPointer { bytes in
                        guard let base = bytes.baseAddress else { return }
                        plane.row(row).update(from: base, count: count)
                    }
                }
            }
        }
        return frame
    }
}

extension PixelFormat {
    /// Of each plane the bytes of a black group of pixels.
    fileprivate func blackGroups(_ range: ColorDescription.Range) -> [[UInt8]] {
        /// A code of the format's depth, in as many bytes as it has.
        func code(_ eighth: Int) -> [UInt8] {
            guard bitDepth > 8 else { return [UInt8(eighth)] }
            // p010 has its bits at the top
            let value = eighth << (bitDepth - 8 + (self == .p010le ? 6 : 0))
            return [UInt8(value & 255), UInt8(value >> 8)]
        }
        let luma = code(range == .full ? 0 : 16)
        let chroma = code(128)
        let opaque: [UInt8] = bitDepth > 8 ? [255, UInt8((1 << (bitDepth - 8)) - 1)] : [255]
        switch self {
        case .gray, .gray10le, .gray12le, .gray16le: return [luma]
        case .nv12, .nv21, .nv16, .p010le: return [luma, chroma + chroma]
        case .yuyv422, .yvyu422: return [luma + chroma]
        case .uyvy422: return [chroma + luma]
        case .rgba, .bgra: return [[0, 0, 0, 255]]
        case .rgba64le: return [[0, 0, 0, 0, 0, 0, 255, 255]]
        case .rgb24, .bgr24, .rgb565le, .rgb48le: return [[0]]
        case .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le:
            return [luma, chroma, chroma]
        case .yuva420p, .yuva444p10le: return [luma, chroma, chroma, opaque]
        }
    }
}
