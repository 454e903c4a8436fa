public import Media

/// A text or an image that stays in a corner of the film.
public struct Watermark: Sendable, Hashable {
    public enum Contents: Sendable, Hashable {
        case text(String)
        /// A file (`ImageContents.path`).
        case image(path: String)
    }

    public enum Corner: String, Sendable, Hashable, CaseIterable, Codable {
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
    }

    public var contents: Contents
    /// Default: bottom right.
    public var corner: Corner
    /// 0…1 (default 0.6).
    public var opacity: Double
    /// Height of an image, or of the letters' em times three (fraction of the frame's shorter side; default
    /// 0.1).
    public var size: Double
    public var look: TitleLook

    public init(
        _ contents: Contents, corner: Corner = .bottomRight, opacity: Double = 0.6,
        size: Double = 0.1, look: TitleLook = TitleLook()
    ) {
        self.contents = contents
        self.corner = corner
        self.opacity = opacity
        self.size = size
        self.look = look
    }

    /// The watermark as a layer of the render area.
    /// - Parameters:
    ///   - renderSize: of the film (pixels).
    ///   - timeRange: when it shows (timeline time); nil: always.
    public func layer(renderSize: PixelSize, timeRange: MediaTimeRange? = nil) -> Layer {
        let stage = TitleStage(
            timeRange: MediaTimeRange(start: .zero, duration: .zero), renderSize: renderSize,
            look: look)
        let margin = stage.margin
        let tall = max(1, (stage.unit * size).rounded())
        let wide = max(1, stage.width - 2 * margin.x)
        let isLeft = corner == .topLeft || corner == .bottomLeft
        let isTop = corner == .topLeft || corner == .topRight
        var layer = Layer(
            name: "watermark",
            frame: Rectangle(
                x: margin.x, y: isTop ? margin.y : stage.height - margin.y - tall, width: wide,
                height: tall))
        switch contents {
        case .text(let text):
            var letters = stage.letters(text, size: max(0.5, tall / 3), weight: 600)
            // letters are smaller than their frame, but stand at its edge
            layer = Layer(
                name: layer.name,
                frame: stage.inked(
                    Rectangle(
                        x: margin.x, y: isTop ? margin.y : stage.height - margin.y - tall,
                        width: wide, height: tall), size: tall / 3))
            letters.alignment = isLeft ? .left : .right
            letters.verticalAlignment = isTop ? .top : .bottom
            layer.contents = .text(letters)
        case .image(let path):
            layer.contents = .image(
                ImageContents(
                    path: path, alignment: Point(x: isLeft ? 0 : 1, y: isTop ? 0 : 1)))
        }
        layer.opacity = opacity
        layer.timeRange = timeRange
        return layer
    }
}
