internal import Media

/// The keys of what changes: titles, views, motions and key frames.
extension ProjectTables {
    static let title = ProjectTable<TitleItem>(
        "a title", usual: TitleItem(""),
        [
            .value(
                "text", \.text, .text(most: Layer.maximumCharacters), required: true,
                "line feeds begin new paragraphs"),
            .value("style", \.style, .choice, "a ready look (default fade)"),
            .value("at", \.at, .time, "when it begins to come (default 0)"),
            .value("duration", \.duration, .length, "until it is gone (default 4)"),
            .optional("image", \.image, .path, "a still picture with the text"),
            .optional(
                "font", \.look.family, .text(most: 200),
                "a family's name (default: the theme's fonts)"),
            .optional("color", \.look.color, .color, "of the letters (default: the theme's)"),
            .optional(
                "accent", \.look.accent, .color,
                "of lines, bars and boxes (default: the theme's)"),
            .value("opacity", \.placement.opacity, .number(0...1), "(default 1)"),
            .value(
                "x", \.placement.x, .number(-4...4),
                "how far to the right of its style's place (fraction of the film's width; default 0)"
            ),
            .value(
                "y", \.placement.y, .number(-4...4),
                "how far below its style's place (fraction of the film's height; default 0)"),
            .value(
                "scale", \.placement.scale, .number(0...10),
                "how large, about its middle, of a lower third about its bar, first box or card (factor; default 1)"
            ),
            .value(
                "rotation", \.placement.rotation, .number(-36_000...36_000),
                "clockwise about the same (degrees; default 0)"),
            .value(
                "keyframes", \.keyframes, .list(.record(titleKeyframe)),
                "what changes while it shows"),
            .value(
                "allowMissingGlyphs", \.look.allowsMissingGlyphs, .flag,
                "whether characters that no font has may show as boxes (default false)"),
        ])

    static let view = ProjectTable<PictureMotion.View>(
        "a view", usual: PictureMotion.View(),
        [
            .value(
                "zoom", \.zoom, .number(1...10),
                "how much larger than its fit makes it (factor; default 1)"),
            .value(
                "x", \.x, .number(0...1),
                "what of it lies in the middle (fraction of its width; default 0.5)"),
            .value(
                "y", \.y, .number(0...1),
                "what of it lies in the middle (fraction of its height; default 0.5)"),
        ])

    static let motion = ProjectTable<PictureMotion>(
        "a motion", usual: PictureMotion(from: .init(), to: .init()),
        [
            .value("from", \.from, .record(view), required: true, "the view at the beginning"),
            .value("to", \.to, .record(view), required: true, "the view at the end"),
        ])

    /// What key frames of clips and of titles have.
    static func common<Item>(
        _ time: any WritableKeyPath<Item, MediaTime> & Sendable,
        _ curve: any WritableKeyPath<Item, TimingCurve> & Sendable
    ) -> [ProjectField<Item>] {
        [
            .value("time", time, .time, required: true, "from the item's beginning in the film"),
            .value(
                "curve", curve, .curve,
                "how it comes there from the key frame before that gives the same, or from the item's own "
                    + "value (default linear)"),
        ]
    }

    static let keyframe = ProjectTable<ClipKeyframe>(
        "a key frame of a clip", usual: ClipKeyframe(.zero),
        common(\.time, \.curve) + [
            .optional("place", \.place, .place, "where in the frame it lies; all of its keys"),
            .optional(
                "view", \.view, .record(view),
                "what of it fills the frame, or its place; all of its keys"),
            .optional(
                "crop", \.crop, .record(crop), "what is cut off at its edges; all of its keys"),
            .optional("opacity", \.opacity, .number(0...1), "0 to 1"),
            .optional(
                "cornerRadius", \.cornerRadius, .number(0...0.5),
                "of its corners (fraction of its shorter side as it is shown)"),
            .optional("border", \.border, .border, "a line inside its edge; all of its keys"),
            .optional(
                "shadow", \.shadow, .record(shadow),
                "what it casts on what is behind it; all of its keys"),
            .optional(
                "grade", \.grade, .record(grade), "what is done to its colours; all of its keys"),
            .optional("volume", \.volume, .number(0...16), "gain of its audio"),
            .optional(
                "speed", \.speed, .speed,
                "how fast it plays; a slower clip shows less of its source until the next key frame"
            ),
            .optional("pan", \.pan, .number(-1...1), "of its audio, left to right"),
        ])

    static let audioKeyframe = ProjectTable<AudioKeyframe>(
        "a key frame of audio", usual: AudioKeyframe(.zero),
        common(\.time, \.curve) + [
            .optional("volume", \.volume, .number(0...16), "gain"),
            .optional("pan", \.pan, .number(-1...1), "left to right"),
        ])

    static let titleKeyframe = ProjectTable<TitleKeyframe>(
        "a key frame of a title", usual: TitleKeyframe(.zero),
        common(\.time, \.curve) + [
            .optional("opacity", \.opacity, .number(0...1), "0 to 1"),
            .optional(
                "x", \.x, .number(-4...4),
                "how far to the right of its style's place (fraction of the film's width)"),
            .optional(
                "y", \.y, .number(-4...4),
                "how far below its style's place (fraction of the film's height)"),
            .optional("scale", \.scale, .number(0...10), "how large, about its middle (factor)"),
            .optional(
                "rotation", \.rotation, .number(-36_000...36_000),
                "clockwise about its middle (degrees)"),
        ])

    static func noteKeyframes(
        of name: String, _ node: JSONValue, _ places: inout [String: TextPosition]
    ) {
        for (index, key) in (node["keyframes"]?.elements ?? []).enumerated() {
            places[ItemName.keyframe(index, of: name)] = key.position
        }
    }
}

extension ProjectForm<TimingCurve> {
    static var curve: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a curve such as \"linear\", \"ease\", \"ease-in\", \"ease-out\", \"ease-in-out\" or "
                + "\"cubic-bezier(0.2, 0, 0, 1)\", whose first and third number are 0 to 1",
            pattern: SchemaPattern.curve)
        return ProjectForm(phrase) { node in
            node.text.flatMap { TimingCurve(projectText: $0) }
        } _: {
            .string($0.projectText)
        }
    }
}

extension ProjectForm<ClipMotion> {
    /// A word, or two views.
    static var motion: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a motion such as \"auto\", \"none\", \"in\", \"out\", \"left\", \"right\", \"up\", \"down\" or "
                + "\"1@50,50:1.4@70,30\"", pattern: SchemaPattern.motion)
        let word = ProjectForm(phrase) { node in
            node.text.flatMap { ClipMotion(projectText: $0) }
        } _: {
            .string($0.projectText ?? "")
        }
        let object: ProjectForm<ClipMotion> = ProjectForm<PictureMotion>.record(
            ProjectTables.motion
        ).map {
            .views($0)
        } back: { motion in
            if case .views(let views) = motion { views } else { ProjectTables.motion.usual }
        }
        return .short(word, or: object) { $0.projectText != nil }
    }
}
