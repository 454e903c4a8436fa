internal import Media

/// The keys of clips and of where they lie in the frame.
extension ProjectTables {
    static let video = ProjectTable<VideoItem>(
        "a clip", usual: VideoItem(""), alternatives: ["end", "duration"],
        oneNeeded: ["file", "generator"], dependent: sequenceKeys,
        shown + treatment() + changed)

    /// What of a clip is used, where it lies and how loud it is.
    private static let shown: [ProjectField<VideoItem>] =
        [
            .value(
                "file", \.path, .path,
                "the movie, audio file, GIF, PNG or JPEG; with fps the numbered pictures whose names it "
                    + "stands for: shots/a%04d.png"),
            .optional(
                "generator", \.generator, .generator,
                "what makes its frames and audio, in the place of a file"),
            .optional(
                "name", \.name, .text(most: 1000), "for messages and other programs"),
        ] + sequence + [
            .value("start", \.start, .time, "where it begins in its source (default 0)"),
            .optional(
                "end", \.end, .length,
                "where it ends in its source (default: its end; of a still picture or a generator after "
                    + "stillDuration)"),
            .readOnly(
                "duration", .length, "how much of its source is used; instead of end", endAfter),
            .value("speed", \.speed, .speed, "how fast it plays (default 1)"),
            .value(
                "reverse", \.isReversed, .flag,
                "whether it plays from its end to its start, seen and heard (default false)"),
            .value(
                "blend", \.blendsFrames, .flag,
                "whether its frames are mixed where they are not the film's, because of its speed or rate "
                    + "(default false)"),
            .optional(
                "freeze", \.freeze, .length,
                "how long the frame at start stands still, without audio, in the place of playing"),
            .value(
                "gap", \.gap, .time, "how long the background shows before it (default 0)"),
            .optional(
                "at", \.at, .time,
                "when it begins in the film, in the place of gap (default: when the one before ends)"
            ),
            .optional(
                "fit", \.fit, .choice, "how it is fitted into the frame (default: the project's)"),
            .optional(
                "place", \.place, .place,
                "where in the frame it lies (default: all of it)"),
            .value(
                "crop", \.crop, .record(crop),
                "what is cut off at its edges before it is fitted (default nothing)"),
            .optional(
                "view", \.view, .record(view),
                "what of it fills the frame, or its place, where its fit leaves a choice (default its middle)"
            ),
            .optional(
                "motion", \.motion, .motion,
                "slow pan and zoom while it shows, which covers the frame unless fit says otherwise (default: "
                    + "stillMotion for still pictures, none for others)"),
            .optional(
                "follow", \.follow, .choice,
                "what is kept in the middle of the view, as a track of the clip says (vcap record --detect); it "
                    + "then covers the frame unless fit says otherwise"),
            .optional(
                "key", \.key, .key,
                "the colour of the screen behind what was taken, which becomes transparent (default none)"
            ),
            .optional(
                "mask", \.mask, .mask,
                "what of its frames shows: a shape, what a picture says, or its own luma, where more than one is "
                    + "given what they have in common (default all)"),
            .value(
                "effects", \.effects, .several(.record(effect)),
                "what is done to areas of its frames, one after the other (default nothing)"),
            .value(
                "grade", \.grade, .record(grade), "what is done to its colours (default nothing)"),
            .value("opacity", \.look.opacity, .number(0...1), "(default 1)"),
            .value(
                "cornerRadius", \.look.cornerRadius, .number(0...0.5),
                "of its corners (fraction of its shorter side as it is shown; default 0)"),
            .optional("border", \.look.border, .border, "a line inside its edge (default none)"),
            .optional(
                "shadow", \.look.shadow, .record(shadow),
                "what it casts on what is behind it; {} for the usual one (default none)"),
            .value(
                "fadeIn", \.fadeIn, .time,
                "how long it takes to come, seen and heard (default 0)"),
            .value(
                "fadeOut", \.fadeOut, .time, "how long it takes to go, seen and heard (default 0)"),
            .optional(
                "track", \.track, .whole(1...2_147_483_647),
                "the video track that is shown, as vcap probe numbers them (default: the first)"),
            .optional(
                "audio", \.voices, .list(.voice),
                "the audio tracks that are heard, as vcap probe numbers them; [] for none (default: the "
                    + "first, of a take of vcap all)"),
            .optional(
                "loudness", \.loudness, .number(LevelRule.range),
                "to which its audio is brought before all volumes and fades (LUFS; default: it stays as it is)"
            ),
            .value("volume", \.volume, .number(0...16), "gain of its audio (default 1)"),
            .value("pan", \.pan, .number(-1...1), "of its audio, left to right (default 0)"),
        ]

    /// What changes while it shows, and at its beginning.
    private static let changed: [ProjectField<VideoItem>] = [
        .value(
            "keyframes", \.keyframes, .list(.record(keyframe)),
            "what changes while it shows"),
        .value(
            "transition", \.transition, .transition,
            "how the clip before gives way to this one (default cut)"),
        .optional(
            "audioCut", \.audioCut, .audioCut,
            "when the audio of the clip before gives way to this one's (default: with its frames)"),
    ]

    private static let endAfter:
        @Sendable (MediaTime, JSONValue, inout VideoItem) throws(JSONFailure) -> Void = {
            length, node, item throws(JSONFailure) in
            guard item.end == nil else {
                throw JSONFailure(
                    position: node.position,
                    message: "a clip needs either \"end\" or \"duration\"")
            }
            item.end =
                (try? item.start.adding(length))
                ?? .timeline(item.start.timelineTicks + length.timelineTicks)
        }

