public import Media

/// How a picture is brought into a frame of another shape.
public enum FitMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of the frame, in its own shape; bars where it does not reach.
    case contain
    /// All of the frame; what of the picture does not fit is cut off evenly.
    case cover
    /// All of the picture in all of the frame; the shape changes.
    case stretch
    /// As `contain`, with the same frame, covering and blurred, in place of bars.
    case blurred
}

extension FitMode {
    /// From an upright frame with square pixels to the render area, in its middle: what a layer
    /// instruction's transform is.
    /// - Parameters:
    ///   - size: of the frame (pixels; positive), such as `VideoFormat.uprightSize`.
    ///   - frame: the render area (pixels; positive).
    public func transform(from size: Size, in frame: PixelSize) -> Transform2D {
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

    /// The same for frames of a format.
    public func transform(for format: VideoFormat, in frame: PixelSize) -> Transform2D {
        transform(from: format.uprightSize, in: frame)
    }

    /// Where a picture lies in the render area; with `cover` it reaches beyond (pixels).
    /// - Parameters: as of `transform(from:in:)`.
    public func rectangle(of size: Size, in frame: PixelSize) -> Rectangle {
        let map = transform(from: size, in: frame)
        return Rectangle(
            x: map.tx, y: map.ty, width: size.width * map.a, height: size.height * map.d)
    }

    /// What lies where the frame does not reach.
    public func fill(in frame: PixelSize) -> Fill {
        // a fortieth of the width hides what is shown and costs little
        self == .blurred ? .blurred(radius: max(1, Double(frame.width) / 40)) : .none
    }
}
