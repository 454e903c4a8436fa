/// What lies in the render area where a layer's frame does not reach. It belongs to the layer: the
/// layer's opacity and crop apply to it, its transform does not.
public enum Fill: Sendable, Hashable, Codable {
    /// Whatever is behind the layer.
    case none
    /// The same frame, covering the whole area and blurred.
    /// `radius`: standard deviation of the blur (pixels of the render area; positive).
    case blurred(radius: Double)
    /// One colour, opaque: bars that fade and are wiped with their frame.
    case color(Color)
}
