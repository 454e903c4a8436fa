public import Media

/// What takes the place of a matte's background.
public enum MatteBackground: Sendable {
    /// The frame's own background, so blurred that nothing of it is known.
    case blur
    /// One colour (sRGB; 0…255).
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// A picture of `bgra` with premultiplied opacity, drawn for a size of frames: over the frame's background, and behind
    /// its foreground. A title or an image that is opaque everywhere.
    case picture(isOpaque: Bool, draw: @Sendable (PixelSize) throws -> PixelBuffer)

    /// Whether nothing of the frame's background is left to be seen.
    var hides: Bool {
        switch self {
        case .blur, .color: true
        case .picture(let isOpaque, _): isOpaque
        }
    }
}
