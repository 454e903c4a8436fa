internal import LibAV
public import Media

extension QRCode {
    /// The format of the frames that `draw` draws.
    /// - Parameter side: of the square frame (pixels; even).
    public static func frameFormat(side: Int) -> VideoFormat {
        VideoFormat(coding: .raw(.yuv420p), width: side, height: side)
    }

    /// Draws it as large as it fits into the middle of a square frame, each module as many pixels wide as high.
    /// - Parameter frame: of `frameFormat`, of at least `side + 2 * quiet` pixels a side; nobody else has it.
    public func draw(into frame: inout PixelBuffer) {
        let (width, height) = (frame.width, frame.height)
        let module = max(1, min(width, height) / (side + 2 * Self.quiet))
        let (left, top) = ((width - side * module) / 2, (height - side * module) / 2)
        frame.withMutablePlanes { planes in
            for row in 0..<height {
                // white and black of video range
                planes[0].row(row).update(repeating: 235, count: width)
                guard row >= top, row < top + side * module else { continue }
                for column in 0..<side where isDark(column: column, row: (row - top) / module) {
                    planes[0].row(row).advanced(by: left + column * module)
                        .update(repeating: 16, count: module)
                }
            }
            for plane in planes.dropFirst() {
                for row in 0..<(height + 1) / 2 {
                    plane.row(row).update(repeating: 128, count: (width + 1) / 2)
                }
            }
        }
    }

    /// As a PNG file.
    /// - Parameter least: of its side (pixels); modules are whole pixels.
    public func png(least: Int = 1000) throws(MediaError) -> [UInt8] {
        let outer = side + 2 * Self.quiet
        let length = (outer * max(1, (least + outer - 1) / outer) + 1) / 2 * 2
        var frame = PixelBuffer(width: length, height: length, format: .yuv420p)
        draw(into: &frame)
        return try StillEncoder.encode(frame, format: Self.frameFormat(side: length), as: .png)
    }
}
