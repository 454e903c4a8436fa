internal import Media

/// Something that has an area of a clip's frames.
protocol HasFrameArea: Sendable {
    var area: FrameArea { get set }
}

extension ClipMask: HasFrameArea {}
extension ClipEffect: HasFrameArea {}

/// The keys of masks and effects.
extension ProjectTables {
    static let mask = ProjectTable<ClipMask>(
        "a mask", usual: ClipMask(FrameArea()),
        area()
            + [
                .value(
                    "keyframes", \.keyframes, .list(.record(areaKeyframe)),
                    "what changes while the clip shows")
            ])

    static let effect = ProjectTable<ClipEffect>(
        "an effect", usual: ClipEffect(AreaBlur()),
        [
            .value("effect", \.word, .choice, required: true, "what is done"),
            .optional(
                "size", \.ownSize, .number(0.001...1),
                "of a blur how far it reaches, at most 0.5 (default 0.03), of a mosaic the side of its squares, at "
                    + "least 0.002 (default 0.06); both fractions of the frame's shorter side"),
        ] + area()
            + [
                .optional(
                    "follow", \.follow, .choice,
                    "each that was detected of a kind, in the area's place, as a track of the clip says (vcap record "
                        + "--detect)"),
                .value(
                    "at", \.at, .time,
                    "when it begins, from the clip's beginning in the film (default 0)"),
                .optional(
                    "duration", \.duration, .length,
                    "how long it lasts in the film (default: until the clip's end)"),
                .value(
                    "keyframes", \.keyframes, .list(.record(areaKeyframe)),
                    "what of its area changes"),
            ])

    private static func area<Item: HasFrameArea>() -> [ProjectField<Item>] {
        [
            .optional(
                "shape", \.area.shape, .choice,
                "(default: a rectangle where a middle or a size is given, else none)"),
            .value(
                "x", \.ownX, .number(-4...4),
                "of the shape's middle (fraction of the clip's width; default 0.5)"),
            .value(
                "y", \.ownY, .number(-4...4),
                "of the shape's middle (fraction of the clip's height; default 0.5)"),
            .value(
                "width", \.ownWidth, .number(0...4),
                "of the shape (fraction of the clip's width; default 0.5)"),
            .value(
                "height", \.ownHeight, .number(0...4),
                "of the shape (fraction of the clip's height; default 0.5)"),
            .value(
                "rotation", \.area.rotation, .number(-36_000...36_000),
                "of the shape about its middle, clockwise (degrees; default 0)"),
            .value(
                "cornerRadius", \.area.cornerRadius, .number(0...0.5),
                "of a rectangle (fraction of its shorter side; default 0)"),
            .value(
                "softness", \.area.softness, .number(0...1),
                "over how much of the way from the shape's edge to its middle it comes (default 0)"
            ),
            .optional(
                "picture", \.area.picture, .path,
                "a picture, stretched over the clip, whose luma says how much of a place belongs to it: white "
                    + "all, black and what is transparent nothing (default none)"),
            .optional(
                "above", \.area.above, .number(0...1),
                "where the clip's own luma is above it: 0 black, 1 white (default none)"),
            .optional(
                "below", \.area.below, .number(0...1),
                "where the clip's own luma is below it (default none)"),
            .value(
                "lumaSoftness", \.area.lumaSoftness, .number(0...1),
                "over how much luma it comes and goes there (default 0.05)"),
            .value(
                "invert", \.area.isInverted, .flag, "whether it is everything else (default false)"),
        ]
    }

    static let areaKeyframe = ProjectTable<AreaKeyframe>(
        "a key frame of an area", usual: AreaKeyframe(.zero),
        common(\.time, \.curve) + [
            .optional(
                "x", \.x, .number(-4...4), "of the shape's middle (fraction of the clip's width)"),
            .optional(
                "y", \.y, .number(-4...4), "of the shape's middle (fraction of the clip's height)"),
            .optional(
                "width", \.width, .number(0...4), "of the shape (fraction of the clip's width)"),
            .optional(
                "height", \.height, .number(0...4), "of the shape (fraction of the clip's height)"),
            .optional(
                "rotation", \.rotation, .number(-36_000...36_000),
                "of the shape, clockwise (degrees)"),
            .optional("softness", \.softness, .number(0...1), "of the shape's edge"),
            .optional("above", \.above, .number(0...1), "luma"),
            .optional("below", \.below, .number(0...1), "luma"),
        ])

    /// Where masks and effects of a clip lie in its project.
    static func noteAreas(
        of name: String, _ node: JSONValue, _ places: inout [String: TextPosition]
    ) {
        if let mask = node["mask"] {
            places[ItemName.mask(of: name)] = mask.position
            noteKeyframes(of: ItemName.mask(of: name), mask, &places)
        }
        let effects = node["effects"].map { $0.elements ?? [$0] } ?? []
        for (index, effect) in effects.enumerated() {
            let what = ItemName.effect(index, of: name)
            places[what] = effect.position
            noteKeyframes(of: what, effect, &places)
        }
    }
}

extension HasFrameArea {
    /// A number of a shape; given, it makes one.
    private mutating func give(_ value: Double, _ number: WritableKeyPath<FrameArea, Double>) {
        area[keyPath: number] = value
        area.shape = area.shape ?? .rectangle
    }

    var ownX: Double {
        get { area.x }
        set { give(newValue, \.x) }
    }
    var ownY: Double {
        get { area.y }
        set { give(newValue, \.y) }
    }
    var ownWidth: Double {
        get { area.width }
        set { give(newValue, \.width) }
    }
    var ownHeight: Double {
        get { area.height }
        set { give(newValue, \.height) }
    }
}

extension ClipEffect {
    /// The effects that projects have words for.
    enum Word: String, CaseIterable, Sendable {
        case blur, mosaic
    }

    /// Of an effect of a program's own that of a blur: it is asked for only where it can be written.
    var word: Word {
        get { effect is AreaMosaic ? .mosaic : .blur }
        set {
            switch newValue {
            case .blur: effect = AreaBlur()
            case .mosaic: effect = AreaMosaic()
            }
        }
    }

    /// Nil: the usual one.
    var ownSize: Double? {
        get {
            switch effect {
            case let blur as AreaBlur: blur == AreaBlur() ? nil : blur.size
            case let mosaic as AreaMosaic: mosaic == AreaMosaic() ? nil : mosaic.size
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch effect {
            case is AreaMosaic: effect = AreaMosaic(size: newValue)
            default: effect = AreaBlur(size: newValue)
            }
        }
    }

    /// Whether a project has a word for it.
    var isOfProjects: Bool { effect is AreaBlur || effect is AreaMosaic }
}

extension VideoItem {
    /// Without effects that a project has no word for.
    var ofProjects: VideoItem {
        var item = self
        item.effects.removeAll { !$0.isOfProjects }
        return item
    }
}

extension ProjectForm<ClipMask> {
    /// A shape's name where nothing else is said.
    static var mask: ProjectForm {
        let word = ProjectForm<FrameArea.Shape>.choice.map {
            ClipMask(FrameArea($0))
        } back: {
            $0.area.shape ?? .rectangle
        }
        return .short(word, or: .record(ProjectTables.mask)) { mask in
            mask.area.shape.map { mask == ClipMask(FrameArea($0)) } ?? false
        }
    }
}
