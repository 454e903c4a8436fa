internal import Media

/// How a clip lies in the frame and looks while it changes.
struct ClipAnimation {
    /// Of the upright frame (pixels).
    private let size: Size
    private let frame: PixelSize
    /// Not `blurred`.
    private let fit: FitMode
    /// Nil: all of the frame.
    private let places: KeyTrack<ClipPlace?>
    private let views: KeyTrack<PictureMotion.View>
    private let crops: KeyTrack<ClipCrop>
    private let radii: KeyTrack<Double>
    private let borders: KeyTrack<ClipLook.Border?>
    private let shadows: KeyTrack<ClipLook.Shadow?>
    /// Whether what reaches out of its room is not seen.
    private let isCut: Bool

    /// Nil: neither its place nor its shape changes.
    /// - Parameters:
    ///   - size: of the upright frame (pixels).
    ///   - fit: not `blurred`.
    init?(_ clip: PlacedClip, of size: Size, in frame: PixelSize, _ fit: FitMode) {
        let item = clip.item
        func keys<Value>(
            _ value: (ClipKeyframe) -> Value?
        ) -> [(time: MediaTime, curve: TimingCurve, value: Value?)] {
            item.keyframes.map { ($0.time, $0.curve, value($0)) }
        }
        (self.size, self.frame, self.fit) = (size, frame, fit)
        places = KeyTrack(item.place, keys { $0.place.map { .some($0) } })
        let visible = item.crop.visible(of: size).size
        let room = ClipLayout.room(item.place ?? .wholeFrame, visible, frame).size
        if let motion = clip.wantedMotion.motion(
            turn: clip.motionTurn, over: visible, in: room, fit)
        {
            views = KeyTrack(motion.from, [(.timeline(clip.ticks), .linear, motion.to)])
        } else {
            views = KeyTrack(item.view ?? .init(), keys(\.view))
        }
        crops = KeyTrack(item.crop, keys(\.crop))
        radii = KeyTrack(item.look.cornerRadius, keys(\.cornerRadius))
        borders = KeyTrack(item.look.border, keys { $0.border.map { .some($0) } })
        shadows = KeyTrack(item.look.shadow, keys { $0.shadow.map { .some($0) } })
        isCut = places.keys.contains { $0.value != nil }
        if places.isConstant, views.isConstant, crops.isConstant, radii.isConstant,
            borders.isConstant, shadows.isConstant
        {
            return nil
        }
    }

    /// Where it may bend or jump (ticks from its beginning, in no order).
    var bends: [Int64] {
        places.ticks + views.ticks + crops.ticks + radii.ticks + borders.ticks + shadows.ticks
    }

    /// At an instant.
    /// - Parameters:
    ///   - tick: from the clip's beginning.
    ///   - isBefore: what it comes to from before, where it jumps.
    func state(at tick: Int64, before isBefore: Bool) -> ClipState {
        let crop = crops.value(at: tick, before: isBefore) { $0.mixed($1, $2) }
        let visible = crop.visible(of: size)
        let layout = layout(of: visible, at: tick, isBefore)
        let border = borders.value(at: tick, before: isBefore) { from, to, part in
            let (start, end) = (ClipLook(border: from), ClipLook(border: to))
            return start.mixed(end, part).border
        }
        let shadow = shadows.value(at: tick, before: isBefore) { from, to, part in
            let (start, end) = (ClipLook(shadow: from), ClipLook(shadow: to))
            return start.mixed(end, part).shadow
        }
        let radius = radii.value(at: tick, before: isBefore) { $0.mixed($1, $2) }
        let look = ClipLook(
            cornerRadius: min(0.5, max(0, radius)), border: border, shadow: shadow
        ).limited
        return ClipState(
            transform: layout.transform,
            visible: layout.crop ?? Rectangle(x: 0, y: 0, width: size.width, height: size.height),
            isCropped: layout.crop != nil, rotation: layout.rotation,
            decoration: look.decoration(of: layout.shown, in: frame))
    }

    private func layout(
        of visible: Rectangle, at tick: Int64, _ isBefore: Bool
    ) -> ClipLayout {
        let (from, to, part) = places.span(at: tick, before: isBefore)
        let (start, end) = (from ?? .wholeFrame, to ?? .wholeFrame)
        let cut = crops.span(at: tick, before: isBefore)
        var room = room(start, visible, cut).mixed(room(end, visible, cut), part)
        // a curve may lead beyond both
        let (width, height) = (max(1, room.width), max(1, room.height))
        room = Rectangle(
            x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2,
            width: width, height: height)
        let scale = ClipLayout.scale(
            of: visible.size, in: room.size, fit == .cover ? .cover : .stretch)
        let span = views.span(at: tick, before: isBefore)
        let view = ViewPlace(
            from: span.from, to: span.to, at: span.part, of: visible, in: room.size, scale)
        return ClipLayout(
            visible, of: size, in: room, scale, view,
            rotation: start.rotation.mixed(end.rotation, part), isCut: isCut, isOnGrid: false)
    }

