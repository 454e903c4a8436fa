internal import Media

/// Every key of a project file. The reader and the schema are made from these tables.
enum ProjectTables {
    private static let film = "vcap.film/1"

    static let project = ProjectTable(
        name: "a project",
        keys: [
            ProjectKey("$schema", .text(most: 1000), "where editors find this schema"),
            ProjectKey("schema", .choice([film]), "the form of this file"),
            ProjectKey("title", .text(most: 1000), "the film's name for players"),
            ProjectKey("size", .size, "of the frames (default: the first clip's)"),
            ProjectKey("fps", .rate, "frames a second (default: the first clip's)"),
            ProjectKey(
                "color", .short(.choice(ProjectColor.names), ProjectColor.table),
                "of the frames (default: the first clip's)"),
            ProjectKey(
                "bits", .choice(["8", "10"]), "of a sample (default: the first clip's)"),
            ProjectKey(
                "background", .color, "behind everything, and what bars are made of (default black)"
            ),
            ProjectKey("fit", fit, "how clips of another shape are fitted (default contain)"),
            ProjectKey(
                "pitch", .choice(PitchPolicy.allCases.map(\.rawValue)),
                "of clips that play faster or slower (default kept)"),
            ProjectKey(
                "loudness", .number(-40 ... -5),
                "how loud the whole film is made (LUFS; default: as the volumes say)"),
            ProjectKey(
                "truePeak", .number(-12...0),
                "what no wave may pass where a loudness is given (dBTP; default -1)"),
            ProjectKey(
                "stillDuration", .length,
                "how long still pictures show that are not given an end (default 4)"),
            ProjectKey(
                "videos", .list(.short(.path, video), most: 10_000),
                "clips, one after the other; a path for short"),
            ProjectKey(
                "gapAtEnd", .time,
                "how long the background shows after the last clip (default 0)"),
            ProjectKey(
                "titles", .list(.short(.text(most: Layer.maximumCharacters), title), most: 10_000),
                "texts over the pictures; a text for short"),
            ProjectKey(
                "voiceOvers", .list(.short(.path, sound(loops: false)), most: 10_000),
                "voices over the film; a path for short"),
            ProjectKey(
                "music", .list(.short(.path, sound(loops: true)), most: 10_000),
                "music over the film, cut to its end; a path for short"),
            ProjectKey("ducking", .record(ducking), "turns the music down while something is said"),
            ProjectKey(
                "watermark", .record(watermark), "a text or an image that stays in a corner"),
            ProjectKey(
                "chapters", .list(.record(chapter), most: 10_000), "places to go to in a player"),
        ])

    private static let fit = ProjectKind.choice(FitMode.allCases.map(\.rawValue))

    static let video = ProjectTable(
        name: "a clip",
        keys: [
            ProjectKey("file", .path, required: true, "the movie, sound, GIF, PNG or JPEG"),
            ProjectKey("name", .text(most: 1000), "for messages and other programs"),
            ProjectKey("start", .time, "where it begins in its source (default 0)"),
            ProjectKey(
                "end", .length,
                "where it ends in its source (default: its end; of a still picture after "
                    + "stillDuration)"),
            ProjectKey("duration", .length, "how much of its source is used; instead of end"),
            ProjectKey("speed", .speed, "how fast it plays (default 1)"),
            ProjectKey("gap", .time, "how long the background shows before it (default 0)"),
            ProjectKey("fit", fit, "how it is fitted into the frame (default: the project's)"),
            ProjectKey("volume", .number(0...16), "gain of its sound (default 1)"),
            ProjectKey(
                "transition",
                .short(
                    .phrase(
                        "a transition such as \"cut\", \"dissolve:1s\", \"push-left:1s\", "
                            + "\"wipe-up:500ms\" or \"fade-white:1s\"",
                        pattern: SchemaPattern.transition,
                        reads: { Transition(projectText: $0).map { .transition($0) } }),
                    transition),
                "how the clip before gives way to this one (default cut)"),
        ], alternatives: ("end", "duration"))

