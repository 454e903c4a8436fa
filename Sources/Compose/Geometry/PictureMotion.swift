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
        let picture = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let room = Size(width: Double(frame.width), height: Double(frame.height))
        let cover = max(room.width / size.width, room.height / size.height)
        let place = ViewPlace(
            from: from, to: to, at: share, of: picture, in: room, (cover, cover))
        let scale = cover * place.zoom
        return Transform2D(
            a: scale, b: 0, c: 0, d: scale, tx: room.width / 2 - place.x * scale,
            ty: room.height / 2 - place.y * scale)
    }
}
