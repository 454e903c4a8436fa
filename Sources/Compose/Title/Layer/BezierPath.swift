/// Lines and cubic Bézier curves, in any number of open or closed parts.
public struct BezierPath: Sendable, Hashable {
    public enum Element: Sendable, Hashable {
        case move(Point)
        case line(Point)
        case curve(Point, control1: Point, control2: Point)
        /// A straight line back to the last `move`.
        case close
    }

    public private(set) var elements: [Element]

    public init(_ elements: [Element] = []) { self.elements = elements }

    public mutating func move(to point: Point) { elements.append(.move(point)) }
    public mutating func addLine(to point: Point) { elements.append(.line(point)) }
    public mutating func close() { elements.append(.close) }

    public mutating func addCurve(to point: Point, control1: Point, control2: Point) {
        elements.append(.curve(point, control1: control1, control2: control2))
    }

    /// How far a control point of a quarter of a circle lies from its end (fraction of the radius).
    private static let quarter = 0.552_284_749_830_793_4

    /// A rectangle, clockwise from its top left corner.
    /// - Parameters:
    ///   - frame: in the layer's own coordinates (pixels).
    ///   - cornerRadius: of its corners (pixels); at most half the shorter side is used.
    public static func rectangle(_ frame: Rectangle, cornerRadius: Double = 0) -> BezierPath {
        let radius = max(0, min(cornerRadius, frame.width / 2, frame.height / 2))
        let (left, top) = (frame.x, frame.y)
        let (right, bottom) = (frame.x + frame.width, frame.y + frame.height)
        guard radius > 0 else {
            return BezierPath([
                .move(Point(x: left, y: top)), .line(Point(x: right, y: top)),
                .line(Point(x: right, y: bottom)), .line(Point(x: left, y: bottom)), .close,
            ])
        }
        let pull = radius * (1 - quarter)
        func corner(
            _ to: (Double, Double), _ first: (Double, Double), _ second: (Double, Double)
        ) -> Element {
            .curve(
                Point(x: to.0, y: to.1), control1: Point(x: first.0, y: first.1),
                control2: Point(x: second.0, y: second.1))
        }
        return BezierPath([
            .move(Point(x: left + radius, y: top)), .line(Point(x: right - radius, y: top)),
            corner((right, top + radius), (right - pull, top), (right, top + pull)),
            .line(Point(x: right, y: bottom - radius)),
            corner((right - radius, bottom), (right, bottom - pull), (right - pull, bottom)),
            .line(Point(x: left + radius, y: bottom)),
            corner((left, bottom - radius), (left + pull, bottom), (left, bottom - pull)),
            .line(Point(x: left, y: top + radius)),
            corner((left + radius, top), (left, top + pull), (left + pull, top)), .close,
        ])
    }

    /// An ellipse that touches the four sides of a rectangle.
    public static func ellipse(in frame: Rectangle) -> BezierPath {
        let (width, height) = (frame.width / 2, frame.height / 2)
        let (x, y) = (frame.x + width, frame.y + height)
        let (dx, dy) = (width * quarter, height * quarter)
        func arc(_ to: Point, _ first: Point, _ second: Point) -> Element {
            .curve(to, control1: first, control2: second)
        }
        return BezierPath([
            .move(Point(x: x, y: y - height)),
            arc(
                Point(x: x + width, y: y), Point(x: x + dx, y: y - height),
                Point(x: x + width, y: y - dy)),
            arc(
                Point(x: x, y: y + height), Point(x: x + width, y: y + dy),
                Point(x: x + dx, y: y + height)),
            arc(
                Point(x: x - width, y: y), Point(x: x - dx, y: y + height),
                Point(x: x - width, y: y + dy)),
            arc(
                Point(x: x, y: y - height), Point(x: x - width, y: y - dy),
                Point(x: x - dx, y: y - height)), .close,
        ])
    }
}
