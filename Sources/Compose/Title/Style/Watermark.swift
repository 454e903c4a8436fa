public import Media

/// A text or an image that stays at a place over the film: in a corner, at an edge, in the middle or anywhere, all the
/// time or for a span.
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

    /// What of the frame the mark is held by.
    public enum Anchor: String, Sendable, Hashable, CaseIterable, Codable {
        case topLeft = "top-left"
        case top
        case topRight = "top-right"
        case left, center, right
        case bottomLeft = "bottom-left"
        case bottom
        case bottomRight = "bottom-right"

        /// Where in the frame, and where in the mark: 0 left or up, 1 right or down.
        var point: Point {
            let index = Self.allCases.firstIndex(of: self) ?? 0
            return Point(x: Double(index % 3) / 2, y: Double(index / 3) / 2)
        }
    }

    public var contents: Contents
    /// Default: bottom right. An anchor or an origin takes its place.
    public var corner: Corner
    /// A corner, the middle of an edge or of the frame (default: the corner's).
    public var anchor: Anchor?
    /// Distance from the frame's edges, which the middle does not have (fractions of the frame's shorter side; 0…1;
    /// default 5 % of its width and of its height).
    public var horizontalMargin: Double?
    public var verticalMargin: Double?
    /// Exactly where the mark's upper left corner is (pixels of the film; default: by the anchor).
    public var origin: Point?
    /// When it shows (timeline time; default: always).
    public var timeRange: MediaTimeRange?
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
    ///   - timeRange: when it shows (timeline time); nil: as the watermark says.
    public func layer(renderSize: PixelSize, timeRange: MediaTimeRange? = nil) -> Layer {
        let stage = TitleStage(
            timeRange: MediaTimeRange(start: .zero, duration: .zero), renderSize: renderSize,
            look: look)
        let tall = max(1, (stage.unit * size).rounded())
        var frame = frame(on: stage, tall: tall)
        let hold = origin == nil ? anchorInUse.point : Point(x: 0, y: 0)
        let drawn: Layer.Contents
        switch contents {
        case .text(let text):
            var letters = stage.letters(text, size: max(0.5, tall / 3), weight: 600)
            // letters are smaller than their frame, but stand at its edge
            if origin == nil { frame = stage.inked(frame, size: tall / 3) }
            letters.alignment = hold.x == 0 ? .left : hold.x == 1 ? .right : .center
            letters.verticalAlignment = hold.y == 0 ? .top : hold.y == 1 ? .bottom : .center
            drawn = .text(letters)
        case .image(let path):
            drawn = .image(ImageContents(path: path, alignment: hold))
        }
        var layer = Layer(name: "watermark", contents: drawn, frame: frame)
        layer.opacity = opacity
        layer.timeRange = timeRange ?? self.timeRange
        return layer
    }

    private var anchorInUse: Anchor {
        if let anchor { return anchor }
        return switch corner {
        case .topLeft: .topLeft
        case .topRight: .topRight
        case .bottomLeft: .bottomLeft
        case .bottomRight: .bottomRight
        }
    }

    /// As wide as there is room.
    private func frame(on stage: TitleStage, tall: Double) -> Rectangle {
        if let origin {
            return Rectangle(
                x: origin.x, y: origin.y, width: max(1, stage.width - max(0, origin.x)),
                height: tall)
        }
        let margin = Point(
            x: horizontalMargin.map { ($0 * stage.unit).rounded() } ?? stage.margin.x,
            y: verticalMargin.map { ($0 * stage.unit).rounded() } ?? stage.margin.y)
        let held = anchorInUse.point.y
        let top =
            held == 0
            ? margin.y
            : held == 1 ? stage.height - margin.y - tall : ((stage.height - tall) / 2).rounded()
        return Rectangle(
            x: margin.x, y: top, width: max(1, stage.width - 2 * margin.x), height: tall)
    }
}
