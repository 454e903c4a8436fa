internal import Media

extension Transition {
    /// A layer that takes part in a transition, with the frame it will show.
    public struct Side: Sendable, Hashable {
        /// With transforms that only scale and shift.
        public var layer: LayerInstruction
        /// Of the upright frame with square pixels (pixels).
        public var width: Double
        public var height: Double
        /// Whether something can be seen through the frame itself.
        public var mayBeTransparent: Bool

        public init(
            layer: LayerInstruction, width: Double, height: Double, mayBeTransparent: Bool = false
        ) {
            self.layer = layer
            self.width = width
            self.height = height
            self.mayBeTransparent = mayBeTransparent
        }
    }
}

extension Transition.Side {
    /// The frame in pixels of the picture.
    private func area(_ frame: PixelSize, through map: Transform2D) -> Rectangle {
        Rectangle(
            x: -map.tx / map.a, y: -map.ty / map.d, width: Double(frame.width) / map.a,
            height: Double(frame.height) / map.d)
    }

    /// The layer with bars of its own where it does not cover the frame, or can be seen through: without them the other
    /// clip would be seen there at once.
    public func covering(_ span: TransitionSpan) -> LayerInstruction {
        guard layer.fill == .none else { return layer }
        let frame = span.frame
        let maps = layer.needed(in: span.timeRange).transforms.flatMap { [$0.start, $0.end] }
        let isCovering = (maps.isEmpty ? [.identity] : maps).allSatisfy { map in
            let (left, top) = map.apply(x: 0, y: 0)
            let (right, bottom) = map.apply(x: width, y: height)
            return left < 0.01 && top < 0.01 && right > Double(frame.width) - 0.01
                && bottom > Double(frame.height) - 0.01
        }
        var result = layer
        if !isCovering || mayBeTransparent { result.fill = .color(span.background) }
        return result
    }

    /// The layer moving with its whole frame, and cut to that frame: a picture that covers it stands out
    /// of it, and a fill would lie over all of the render area.
    ///
    /// - Parameters:
    ///   - span: where and when the clips overlap.
    ///   - map: where the frame lies at a progress of the transition, which a curve may lead to -1…2 (from the render
    ///     area to itself; it only scales and shifts, and never to nothing).
    public func moving(
        over span: TransitionSpan, by map: (_ progress: Double) -> Transform2D
    ) -> LayerInstruction {
        let frame = span.frame
        var result = layer
        let pieces = layer.pieces(over: span.timeRange, layer.transforms.map(\.timeRange)) {
            time, share in
            let own = layer.transform(at: time)
            return FrameState(
                transform: own.followed(by: map(max(-1, min(2, span.curve.value(at: share))))),
                crop: area(frame, through: own), frame: frame)
        }
        guard let first = pieces.first else { return result }
        result.transforms = pieces.map {
            TransformRamp(timeRange: $0.0, from: $0.1.transform, to: $0.2.transform)
        }
        result.crops =
            layer.isMoving
            ? pieces.map { CropRectangleRamp(timeRange: $0.0, from: $0.1.crop, to: $0.2.crop) }
            : [CropRectangleRamp(CropRectangle(first.1.crop))]
        return result
    }

    /// What is left of the frame while an edge moves over it. The other three edges lie so far outside
    /// that their softness is not seen.
    func wipe(
        _ direction: Transition.Direction, softness: Double, over span: TransitionSpan
    ) -> [CropRectangleRamp] {
        let frame = span.frame
        let isAcross = direction == .left || direction == .right
        func soft(_ map: Transform2D) -> Double {
            let area = area(frame, through: map)
            return softness * (isAcross ? area.width : area.height)
        }
        let pieces = layer.pieces(over: span.timeRange, layer.transforms.map(\.timeRange)) {
            time, share in
            let map = layer.transform(at: time)
            let (area, soft) = (area(frame, through: map), soft(map))
            // all of it shows, soft edges outside
            let start = Rectangle(
                x: area.x - soft, y: area.y - soft, width: area.width + 2 * soft,
                height: area.height + 2 * soft)
            var end = start
            switch direction {
            case .left: end.width = soft
            case .up: end.height = soft
            case .right: (end.x, end.width) = (area.x + area.width, soft)
            case .down: (end.y, end.height) = (area.y + area.height, soft)
            }
            return FrameState(
                transform: map,
                crop: start.mixed(end, max(0, min(1, span.curve.value(at: share)))), frame: frame)
        }
        return pieces.map {
            CropRectangleRamp(
                timeRange: $0.0, from: $0.1.crop, to: $0.2.crop,
                softness: (soft($0.1.transform) + soft($0.2.transform)) / 2)
        }
    }
}

/// A clip that fills the frame, while it moves: where it lies and what of it shows.
private struct FrameState: Rampable {
    let transform: Transform2D
    /// Pixels of the upright frame.
    let crop: Rectangle
    let frame: PixelSize

    static func between(_ from: FrameState, _ to: FrameState, _ part: Double) -> FrameState {
        FrameState(
            transform: from.transform.mixed(to.transform, part),
            crop: from.crop.mixed(to.crop, part), frame: from.frame)
    }

    /// A sixteenth of a pixel, at the frame's corners and at the crop's edges.
    func isNear(_ other: FrameState) -> Bool {
        let (back, theirs) = (transform.inverse ?? .identity, other.transform)
        let corners = [(0.0, 0.0), (Double(frame.width), Double(frame.height))]
        let isStill = corners.allSatisfy { corner in
            let source = back.apply(x: corner.0, y: corner.1)
            let place = theirs.apply(x: source.x, y: source.y)
            return max((place.x - corner.0).magnitude, (place.y - corner.1).magnitude) < 1.0 / 16
        }
        func edges(_ state: FrameState) -> [Double] {
            let (crop, map) = (state.crop, state.transform)
            let (left, top) = map.apply(x: crop.x, y: crop.y)
            let (right, bottom) = map.apply(x: crop.x + crop.width, y: crop.y + crop.height)
            return [left, top, right, bottom]
        }
        return isStill
            && zip(edges(self), edges(other)).allSatisfy { ($0 - $1).magnitude < 1.0 / 16 }
    }
}