    static let place = ProjectTable<ClipPlace>(
        "a place", usual: ClipPlace(),
        [
            .value(
                "anchor", \.anchor, .choice, "what of the frame holds it (default bottom-right)"),
            .value(
                "margin", \.margin, .number(0...1),
                "from the edges that it is held at (fraction of the film's shorter side; default 0.04)"
            ),
            .optional(
                "left", \.left, .number(-4...4),
                "of its left edge, in the anchor's place (fraction of the film's width)"),
            .optional(
                "top", \.top, .number(-4...4),
                "of its upper edge, in the anchor's place (fraction of the film's height)"),
            .optional(
                "width", \.width, .number(0.001...4),
                "fraction of the film's width (default: by the height and its shape; 0.3 without a height)"
            ),
            .optional(
                "height", \.height, .number(0.001...4),
                "fraction of the film's height (default: by the width and its shape); with a width it is "
                    + "fitted into both"),
            .value(
                "rotation", \.rotation, .number(-36_000...36_000),
                "clockwise about its middle (degrees; default 0)"),
        ])

    static let crop = ProjectTable<ClipCrop>(
        "a crop", usual: ClipCrop(),
        [
            .value("left", \.left, .number(0...1), "(fraction of the clip's width; default 0)"),
            .value("top", \.top, .number(0...1), "(fraction of the clip's height; default 0)"),
            .value("right", \.right, .number(0...1), "(fraction of the clip's width; default 0)"),
            .value(
                "bottom", \.bottom, .number(0...1), "(fraction of the clip's height; default 0)"),
        ])

    static let border = ProjectTable<ClipLook.Border>(
        "a border", usual: ClipLook.Border(),
        [
            .value("color", \.color, .color, "(default white)"),
            .value(
                "width", \.width, .number(0.0001...0.5),
                "fraction of the film's shorter side (default 0.005)"),
        ])

    static let shadow = ProjectTable<ClipLook.Shadow>(
        "a shadow", usual: ClipLook.Shadow(),
        [
            .value("color", \.color, .color, "with its opacity (default #00000080)"),
            .value(
                "blur", \.blur, .number(0...0.5),
                "how far its edge fades (fraction of the film's shorter side; default 0.02)"),
            .value(
                "x", \.x, .number(-0.5...0.5),
                "how far to the right it lies (fraction of the film's shorter side; default 0)"),
            .value(
                "y", \.y, .number(-0.5...0.5),
                "how far below it lies (fraction of the film's shorter side; default 0.01)"),
        ])

    static let voiceOfClip = ProjectTable<ClipVoice>(
        "an audio track", usual: ClipVoice(track: 1),
        voiceLevels + treatment(unless: "the clip's") + [
            .value(
                "keyframes", \.keyframes, .list(.record(audioKeyframe)),
                "what changes of volume and pan while the clip shows")
        ])

    private static let voiceLevels: [ProjectField<ClipVoice>] = [
        .value(
            "track", \.track, .whole(1...2_147_483_647), required: true,
            "as vcap probe numbers them"),
        .value(
            "volume", \.volume, .number(0...16), "gain on top of the clip's (default 1)"),
        .value(
            "pan", \.pan, .number(-1...1), "left to right, added to the clip's (default 0)"),
    ]

    static let noteOverlay:
        @Sendable (Int, OverlayTrack, JSONValue, inout [String: TextPosition]) -> Void = {
            number, track, node, places in
            for (index, node) in (node.elements ?? [node]).enumerated()
            where index < track.videos.count {
                let name = ItemName.overlay(
                    number, index, of: track.videos.count, track.videos[index])
                places[name] = node.position
                noteKeyframes(of: name, node, &places)
                noteAreas(of: name, node, &places)
                places[ItemName.transition(to: name)] =
                    node["transition"]?.position ?? node.position
            }
        }
}

extension ProjectForm<OverlayTrack> {
    static var overlay: ProjectForm {
        ProjectForm<[VideoItem]>.several(.item(ProjectTables.video)).map {
            OverlayTrack($0)
        } back: {
            $0.videos
        }
    }
}

extension ProjectForm<ClipPlace> {
    /// An anchor's name where nothing else is said.
    static var place: ProjectForm {
        let word = ProjectForm<Watermark.Anchor>.choice.map {
            ClipPlace($0)
        } back: {
            $0.anchor
        }
        return .short(word, or: .record(ProjectTables.place)) { $0 == ClipPlace($0.anchor) }
    }
}

extension ProjectForm<ClipLook.Border> {
    /// A colour where nothing else is said.
    static var border: ProjectForm {
        let word = ProjectForm<Color>.color.map {
            ClipLook.Border(color: $0)
        } back: {
            $0.color
        }
        return .short(word, or: .record(ProjectTables.border)) {
            $0 == ClipLook.Border(color: $0.color)
        }
    }
}

extension ProjectForm<ClipVoice> {
    /// A track's number where nothing else is said.
    static var voice: ProjectForm {
        let number = ProjectForm<Int>.whole(1...2_147_483_647).map {
            ClipVoice(track: $0)
        } back: {
            $0.track
        }
        return .short(number, or: .record(ProjectTables.voiceOfClip)) {
            $0 == ClipVoice(track: $0.track)
        }
    }
}
