/// A drawn path in a layer, filled, stroked or both.
public struct ShapeContents: Sendable, Hashable {
    public enum LineCap: String, Sendable, Hashable, CaseIterable, Codable {
        case butt, round, square
    }

    public enum LineJoin: String, Sendable, Hashable, CaseIterable, Codable {
        case miter, round, bevel
    }

    /// Which points count as inside where the path crosses itself.
    public enum FillRule: String, Sendable, Hashable, CaseIterable, Codable {
        case winding
        case evenOdd = "even-odd"
    }

    /// In the layer's own coordinates (pixels).
    public var path: BezierPath
    /// nil: not filled.
    public var fill: Color?
    /// nil: not stroked.
    public var stroke: Color?
    /// Width of the stroke (pixels; not negative; default 1).
    public var lineWidth: Double
    public var lineCap: LineCap
    public var lineJoin: LineJoin
    public var fillRule: FillRule
    /// Where along the path the stroke begins and ends (fractions of its length; 0…1; default 0 and 1).
    public var strokeStart: Double
    public var strokeEnd: Double

    public init(
        path: BezierPath, fill: Color? = nil, stroke: Color? = nil, lineWidth: Double = 1,
        lineCap: LineCap = .butt, lineJoin: LineJoin = .miter, fillRule: FillRule = .winding,
        strokeStart: Double = 0, strokeEnd: Double = 1
    ) {
        self.path = path
        self.fill = fill
        self.stroke = stroke
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.fillRule = fillRule
        self.strokeStart = strokeStart
        self.strokeEnd = strokeEnd
    }
}
