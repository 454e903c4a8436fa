internal import Media

/// How a clip's upright frame lies in the film's.
struct ClipLayout {
    /// From the upright frame to the film's.
    let transform: Transform2D
    /// What of the upright frame shows; nil: all.
    let crop: Rectangle?
    /// How large that is in the film, before it is rotated (pixels).
    let shown: Size
    /// About its middle (degrees).
    let rotation: Double

    /// A clip that does not change: fitted into all of the frame, or into its place.
    /// - Parameters:
    ///   - size: of the upright frame (pixels).
    ///   - fit: not `blurred`.
    init(_ item: VideoItem, of size: Size, in frame: PixelSize, _ fit: FitMode) {
        let visible = item.crop.visible(of: size)
        let place = item.place ?? .wholeFrame
        let room = Self.room(place, visible.size, frame)
        let scale = Self.scale(of: visible.size, in: room.size, place.isTwoSided ? fit : .stretch)
        let view = item.view ?? .init()
        let middle = ViewPlace(from: view, to: view, at: 0, of: visible, in: room.size, scale)
        self.init(
            visible, of: size, in: room, scale, middle, rotation: place.rotation,
            isCut: item.place != nil, isOnGrid: item.place != nil && place.rotation == 0)
    }

    /// - Parameters:
    ///   - visible: what its crop leaves (pixels of the upright frame).
    ///   - room: what it is fitted into (pixels of the film's frame).
    ///   - scale: what its fit makes of a pixel of it.
    ///   - isCut: whether what reaches out of the room is not seen.
    ///   - isOnGrid: whether its edges are moved to whole steps of the chroma grid, where they are sharp.
    init(
        _ visible: Rectangle, of size: Size, in room: Rectangle, _ scale: (x: Double, y: Double),
        _ view: ViewPlace, rotation: Double, isCut: Bool, isOnGrid: Bool
    ) {
        var visible = visible
        var scale = (x: scale.x * view.zoom, y: scale.y * view.zoom)
        let pivot: Point
        if isCut {
            let width = min(visible.width, room.width / scale.x)
            let height = min(visible.height, room.height / scale.y)
            visible = Rectangle(
                x: view.x - width / 2, y: view.y - height / 2, width: width, height: height)
            pivot = Point(x: visible.x + visible.width / 2, y: visible.y + visible.height / 2)
        } else {
            pivot = Point(x: view.x, y: view.y)
        }
        var shown = Size(width: visible.width * scale.x, height: visible.height * scale.y)
        var middle = Point(x: room.x + room.width / 2, y: room.y + room.height / 2)
        if isOnGrid {
            let (left, width) = Self.onGrid(middle.x, shown.width)
            let (top, height) = Self.onGrid(middle.y, shown.height)
            middle = Point(x: left + width / 2, y: top + height / 2)
            shown = Size(width: width, height: height)
            scale = (width / visible.width, height / visible.height)
        }
        (self.shown, self.rotation) = (shown, rotation)
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        crop = visible == whole ? nil : visible
        transform = Transform2D.translation(x: -pivot.x, y: -pivot.y)
            .followed(by: .scale(x: scale.x, y: scale.y))
            .followed(by: .rotation(degrees: rotation))
            .followed(by: .translation(x: middle.x, y: middle.y))
    }

    /// What a fit makes of a pixel.
    static func scale(
        of size: Size, in room: Size, _ fit: FitMode
    ) -> (x: Double, y: Double) {
        let (across, down) = (room.width / size.width, room.height / size.height)
        return switch fit {
        case .stretch: (across, down)
        case .contain, .blurred: (min(across, down), min(across, down))
        case .cover: (max(across, down), max(across, down))
        }
    }

    /// The rectangle of the frame that a place is (pixels).
    /// - Parameter size: of what is shown there (pixels).
    static func room(
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

    /// The nearest rectangle whose edges lie on whole steps of the chroma grid.
    static func onGrid(_ room: Rectangle) -> Rectangle {
        let (left, width) = onGrid(room.x + room.width / 2, room.width)
        let (top, height) = onGrid(room.y + room.height / 2, room.height)
        return Rectangle(x: left, y: top, width: width, height: height)
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

extension ClipPlace {
    /// Of a clip that has no place of its own.
    static let wholeFrame = ClipPlace(left: 0, top: 0, width: 1, height: 1)

    /// Whether both sides are given, so that what has another shape must be fitted.
    var isTwoSided: Bool { width != nil && height != nil }
}

extension ClipCrop {
    /// What is left of a frame of a size; exactly all of it where nothing is cut off (pixels).
    func visible(of size: Size) -> Rectangle {
        self == ClipCrop()
            ? Rectangle(x: 0, y: 0, width: size.width, height: size.height) : rectangle(of: size)
    }
}

extension Rectangle {
    var size: Size { Size(width: width, height: height) }
}

extension VideoItem {
    /// Whether it has a shape of its own in the frame, wherever it is.
    var isFramed: Bool {
        place != nil || crop != ClipCrop() || look != ClipLook()
            || keyframes.contains(where: \.givesShape)
    }
}

extension PlacedClip {
    /// Whether it has a shape of its own in the frame, so that what is behind it is seen beside it.
    var isFramed: Bool { isOverlay || item.isFramed }

    /// As it is at its beginning; nil: it shows nothing.
    /// - Parameter usual: the project's.
    func layout(in frame: PixelSize, _ usual: FitMode) -> ClipLayout? {
        guard let format else { return nil }
        let fit = fit(usual)
        return ClipLayout(
            item, of: format.uprightSize, in: frame, fit == .blurred ? .contain : fit)
    }

    /// How it is fitted: one with a motion covers the frame unless it says itself how.
    /// - Parameter usual: the project's.
    func fit(_ usual: FitMode) -> FitMode {
        item.fit ?? (wantedMotion == .none ? usual : .cover)
    }
}
