import Compose
import Media
import Reading

/// Pictures and titles as filters take them: `bgra` with premultiplied opacity.
enum DrawnPicture {
    /// A picture as large as it is, at most as large as a sticker may be. Blocks.
    static func sticker(_ path: String) throws(MediaError) -> PixelBuffer {
        let asset = try Asset.load(path)
        let track = asset.tracks(of: .video).first
        guard let track, let format = track.format?.video else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot make a sticker of \(path): it holds no picture.")
        }
        if track.sampleCount > 1 {
            Console.shared.warning(
                "of \(path) the first frame alone is shown: a sticker does not move")
        }
        let own = format.uprightPixelSize
        let scale = min(1, 1024 / Double(max(own.width, own.height)))
        let size = PixelSize(
            max(1, Int(Double(own.width) * scale)), max(1, Int(Double(own.height) * scale)))
        return try picture(path, size, .stretch)
    }

    /// A picture that covers a frame. Blocks.
    static func background(_ path: String, _ size: PixelSize) throws(MediaError) -> PixelBuffer {
        try picture(path, size, .cover)
    }

    /// A title in the middle of a frame. Blocks.
    static func title(_ text: String, _ size: PixelSize) throws(MediaError) -> PixelBuffer {
        let span = MediaTimeRange(start: .zero, duration: .seconds(1))
        return try drawn(
            TitleStyle.plain.layer(text: text, timeRange: span, renderSize: size), size)
    }

    private static func picture(
        _ path: String, _ size: PixelSize, _ fit: ImageContents.Fit
    ) throws(MediaError) -> PixelBuffer {
        let frame = Rectangle(
            x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        return try drawn(
            Layer(
                name: path, contents: .image(ImageContents(path: path, fit: fit)), frame: frame),
            size)
    }

    /// What a layer shows, over nothing. Blocks.
    static func drawn(_ layer: Layer, _ size: PixelSize) throws(MediaError) -> PixelBuffer {
        let tiles = try LayerRenderer(layer, renderSize: size).tiles(at: .zero)
        var canvas = PixelBuffer(width: size.width, height: size.height, format: .bgra)
        canvas.withMutablePlanes { planes in
            for row in 0..<size.height {
                planes[0].row(row).update(repeating: 0, count: size.width * 4)
            }
            for tile in tiles { tile.draw(over: planes[0], size) }
        }
        return canvas
    }
}

extension OverlayTile {
    /// Draws it over what is there.
    fileprivate func draw(over plane: MutablePixelPlane, _ size: PixelSize) {
        let (left, right) = (max(x, 0), min(x + image.width, size.width))
        let (top, bottom) = (max(y, 0), min(y + image.height, size.height))
        guard left < right, top < bottom else { return }
        image.withPlane(0) { source in
            for row in top..<bottom {
                let (from, to) = (source.row(row - y), plane.row(row))
                for column in left..<right {
                    let pixel = from.advanced(by: (column - x) * 4)
                    let target = to.advanced(by: column * 4)
                    let rest = 1 - Double(pixel[3]) / 255 * opacity
                    for part in 0..<4 {
                        let mixed = Double(pixel[part]) * opacity + Double(target[part]) * rest
                        target[part] = UInt8(min(mixed.rounded(), 255))
                    }
                }
            }
        }
    }
}
