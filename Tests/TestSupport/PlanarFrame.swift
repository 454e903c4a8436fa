package import Media

extension SampleBuffer {
    /// A frame of yuv420p.
    /// - Parameters:
    ///   - luma: row after row; as many as the frame has pixels.
    ///   - chroma: of every pixel, blue and red.
    package static func planar(
        _ luma: [UInt8], width: Int, height: Int, at time: MediaTime,
        chroma: (blue: UInt8, red: UInt8) = (128, 128)
    ) -> SampleBuffer {
        var pixels = PixelBuffer(width: width, height: height, format: .yuv420p)
        pixels.withMutablePlanes { planes in
            for row in 0..<height {
                for column in 0..<width { planes[0].row(row)[column] = luma[row * width + column] }
            }
            for (plane, code) in zip(planes.dropFirst(), [chroma.blue, chroma.red]) {
                for row in 0..<plane.rows {
                    plane.row(row).update(repeating: code, count: (width + 1) / 2)
                }
            }
        }
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: width, height: height, color: .bt709)
        return SampleBuffer(
            payload: .pixels(pixels), format: .video(format), presentationTime: time)
    }
}

extension PixelBuffer {
    /// The first plane without its padding, row after row.
    package var luma: [UInt8] { codes(ofPlane: 0) }

    /// A plane without its padding, row after row.
    package func codes(ofPlane index: Int) -> [UInt8] {
        let count = format.layout.planes[index].bytesPerRow(width: width)
        return withPlane(index) { plane in
            (0..<plane.rows).flatMap { UnsafeBufferPointer(start: plane.row($0), count: count) }
        }
    }
}
