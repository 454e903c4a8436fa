/// Which part of the render area a layer may show, beside its own edges: a shape, or what a picture says. It lies
/// still in the render area, wherever the layer moves, and cuts the layer's fill, border and shadow as well.
public struct LayerMask: Sendable, Hashable {
    public enum Area: Sendable, Hashable {
        /// A rectangle with round corners (pixels of the render area), a circle where the radius is half of each side.
        /// Nothing where it has no size.
        case shape(Rectangle, cornerRadius: Double)
        /// Where the luma of a picture file, stretched to the render area, lies below a threshold: black is 0, white
        /// 1, and what is transparent is black. A threshold of 1 or more without softness is everywhere.
        case picture(path: String, threshold: Double)
    }

    public var area: Area
    /// Over how much the area's edge goes from 1 to 0, inwards: pixels of the render area, of a picture its luma (not
    /// negative; of a picture at most 1; default 0). A place with a luma shows (threshold − luma) / softness, cut to
    /// 0…1.
    public var softness: Double
    /// Whether everything else shows (default no).
    public var isInverted: Bool

    public init(_ area: Area, softness: Double = 0, isInverted: Bool = false) {
        (self.area, self.softness, self.isInverted) = (area, softness, isInverted)
    }

    /// A circle about a point (pixels of the render area).
    public static func circle(
        x: Double, y: Double, radius: Double, softness: Double = 0, isInverted: Bool = false
    ) -> LayerMask {
        let side = Rectangle(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius)
        return LayerMask(
            .shape(side, cornerRadius: radius), softness: softness, isInverted: isInverted)
    }

    /// The picture file it takes.
    public var imagePath: String? {
        if case .picture(let path, _) = area { path } else { nil }
    }
}

extension LayerMask {
    /// Whether a ramp may lead from one to the other: only numbers differ.
    func isLike(_ other: LayerMask) -> Bool {
        guard isInverted == other.isInverted else { return false }
        return switch (area, other.area) {
        case (.shape, .shape): true
        case (.picture(let path, _), .picture(let theirs, _)): path == theirs
        default: false
        }
    }

    /// Between it and one that is like it. A curve may lead beyond both: no size falls below zero.
    func mixed(_ other: LayerMask, _ part: Double) -> LayerMask {
        guard part != 0 else { return self }
        guard part != 1, isLike(other) else { return other }
        var result = self
        result.softness = max(0, softness.mixed(other.softness, part))
        switch (area, other.area) {
        case (.shape(let from, let radius), .shape(let to, let other)):
            // the middle keeps to its way where the size stops at nothing
            let x = (from.x + from.width / 2).mixed(to.x + to.width / 2, part)
            let y = (from.y + from.height / 2).mixed(to.y + to.height / 2, part)
            let width = max(0, from.width.mixed(to.width, part))
            let height = max(0, from.height.mixed(to.height, part))
            result.area = .shape(
                Rectangle(x: x - width / 2, y: y - height / 2, width: width, height: height),
                cornerRadius: max(0, radius.mixed(other, part)))
        case (.picture(let path, let from), .picture(_, let to)):
            result.area = .picture(path: path, threshold: from.mixed(to, part))
        default: break
        }
        return result
    }

    /// The same in frames of another size. A circle stays one, and reaches as far at least.
    /// - Parameter scale: only scales.
    func scaled(by scale: Transform2D) -> LayerMask {
        guard case .shape(let shape, let radius) = area else { return self }
        let factor = max(scale.a, scale.d)
        let middle = scale.apply(x: shape.x + shape.width / 2, y: shape.y + shape.height / 2)
        let (width, height) = (shape.width * factor, shape.height * factor)
        var result = self
        result.softness *= factor
        result.area = .shape(
            Rectangle(
                x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height),
            cornerRadius: radius * factor)
        return result
    }
}

extension VideoComposition {
    /// The picture files of its layers' masks and areas, each once.
    var maskPaths: [String] {
        var seen: Set<String> = []
        return instructions.flatMap(\.layers).flatMap { layer in
            let areas = layer.shownAreas + layer.effects.flatMap(\.areas)
            return layer.masks.flatMap { [$0.start.imagePath, $0.end.imagePath] }
                + areas.flatMap { [$0.start.picture, $0.end.picture] }
        }.compactMap(\.self).filter { seen.insert($0).inserted }
    }
}
