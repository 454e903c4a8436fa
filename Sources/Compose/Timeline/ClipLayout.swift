internal import Media

/// How a clip's upright frame lies in the film's.
struct ClipLayout {
    /// From the upright frame to the film's.
    let transform: Transform2D
    /// What of the upright frame shows; nil: all.
    let crop: Rectangle?
    /// How large that is in the film, before it is rotated (pixels).
    let shown: Size

    /// A clip that is fitted into all of the frame, or into its place.
    /// - Parameters:
    ///   - size: of the upright frame (pixels).
    ///   - fit: not `blurred`.
    init(_ item: VideoItem, of size: Size, in frame: PixelSize, _ fit: FitMode) {
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        var visible = item.crop == ClipCrop() ? whole : item.crop.rectangle(of: size)
        let place = item.place ?? ClipPlace(left: 0, top: 0, width: 1, height: 1)
        let room = Self.room(place, Size(width: visible.width, height: visible.height), frame)
        let (across, down) = (room.width / visible.width, room.height / visible.height)
        var scale = (x: across, y: down)
        if place.width != nil, place.height != nil {
            switch fit {
            case .stretch: break
            case .contain, .blurred: scale = (min(across, down), min(across, down))
            case .cover: scale = (max(across, down), max(across, down))
            }
        }
        if item.place != nil {
            // what of a covering clip lies outside of its place
            let width = min(visible.width, room.width / scale.x)
            let height = min(visible.height, room.height / scale.y)
            visible.x += (visible.width - width) / 2
            visible.y += (visible.height - height) / 2
            (visible.width, visible.height) = (width, height)
        }
        var shown = Size(width: visible.width * scale.x, height: visible.height * scale.y)
        var middle = Point(x: room.x + room.width / 2, y: room.y + room.height / 2)
        if item.place != nil, place.rotation == 0 {
            // edges on whole steps of the chroma grid are sharp
            let (left, width) = Self.onGrid(middle.x, shown.width)
            let (top, height) = Self.onGrid(middle.y, shown.height)
            middle = Point(x: left + width / 2, y: top + height / 2)
            shown = Size(width: width, height: height)
            scale = (width / visible.width, height / visible.height)
        }
        self.shown = shown
        crop = visible == whole ? nil : visible
        let centred = Transform2D.translation(
            x: -visible.x - visible.width / 2, y: -visible.y - visible.height / 2
        ).followed(by: .scale(x: scale.x, y: scale.y))
        transform = centred.followed(by: .rotation(degrees: place.rotation))
            .followed(by: .translation(x: middle.x, y: middle.y))
    }

    /// The rectangle of the frame that a place is (pixels).
    /// - Parameter size: of what is shown there (pixels).
    private static func room(
        _ place: ClipPlace, _ size: Size, _ frame: PixelSize
    ) -> Rectangle {
        let (across, down) = (Double(frame.width), Double(frame.height))
        let isBare = place.width == nil && place.height == nil
        let wide = (isBare ? 0.3 : place.width).map { $0 * across }
        let tall = place.height.map { $0 * down }
        let width = wide ?? (tall ?? 0) * size.width / size.height
        let height = tall ?? width * size.height / size.width
        let (hold, margin) = (place.anchor.point, place.margin * min(across, down))
        /// Along one side: at the beginning, in the middle, or at the end.
        func start(_ hold: Double, _ whole: Double, _ length: Double) -> Double {
            hold == 0.5
                ? (whole - length) / 2 : hold == 0 ? margin : whole - length - margin
        }
        return Rectangle(
            x: place.left.map { $0 * across } ?? start(hold.x, across, width),
            y: place.top.map { $0 * down } ?? start(hold.y, down, height), width: width,
            height: height)
    }

    /// The nearest span of whole steps of two pixels.
    private static func onGrid(_ middle: Double, _ length: Double) -> (Double, Double) {
        let width = max(2, (length / 2).rounded() * 2)
        return (((middle - width / 2) / 2).rounded() * 2, width)
    }
}

extension Transform2D {
    /// About the origin, clockwise; quarters are exact.
    static func rotation(degrees: Double) -> Transform2D {
        let angle = degrees.remainder(dividingBy: 360)
        let exact: [Double: (Double, Double)] = [
            0: (1, 0), 90: (0, 1), 180: (-1, 0), -180: (-1, 0), -90: (0, -1),
        ]
        let radians = angle * .pi / 180
        let (cosine, sine) =
            exact[angle] ?? (Trigonometry.cosine(radians), Trigonometry.sine(radians))
        return Transform2D(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }
}

extension PlacedClip {
    /// Whether it has a shape of its own in the frame, so that what is behind it is seen beside it.
    var isFramed: Bool {
        isOverlay || item.place != nil || item.crop != ClipCrop() || item.look != ClipLook()
    }

    /// Nil: it shows nothing.
    /// - Parameter usual: the project's.
    func layout(in frame: PixelSize, _ usual: FitMode) -> ClipLayout? {
        guard let format else { return nil }
        let fit = item.fit ?? usual
        return ClipLayout(
            item, of: format.uprightSize, in: frame, fit == .blurred ? .contain : fit)
    }
}
