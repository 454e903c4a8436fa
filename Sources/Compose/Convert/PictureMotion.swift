internal import Glibc
internal import Media

/// A slow pan and zoom over a still picture: from one view of it to another, at even speed.
///
/// Views always cover the frame: one that would reach beyond the picture's edge ends there.
public struct PictureMotion: Sendable, Hashable {
    /// What of a picture fills the frame.
    public struct View: Sendable, Hashable {
        /// How much larger the picture is than it has to be to cover the frame (factor; 1…10).
        public var zoom: Double
        /// What of the picture lies in the middle of the frame (0…1 from the left).
        public var x: Double
        /// What of the picture lies in the middle of the frame (0…1 from the top).
        public var y: Double

        public init(zoom: Double = 1, x: Double = 0.5, y: Double = 0.5) {
            (self.zoom, self.x, self.y) = (zoom, x, y)
        }
    }

    public var from: View
    public var to: View

    public init(from: View, to: View) { (self.from, self.to) = (from, to) }

    public static let inwards = PictureMotion(from: View(), to: View(zoom: 1.2))
    public static let outwards = PictureMotion(from: View(zoom: 1.2), to: View())
    /// The view moves so; the picture the other way.
    public static let leftwards = PictureMotion(
        from: View(zoom: 1.15, x: 1), to: View(zoom: 1.15, x: 0))
    public static let rightwards = PictureMotion(
        from: View(zoom: 1.15, x: 0), to: View(zoom: 1.15, x: 1))
    public static let upwards = PictureMotion(
        from: View(zoom: 1.15, y: 1), to: View(zoom: 1.15, y: 0))
    public static let downwards = PictureMotion(
        from: View(zoom: 1.15, y: 0), to: View(zoom: 1.15, y: 1))

    /// - Throws: `invalid-setting`.
    func validate() throws(MediaError) {
        for view in [from, to] {
            guard (1...10).contains(view.zoom) else {
                throw .setting("motion", "A zoom of \(view.zoom) is outside 1 to 10.")
            }
            guard (0...1).contains(view.x), (0...1).contains(view.y) else {
                throw .setting("motion", "The motion leads out of the picture.")
            }
        }
    }

    /// From the upright picture to the frame.
    /// - Parameter share: how much of the time has passed (0…1).
    func transform(
        for format: VideoFormat, in frame: PixelSize, at share: Double
    ) -> Transform2D {
        let size = format.uprightSize
        let cover = max(Double(frame.width) / size.width, Double(frame.height) / size.height)
        let first = Place(from, size.width, size.height, cover, frame)
        let last = Place(to, size.width, size.height, cover, frame)
        let place = first.mixed(last, share)
        return Transform2D(
            a: place.scale, b: 0, c: 0, d: place.scale,
            tx: Double(frame.width) / 2 - place.x * place.scale,
            ty: Double(frame.height) / 2 - place.y * place.scale)
    }

    /// A view that lies within the picture.
    private struct Place {
        /// Of the picture (pixels of the frame a pixel).
        var scale: Double
        /// In the frame's middle (pixels of the picture).
        var x: Double
        var y: Double

        init(
            _ view: View, _ width: Double, _ height: Double, _ cover: Double, _ frame: PixelSize
        ) {
            scale = cover * view.zoom
            let (across, down) = (
                Double(frame.width) / scale / 2, Double(frame.height) / scale / 2
            )
            x = min(max(view.x * width, across), max(across, width - across))
            y = min(max(view.y * height, down), max(down, height - down))
        }

        private init(scale: Double, x: Double, y: Double) {
            (self.scale, self.x, self.y) = (scale, x, y)
        }

        /// Between two views: all scales grow by the same factor in the same time, and what stands still in
        /// both stands still all along.
        func mixed(_ other: Place, _ share: Double) -> Place {
            guard scale != other.scale else {
                return Place(
                    scale: scale, x: x + (other.x - x) * share, y: y + (other.y - y) * share)
            }
            let between = scale * pow(other.scale / scale, share)
            let part = (1 / between - 1 / scale) / (1 / other.scale - 1 / scale)
            return Place(
                scale: between, x: x + (other.x - x) * part, y: y + (other.y - y) * part)
        }
    }
}
