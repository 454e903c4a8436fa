/// Round corners, border and shadow of a layer, along the edge of what its crop leaves of the frame. Lengths are pixels
/// of the render area, whatever the layer's scale.
public struct LayerDecoration: Sendable, Hashable {
    /// A line inside the edge: a layer does not grow by it.
    public struct Border: Sendable, Hashable {
        /// Above 0.
        public var width: Double
        /// With its opacity (default white).
        public var color: Color

        /// A line of a width and a colour.
        public init(width: Double, color: Color = .white) {
            (self.width, self.color) = (width, color)
        }
    }

    /// What falls beside the layer on whatever is behind it. Through a transparent layer it is not seen.
    public struct Shadow: Sendable, Hashable {
        /// With its opacity (default black, half opaque).
        public var color: Color
        /// How far its edge fades to either side (not negative).
        public var blur: Double
        /// How far it lies to the right of the layer (default 0).
        public var x: Double
        /// How far it lies below the layer (default 0).
        public var y: Double

        /// A shadow right behind the layer.
        public init(
            color: Color = Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: Double,
            x: Double = 0, y: Double = 0
        ) {
            (self.color, self.blur, self.x, self.y) = (color, blur, x, y)
        }
    }

    /// At most half of the shorter side counts (not negative; default 0).
    public var cornerRadius: Double
    /// Default none.
    public var border: Border?
    /// Default none.
    public var shadow: Shadow?

    /// A decoration; without arguments none.
    public init(cornerRadius: Double = 0, border: Border? = nil, shadow: Shadow? = nil) {
        (self.cornerRadius, self.border, self.shadow) = (cornerRadius, border, shadow)
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { cornerRadius == 0 && border == nil && shadow == nil }

    /// The same in frames of another size.
    func scaled(by factor: Double) -> LayerDecoration {
        var result = self
        result.cornerRadius *= factor
        result.border?.width *= factor
        result.shadow?.blur *= factor
        result.shadow?.x *= factor
        result.shadow?.y *= factor
        return result
    }
}
