public import Media

/// The parts of a frame that every screen shows (EBU R 95), as far as each may be trusted.
public enum SafeArea: Sendable, Hashable, CaseIterable {
    /// Where what happens should lie.
    case action
    /// Where letters should lie.
    case graphics

    /// Width of the border on each side (fraction of the frame's width, above and below of its height).
    public var border: Double {
        switch self {
        case .action: 0.035
        case .graphics: 0.05
        }
    }

    /// Their outlines, and the frame's middle, as a layer of the render area to look at: light lines with dark
    /// edges.
    public static func guides(renderSize: PixelSize) -> Layer {
        let (width, height) = (Double(renderSize.width), Double(renderSize.height))
        let line = max(1, (min(width, height) / 540).rounded())
        // a line of one pixel covers one
        let half = line.truncatingRemainder(dividingBy: 2) / 2
        func snapped(_ place: Double) -> Double { place.rounded() + half }
        var paths = allCases.map { area in
            let (x, y) = (snapped(width * area.border), snapped(height * area.border))
            return BezierPath.rectangle(
                Rectangle(x: x, y: y, width: width - 2 * x, height: height - 2 * y))
        }
        let arm = min(width, height) * 0.03
        var cross = BezierPath()
        let middle = Point(x: snapped(width / 2), y: snapped(height / 2))
        cross.move(to: Point(x: middle.x - arm, y: middle.y))
        cross.addLine(to: Point(x: middle.x + arm, y: middle.y))
        cross.move(to: Point(x: middle.x, y: middle.y - arm))
        cross.addLine(to: Point(x: middle.x, y: middle.y + arm))
        paths.append(cross)
        let frame = Rectangle(x: 0, y: 0, width: width, height: height)
        let dark = Color(red: 0, green: 0, blue: 0, alpha: 0.6)
        let parts = [(3 * line, dark), (line, Color.white)].flatMap { width, color in
            paths.map {
                Layer(
                    name: "guide",
                    contents: .shape(ShapeContents(path: $0, stroke: color, lineWidth: width)),
                    frame: frame)
            }
        }
        return Layer(name: "guides", covering: renderSize, sublayers: parts)
    }
}
