internal import CFFmpeg
package import Media

extension StillEncoder {
    /// A PNG of 16 bits that keeps light and colours of its frame and states them.
    /// - Parameter format: of the picture, which has no opacity.
    ///
    /// Source: PNG Third Edition, 11.3.2.6 (cICP); H.273, 8.1 to 8.3.
    package static func encodeLight(
        _ frame: PixelBuffer, format: VideoFormat
    ) throws(MediaError) -> [UInt8] {
        let source = format.withStatedColor
        var target = source
        target.coding = .raw(.rgb48le)
        target.color.matrix = 0
        target.color.range = .full
        var picture = try PixelConverter(from: source, to: target).convert(frame)
        picture.withMutablePlanes { planes in
            for row in 0..<planes[0].rows {
                let words = UnsafeMutableRawPointer(planes[0].row(row))
                    .assumingMemoryBound(to: UInt16.self)
                for index in 0..<(3 * target.width) { words[index] = words[index].bigEndian }
            }
        }
        let context = try context(of: .png)
        context.pointer.pointee.width = Int32(target.width)
        context.pointer.pointee.height = Int32(target.height)
        context.pointer.pointee.pix_fmt = AV_PIX_FMT_RGB48BE
        try context.open([])
        let bytes = try encode(picture, AV_PIX_FMT_RGB48BE, with: context)
        return adding(
            chunk: "cICP", [target.color.primaries, target.color.transfer, 0, 1], to: bytes)
    }
}
