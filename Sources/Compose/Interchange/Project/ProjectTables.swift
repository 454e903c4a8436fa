internal import Media

/// Every key of a project file, in the order in which they are written. What reads, what writes, the schema and the
/// guide are made from these tables.
enum ProjectTables {
    static let project = ProjectTable<Timeline>(
        "a project", usual: Timeline(),
        [
            .readOnly(
                "$schema", .text(most: 1000), "where editors find this schema", { _, _, _ in }),
            .constant("schema", "vcap.film/1", "the form of this file"),
            .readOnly(
                "variables", .variables,
                "values for the places {name} in the project's texts; they are filled when it is read",
                { _, _, _ in }),
            .optional(
                "title", \.settings.title, .text(most: 1000), "the film's name for players"),
            .optional(
                "size", \.settings.renderSize, .size,
                "of the frames (default: the first clip's)"),
            .optional(
                "fps", \.settings.frameRate, .rate,
                "frames a second (default: the first clip's)"),
            .optional(
                "startTimeCode", \.settings.startTimeCode, .timeCode,
                "time code of the film's first frame (default: none)"),
            .optional(
                "color", \.settings.color, .named, "of the frames (default: the first clip's)"),
            .optional(
                "bits", \.settings.pixelFormat, .bits,
                "of a sample (default: the first clip's)"),
            .value(
                "background", \.settings.background, .color,
                "behind everything, and what bars are made of (default black)"),
            .value(
                "fit", \.settings.fit, .choice,
                "how clips of another shape are fitted (default contain)"),
            .value(
                "pitch", \.settings.pitch, .choice,
                "of clips that play faster or slower (default kept)"),
            .optional(
                "loudness", \.loudness, .number(-40 ... -5),
                "how loud the whole film is made (LUFS; default: as the volumes say)"),
            .value(
                "truePeak", \.truePeak, .number(-12...0),
                "what no wave may pass where a loudness is given (dBTP; default -1)"),
            .value(
                "stillDuration", \.settings.stillDuration, .length,
                "how long still pictures show that are not given an end (default 4)"),
            .value(
                "stillMotion", \.settings.stillMotion, .motion,
                "slow pan and zoom over still pictures that do not say (default none)"),
            .value(
                "theme", \.settings.theme, .theme,
                "fonts and colours of the titles that do not say (default plain)"),
            .value(
                "videos", \.videos, .list(.item(video), note: noteClip),
                "clips, one after the other; a path for short"),
            .value(
                "overlays", \.overlays, .list(.overlay, note: noteOverlay),
                "what lies over the clips, later ones in front: each a clip, or a list of clips one after "
                    + "the other"),
            .value(
                "gapAtEnd", \.gapAtEnd, .time,
                "how long the background shows after the last clip (default 0)"),
            .optional(
                "in", \.inPoint, .time, "where what is exported begins (default: the beginning)"),
            .optional(
                "out", \.outPoint, .length, "where what is exported ends (default: the end)"),
            .value(
                "titles", \.titles,
                .list(.item(title), note: noteTitle),
                "texts over the video; a text for short"),
            .value(
                "voiceOvers", \.voiceOvers,
                .list(.item(voice)) { $3[ItemName.voiceOver($0, $1)] = $2.position },
                "voices over the film; a path for short"),
            .value(
                "music", \.music, .list(.item(music)) { $3[ItemName.music($0, $1)] = $2.position },
                "music over the film, cut to its end; a path for short"),
            .optional(
                "ducking", \.ducking, .record(ducking),
                "lowers the music while something is said"),
            .optional(
                "watermark", \.watermark, .watermark,
                "a text or an image that stays in a corner"),
            .value(
                "subtitles", \.subtitles,
                .list(.item(subtitles)) { $3[ItemName.subtitles($0, $1)] = $2.position },
                "files of subtitles, as tracks or drawn into the frames; a path for short"),
            .value(
                "clipSubtitles", \.longClipSubtitles, .clipSubtitles,
                "what becomes of the subtitles that clips bring along (default tracks)"),
            .value(
                "fonts", \.fonts, .list(.path),
                "font files, or folders of them, for titles and subtitles, beside those that are installed"
            ),
            .value(
                "chapters", \.chapters, .list(.record(chapter)), "places to go to in a player"),
        ])

