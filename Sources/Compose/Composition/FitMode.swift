package import Media

/// How a picture is brought into a frame of another shape.
public enum FitMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of the picture, in its own shape; bars where it does not reach.
    case contain
    /// All of the frame; what of the picture does not fit is cut off evenly.
    case cover
    /// All of the picture in all of the frame; the shape changes.
    case stretch
    /// As `contain`, with the same picture, covering and blurred, in place of bars.
    case blurred
}

extension FitMode {
    /// From the upright picture to the render area, in its middle.
    package func transform(for format: VideoFormat, in frame: PixelSize) -> Transform2D {
        let size = format.uprightSize
        let across = Double(frame.width) / size.width
        let down = Double(frame.height) / size.height
        let (x, y) =
            switch self {
            case .contain, .blurred: (min(across, down), min(across, down))
            case .cover: (max(across, down), max(across, down))
            case .stretch: (across, down)
            }
        return Transform2D(
            a: x, b: 0, c: 0, d: y,
            tx: (Double(frame.width) - size.width * x) / 2,
            ty: (Double(frame.height) - size.height * y) / 2)
    }

    /// What lies where the picture does not reach.
    package func fill(in frame: PixelSize) -> Fill {
        // a fortieth of the width hides what is shown and costs little
        self == .blurred ? .blurred(radius: max(1, Double(frame.width) / 40)) : .none
    }
}