    static let transition = ProjectTable(
        name: "a transition",
        keys: [
            ProjectKey(
                "kind", .choice(["dissolve", "push", "wipe", "fade"]), required: true,
                "what it looks like"),
            ProjectKey("duration", .length, required: true, "how long the clips overlap"),
            ProjectKey(
                "direction", .choice(Transition.Direction.allCases.map(\.rawValue)),
                "which way a push or wipe goes (default left)"),
            ProjectKey(
                "softness", .number(0...1),
                "width of a wipe's edge (fraction of the frame; default 0.02)"),
            ProjectKey("color", .color, "what a fade goes through (default black)"),
        ])

    static let title = ProjectTable(
        name: "a title",
        keys: [
            ProjectKey(
                "text", .text(most: Layer.maximumCharacters), required: true,
                "line feeds begin new paragraphs"),
            ProjectKey(
                "style", .choice(TitleStyle.allCases.map(\.rawValue)), "a ready look (default fade)"
            ),
            ProjectKey("at", .time, "when it begins to come (default 0)"),
            ProjectKey("duration", .length, "until it is gone (default 4)"),
            ProjectKey("image", .path, "a still picture with the text"),
            ProjectKey("font", .text(most: 200), "a family's name (default Sans)"),
            ProjectKey("color", .color, "of the letters (default white)"),
            ProjectKey("accent", .color, "of bars and boxes"),
            ProjectKey(
                "allowMissingGlyphs", .flag,
                "whether characters that no font has may show as boxes (default false)"),
        ])

    static func sound(loops: Bool) -> ProjectTable {
        var keys = [
            ProjectKey("file", .path, required: true, "the sound; a movie's sound will do"),
            ProjectKey("name", .text(most: 1000), "for messages and other programs"),
            ProjectKey("at", .time, "when it begins in the film (default 0)"),
            ProjectKey("start", .time, "where it begins in its source (default 0)"),
            ProjectKey("end", .length, "where it ends in its source (default: its end)"),
            ProjectKey("volume", .number(0...16), "gain (default 1)"),
            ProjectKey("pan", .number(-1...1), "left to right (default 0)"),
            ProjectKey(
                "automation", .list(.record(point), most: 10_000),
                "gains on top of the volume, linear from one to the next"),
            ProjectKey("fadeIn", .time, "length of the fade at its beginning (default 0)"),
            ProjectKey("fadeOut", .time, "length of the fade at its end (default 0)"),
        ]
        if loops {
            keys.append(
                ProjectKey(
                    "loop", .flag, "whether it begins again until the film ends (default false)"))
        }
        return ProjectTable(name: loops ? "a piece of music" : "a voice-over", keys: keys)
    }

    static let point = ProjectTable(
        name: "a volume point",
        keys: [
            ProjectKey("time", .time, required: true, "from the item's beginning in the film"),
            ProjectKey("volume", .number(0...16), required: true, "gain"),
        ])

    static let ducking = ProjectTable(
        name: "ducking",
        keys: [
            ProjectKey(
                "under", .choice(MusicDucking.Speech.allCases.map(\.rawValue)),
                "what is listened to (default voice-overs)"),
            ProjectKey("depth", .number(0...60), "how far down (dB; default 12)"),
            ProjectKey(
                "threshold", .number(-90...0),
                "what counts as speech (dB below full scale; default -40)"),
            ProjectKey("attack", .time, "how long the way down takes (default 0.2)"),
            ProjectKey("hold", .time, "how long it stays down after the last word (default 0.5)"),
            ProjectKey("release", .time, "how long the way up takes (default 0.8)"),
        ])

    static let watermark = ProjectTable(
        name: "a watermark",
        keys: [
            ProjectKey("text", .text(most: 1000), "what it says; or an image"),
            ProjectKey("image", .path, "a still picture; or a text"),
            ProjectKey(
                "corner", .choice(Watermark.Corner.allCases.map(\.rawValue)),
                "where it lies (default bottom-right)"),
            ProjectKey("opacity", .number(0...1), "(default 0.6)"),
            ProjectKey(
                "size", .number(0.001...1), "height (fraction of the shorter side; default 0.1)"),
            ProjectKey("font", .text(most: 200), "a family's name (default Sans)"),
            ProjectKey("color", .color, "of the letters (default white)"),
        ])

    static let chapter = ProjectTable(
        name: "a chapter",
        keys: [
            ProjectKey("at", .time, required: true, "when it begins"),
            ProjectKey("title", .text(most: 1000), required: true, "what players show"),
        ])
}