    private static let noteClip:
        @Sendable (Int, VideoItem, JSONValue, inout [String: TextPosition]) -> Void = {
            index, item, node, places in
            places[ItemName.clip(index, item)] = node.position
            noteKeyframes(of: ItemName.clip(index, item), node, &places)
            noteAreas(of: ItemName.clip(index, item), node, &places)
            places[ItemName.transition(index, item)] =
                node["transition"]?.position ?? node.position
        }

    private static let noteTitle:
        @Sendable (Int, TitleItem, JSONValue, inout [String: TextPosition]) -> Void = {
            index, item, node, places in
            places[ItemName.title(index, item)] = node.position
            noteKeyframes(of: ItemName.title(index, item), node, &places)
        }

    static let transition = ProjectTable<LongTransition>(
        "a transition", usual: LongTransition(),
        [
            .value(
                "kind", \.kind, .choice(of: LongTransition.kinds), required: true,
                "what it looks like"),
            .value(
                "duration", \.duration, .length, required: true, "how long the clips overlap"),
            .value(
                "curve", \.curve, .curve,
                "how the pictures go from one to the other; the audio does not follow it (default linear)"
            ),
            .optional(
                "direction", \.direction, .choice, "which way a push or wipe goes (default left)"),
            .optional(
                "softness", \.softness, .number(0...1),
                "width of the edge of a wipe (fraction of the frame; default 0.02) or an iris (fraction of "
                    + "the largest radius; default 0.02), and of a luma's picture how much of its lightness "
                    + "changes at a time (default 0.1)"),
            .optional("color", \.color, .color, "what a fade goes through (default black)"),
            .optional(
                "x", \.x, .number(0...1),
                "middle of an iris (fraction of the film's width; default 0.5)"),
            .optional(
                "y", \.y, .number(0...1),
                "middle of an iris (fraction of the film's height; default 0.5)"),
            .optional(
                "picture", \.picture, .path,
                "of a luma: a still picture, stretched to the frame; where it is black the new clip comes "
                    + "first, where it is white last"),
            .optional(
                "invert", \.isInverted, .flag,
                "whether a luma begins where its picture is white (default false)"),
        ])

    static let voice = ProjectTable<AudioItem>("a voice-over", usual: AudioItem(""), sound)

    static let music = ProjectTable<AudioItem>(
        "a piece of music", usual: AudioItem(""),
        sound + [
            .value(
                "loop", \.loops, .flag,
                "whether it begins again until the film ends (default false)")
        ])

    private static let sound = soundLevels + treatment() + soundChanges

    private static let soundLevels: [ProjectField<AudioItem>] = [
        .value(
            "file", \.path, .path, required: true, "the audio; a movie's audio will do"),
        .optional("name", \.name, .text(most: 1000), "for messages and other programs"),
        .value("at", \.at, .time, "when it begins in the film (default 0)"),
        .value("start", \.start, .time, "where it begins in its source (default 0)"),
        .optional("end", \.end, .length, "where it ends in its source (default: its end)"),
        .value("volume", \.volume, .number(0...16), "gain (default 1)"),
        .value("pan", \.pan, .number(-1...1), "left to right (default 0)"),
    ]

    private static let soundChanges: [ProjectField<AudioItem>] = [
        .value(
            "keyframes", \.keyframes, .list(.record(audioKeyframe)),
            "what changes of volume and pan while it is heard"),
        .readOnly(
            "automation", .list(.record(point)),
            "in the place of key frames: gains on top of the volume, linear from one to the next"
        ) { points, node, item throws(JSONFailure) in
            guard item.keyframes.isEmpty else {
                throw JSONFailure(
                    position: node.position,
                    message:
                        "audio has either \"keyframes\" or \"automation\", an older word for them: leave one of them out"
                )
            }
            item.keyframes = points.map {
                AudioKeyframe($0.time, volume: item.volume * ($0.volume ?? 1))
            }
            item.volume *= points.first?.volume ?? 1
        },
        .value("fadeIn", \.fadeIn, .time, "length of the fade at its beginning (default 0)"),
        .value("fadeOut", \.fadeOut, .time, "length of the fade at its end (default 0)"),
    ]