    /// What of a place the clip fills. At rest its edges lie on whole steps of the chroma grid, where they are sharp;
    /// while its crop changes it goes from one such rest to the other without steps.
    private func room(
        _ place: ClipPlace, _ visible: Rectangle,
        _ cut: (from: ClipCrop, to: ClipCrop, part: Double)
    ) -> Rectangle {
        let room = fitted(place, visible.size)
        guard place.rotation == 0 else { return room }
        func step(_ crop: ClipCrop) -> Rectangle {
            let rest = fitted(place, crop.visible(of: size).size)
            return ClipLayout.onGrid(rest).shifted(by: rest, -1)
        }
        return room.shifted(by: step(cut.from).mixed(step(cut.to), cut.part), 1)
    }

    private func fitted(_ place: ClipPlace, _ visible: Size) -> Rectangle {
        let room = ClipLayout.room(place, visible, frame)
        guard place.isTwoSided, fit == .contain else { return room }
        let scale = min(room.width / visible.width, room.height / visible.height)
        let (width, height) = (visible.width * scale, visible.height * scale)
        return Rectangle(
            x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2,
            width: width, height: height)
    }
}

extension Rectangle {
    /// Each number more by a multiple of another one's.
    fileprivate func shifted(by other: Rectangle, _ factor: Double) -> Rectangle {
        Rectangle(
            x: x + other.x * factor, y: y + other.y * factor, width: width + other.width * factor,
            height: height + other.height * factor)
    }
}

/// A clip at an instant, in the film's frame.
struct ClipState: Rampable {
    let transform: Transform2D
    /// Pixels of the upright frame.
    let visible: Rectangle
    /// Whether that is not all of it.
    let isCropped: Bool
    /// Whole turns counted (degrees).
    let rotation: Double
    let decoration: LayerDecoration

    func mayLead(to other: ClipState) -> Bool { (rotation - other.rotation).magnitude <= 90 }

    static func between(_ from: ClipState, _ to: ClipState, _ part: Double) -> ClipState {
        ClipState(
            transform: from.transform.mixed(to.transform, part),
            visible: from.visible.mixed(to.visible, part),
            isCropped: from.isCropped || to.isCropped,
            rotation: from.rotation.mixed(to.rotation, part),
            decoration: from.decoration.mixed(to.decoration, part))
    }

    /// A sixteenth of a pixel, half a step of a colour of eight bits.
    func isNear(_ other: ClipState) -> Bool {
        func isNear(_ one: (x: Double, y: Double), _ two: (x: Double, y: Double)) -> Bool {
            max((one.x - two.x).magnitude, (one.y - two.y).magnitude) < 1.0 / 16
        }
        for (own, theirs) in zip(visible.corners, other.visible.corners) {
            let place = transform.apply(x: own.x, y: own.y)
            let edge = other.transform.apply(x: theirs.x, y: theirs.y)
            let content = other.transform.apply(x: own.x, y: own.y)
            guard isNear(place, edge), isNear(place, content) else { return false }
        }
        return zip(decoration.numbers, other.decoration.numbers).allSatisfy {
            ($0 - $1).magnitude < 1.0 / 16
        }
    }
}

extension LayerDecoration {
    /// Lengths in pixels, colours in parts of which a sixteenth is half a step of eight bits.
    fileprivate var numbers: [Double] {
        func parts(_ color: Color?) -> [Double] {
            [color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0, color?.alpha ?? 0].map {
                $0 * 32
            }
        }
        return [cornerRadius, border?.width ?? 0] + parts(border?.color)
            + [shadow?.blur ?? 0, shadow?.x ?? 0, shadow?.y ?? 0] + parts(shadow?.color)
    }
}

extension ClipCrop {
    /// Something of the clip is left, also where a curve leads beyond both.
    fileprivate func mixed(_ other: ClipCrop, _ part: Double) -> ClipCrop {
        func edge(_ path: KeyPath<ClipCrop, Double>) -> Double {
            min(1, max(0, self[keyPath: path].mixed(other[keyPath: path], part)))
        }
        var crop = ClipCrop(
            left: edge(\.left), top: edge(\.top), right: edge(\.right), bottom: edge(\.bottom))
        crop.right = min(crop.right, max(0, 0.9999 - crop.left))
        crop.bottom = min(crop.bottom, max(0, 0.9999 - crop.top))
        crop.left = min(crop.left, 0.9999)
        crop.top = min(crop.top, 0.9999)
        return crop
    }
}

extension ClipLook {
    /// Lengths as they can be, also where a curve leads beyond both ends of a way.
    fileprivate var limited: ClipLook {
        var look = self
        if let border { look.border?.width = min(0.5, border.width) }
        if let shadow {
            look.shadow?.blur = min(0.5, shadow.blur)
            look.shadow?.x = min(0.5, max(-0.5, shadow.x))
            look.shadow?.y = min(0.5, max(-0.5, shadow.y))
        }
        return look
    }

    /// Border and shadow on the way to another look's: what only one has grows out of nothing.
    fileprivate func mixed(_ other: ClipLook, _ part: Double) -> ClipLook {
        func plain(_ look: ClipLook) -> LayerDecoration {
            LayerDecoration(
                border: look.border.map { .init(width: $0.width, color: $0.color) },
                shadow: look.shadow.map {
                    .init(color: $0.color, blur: $0.blur, x: $0.x, y: $0.y)
                })
        }
        let mixed = plain(self).mixed(plain(other), part)
        return ClipLook(
            border: mixed.border.map { Border(width: $0.width, color: $0.color) },
            shadow: mixed.shadow.map {
                Shadow(color: $0.color, blur: $0.blur, x: $0.x, y: $0.y)
            })
    }
}
