/// One frame dissolves into the other while both change their size about the middle of the frame.
public struct ZoomTransition: TransitionEffect {
    public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        /// The old frame grows towards the viewer.
        case inward
        /// The same backwards: the new frame comes from the viewer.
        case outward
    }

    public var direction: Direction

    public init(_ direction: Direction = .inward) { self.direction = direction }

    /// How large the frame becomes that grows, or from where it comes: both are larger than the frame, so that no edge
    /// of a picture is seen.
    private static let near = 2.0
    private static let far = 1.25

    public func instruction(
        from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
    ) -> Instruction {
        let isInward = direction == .inward
        let (nearer, farther) = isInward ? (old, new) : (new, old)
        // what is near goes, or comes, in front
        func way(_ progress: Double) -> Double { isInward ? progress : 1 - progress }
        func map(_ size: Double) -> Transform2D {
            let (x, y) = (Double(span.frame.width) / 2, Double(span.frame.height) / 2)
            return Transform2D.translation(x: -x, y: -y).followed(by: .scale(x: size, y: size))
                .followed(by: .translation(x: x, y: y))
        }
        var front = nearer.covering(span)
        front = Transition.Side(
            layer: front, width: nearer.width, height: nearer.height
        ).moving(over: span) { map(max(1, 1.0.mixed(Self.near, way($0)))) }
        front.opacities = span.opacity(from: isInward ? 1 : 0, to: isInward ? 0 : 1)
        let back = farther.moving(over: span) { map(max(1, Self.far.mixed(1, way($0)))) }
        return span.instruction([front, back])
    }
}