    static let point = ProjectTable<AudioKeyframe>(
        "a volume point", usual: AudioKeyframe(.zero, volume: 1),
        [
            .value(
                "time", \.time, .time, required: true, "from the item's beginning in the film"),
            .optional("volume", \.volume, .number(0...16), "gain"),
        ])

    static let ducking = ProjectTable<MusicDucking>(
        "ducking", usual: MusicDucking(),
        [
            .value(
                "under", \.under, .choice, always: true,
                "what is listened to (default voice-overs)"),
            .value(
                "depth", \.depth, .number(0...60), always: true, "how far down (dB; default 12)"),
            .value(
                "threshold", \.threshold, .number(-90...0), always: true,
                "what counts as speech (dB below full scale; default -40)"),
            .value(
                "attack", \.attack, .time, always: true,
                "how long the way down takes (default 0.2)"),
            .value(
                "hold", \.hold, .time, always: true,
                "how long it stays down after the last word (default 0.5)"),
            .value(
                "release", \.release, .time, always: true,
                "how long the way up takes (default 0.8)"),
        ])

    static let watermark = ProjectTable<LongWatermark>(
        "a watermark", usual: LongWatermark(),
        [
            .optional("text", \.text, .text(most: 1000), "what it says; or an image"),
            .optional("image", \.image, .path, "a still picture; or a text"),
            .value(
                "corner", \.mark.corner, .choice, "where it lies (default bottom-right)"),
            .optional(
                "anchor", \.mark.anchor, .choice,
                "what of the frame holds it, in the place of the corner"),
            .optional(
                "marginX", \.mark.horizontalMargin, .number(0...1),
                "from the sides (fraction of the shorter side; default 5 % of the width)"),
            .optional(
                "marginY", \.mark.verticalMargin, .number(0...1),
                "from above and below (fraction of the shorter side; default 5 % of the height)"),
            .optional(
                "x", \.x, .number(-16_384...16_384),
                "of its left edge (pixels of the film), in the place of the anchor; with y"),
            .optional("y", \.y, .number(-16_384...16_384), "of its upper edge; with x"),
            .optional("at", \.start, .time, "when it comes (default the beginning)"),
            .optional("duration", \.length, .length, "how long it shows (default to the end)"),
            .value("opacity", \.mark.opacity, .number(0...1), "(default 0.6)"),
            .value(
                "size", \.mark.size, .number(0.001...1),
                "height (fraction of the shorter side; default 0.1)"),
            .optional(
                "font", \.mark.look.family, .text(most: 200), "a family's name (default Sans)"),
            .optional("color", \.mark.look.color, .color, "of the letters (default white)"),
        ])

    static let chapter = ProjectTable<Chapter>(
        "a chapter", usual: Chapter("", at: .zero),
        [
            .value("at", \.time, .time, required: true, "when it begins"),
            .value("title", \.title, .text(most: 1000), required: true, "what players show"),
        ])

    static let color = ProjectTable<ColorDescription>(
        "a colour description",
        usual: ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .limited),
        [
            .value(
                "primaries", \.primaries, .code(most: 22), required: true, "ITU-T H.273 table 2"),
            .value(
                "transfer", \.transfer, .code(most: 18), required: true, "ITU-T H.273 table 3"),
            .value("matrix", \.matrix, .code(most: 17), required: true, "ITU-T H.273 table 4"),
            .value(
                "range", \.range, .range, always: true, "of the codes (default limited)"),
        ])
}

extension Timeline {
    /// The two keys of a loudness.
    fileprivate var loudness: Double? {
        get { settings.loudness?.integrated }
        set { settings.loudness = newValue.map { LoudnessTarget(integrated: $0) } }
    }

    /// Nothing where no loudness is given.
    fileprivate var truePeak: Double {
        get { settings.loudness?.truePeak ?? LoudnessTarget().truePeak }
        set { settings.loudness?.truePeak = newValue }
    }
}
