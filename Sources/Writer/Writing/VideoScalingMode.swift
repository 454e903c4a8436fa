/// How a frame of another shape comes into one of a wanted size. Shapes are those that are seen: the pixels' own
/// shape counts.
public enum VideoScalingMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The whole frame, as large as it fits; the wanted size shrinks to it, and there are no bars.
    case fit
    /// Stretched to the wanted size, whatever that does to its shape.
    case resize
    /// The whole frame, as large as it fits, between black bars.
    case resizeAspect
    /// The middle of the frame, so that the wanted size is full.
    case resizeAspectFill
}
