public import Media

/// A circle opens and uncovers the new frame, or closes over the old one.
public struct IrisTransition: TransitionEffect {
    public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        /// The new frame comes in a circle that grows.
        case opening
        /// The old frame goes in a circle that shrinks.
        case closing
    }

    public var direction: Direction
    /// Width of the circle's edge (fraction of the radius that reaches all of the frame; 0…1; default 0.02).
    public var softness: Double
    /// The middle of the circle (fractions of the frame; 0…1; default 0.5, 0.5).
    public var center: Point

    public init(
        _ direction: Direction = .opening, softness: Double = 0.02,
        center: Point = Point(x: 0.5, y: 0.5)
    ) {
        self.direction = direction
        self.softness = softness
        self.center = center
    }

    public func validate(_ subject: String) throws(MediaError) {
        guard (0...1).contains(softness) else {
            throw .setting(
                subject, "the softness of \(subject) is \(softness); it can be 0 to 1")
        }
        guard (0...1).contains(center.x), (0...1).contains(center.y) else {
            throw .setting(
                subject,
                "the middle of \(subject) is at \(center.x), \(center.y); each can be 0 to 1")
        }
    }

    public func instruction(
        from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
    ) -> Instruction {
        let (width, height) = (Double(span.frame.width), Double(span.frame.height))
        let (x, y) = (center.x * width, center.y * height)
        let (far, deep) = (max(x, width - x), max(y, height - y))
        // to the corner that is farthest off, and its edge beyond
        let reach = (far * far + deep * deep).squareRoot()
        let softness = softness * reach
        func circle(_ radius: Double) -> LayerMask {
            .circle(
                x: x, y: y, radius: radius, softness: softness, isInverted: direction == .opening)
        }
        let (none, all) = (circle(0), circle(reach + softness))
        var front = old.covering(span)
        front.masks =
            direction == .opening
            ? span.mask(from: none, to: all) : span.mask(from: all, to: none)
        return span.instruction([front, new.layer])
    }
}
