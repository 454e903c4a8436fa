import Compose
import Media

/// The options that describe a film made of clips.
enum ComposeOptions {
    static let transition = Option<Transition>(
        nil, "transition", .transition,
        "between any two clips; they overlap for its length: cut, dissolve, push-left, wipe-up, fade-white, "
            + "zoom, zoom-out, iris, iris-close, luma-PICTURE (by the lightness of a picture) …",
        default: .value("cut"))
    static let audioCut = Option<AudioCutValue>(
        nil, "audio-cut", .audioCut,
        "when audio gives way to that of the next clip: j before the frames do, l after them, crossfade with them; both "
            + "cross over as long as the transition, or crossfade=LENGTH (of one clip with clip=N)",
        default: .described("with the frames"), isRepeatable: true)
    static let fit = Option<String>(
        nil, "fit", .choice(fits.map(\.name)),
        "how a clip of another shape comes into the frame", default: .described("contain"))
    static let stillLength = Option<MediaTime>(
        nil, "still-duration", .duration,
        "how long a still picture shows that is not given a part", default: .value("4s"))
    static let motion = Option<ClipMotion>(
        nil, "motion", .stillMotion,
        "slow pan and zoom over still pictures, which then cover the frame: auto goes along what does not "
            + "fit, else in and out in turn",
        default: .value("none"))
    static let view = Option<PictureMotion.View>(
        nil, "view", .view,
        "what of each clip fills the frame with --fit cover: how much larger, and what is in the middle in "
            + "per cent",
        default: .described("1@50,50"))
    static let follow = Option<String>(
        nil, "follow", .choice(FollowedObject.allCases.map(\.rawValue)),
        "keep in the middle what was detected while a clip was recorded; clips then cover the frame",
        default: .described("nothing"))
    static let grade = Option<GradeValue>(
        nil, "grade", .grade,
        "what is done to the colours of each clip: temperature, tint, exposure (stops), contrast, "
            + "saturation, lift, gamma, gain, curve … (the guide has all)",
        default: .described("nothing"))
    static let lut = Option<String>(
        nil, "lut", .path("FILE"), "a lookup table (.cube) with the look of each clip",
        default: .described("none"))
    static let effect = Option<EffectValue>(
        nil, "effect", .effect(EffectWords.names),
        "blur clips, or hide them behind a mosaic: an area (keys: shape, x, y, width, height, clip, at, duration …; "
            + "the guide has all), what was detected (follow=face), or all of the frame",
        isRepeatable: true)
    static let size = Option<PictureSize>(
        "s", "size", .size, "of the film", default: .described("the first clip's"))
    static let rate = Option<WantedRate>(
        "r", "fps", .rate, "of the film (frames per second)",
        default: .described("the first clip's"))

    static let startTimeCode = Option<TimeCodeText>(
        nil, "start-time-code", .timeCode,
        "time code of the film's first frame (mp4, mov, mkv, webm)",
        default: .described("none"))
    static let layout = Option<LayoutValue>(
        nil, "layout", .layout,
        "how the cameras of a take share the frame: pip (the first fills it, the others small at PLACE, a "
            + "SHARE of its width), side (beside each other), grid, speaker (the one whose microphone is "
            + "heard, for LENGTH at least)", default: .described("the first camera alone"))
    static let videoTracks = Option<[Int]>(
        nil, "video-tracks", .trackNumbers,
        "the video tracks of each clip that are shown, as vcap probe numbers them, in the layout's order",
        default: .described("all with a layout, else the first"))
    static let audioTracks = Option<[Int]>(
        nil, "audio-tracks", .trackNumbersOrNone,
        "the audio tracks of each clip that are heard",
        default: .described("all of a take, else the first"))
    static let overlay = Option<OverlayValue>(
        nil, "overlay", .overlay,
        "a clip over the film, small in a corner unless its keys say otherwise (the guide has all: at, place, "
            + "width, crop, mask, rotation, opacity, corner-radius, border, shadow, fade, speed, reverse, volume, gate, audio …)",
        isRepeatable: true)

    static let title = Option<String>(
        nil, "title", .text("TEXT", "a text"), "over the film's beginning, and its name for players"
    )
    static let titleStyle = Option<TitleStyle>(
        nil, "title-style", .titleStyle,
        "how the title looks: \(TitleStyle.allCases.map(\.rawValue).joined(separator: ", "))",
        default: .value(TitleStyle.fade.rawValue))
    static let titleLength = Option<MediaTime>(
        nil, "title-duration", .duration, "how long the title shows", default: .value("4s"))
    static let titleImage = Option<String>(
        nil, "title-image", .path("IMAGE"), "shown with the title; the style classic spins it")
    static let titleTheme = Option<String>(
        nil, "title-theme", .choice(TitleTheme.named.map(\.name)),
        "fonts and colours of the titles", default: .described("plain"))
    static let addedTitle = Option<TitleValue>(
        nil, "add-title", .addedTitle,
        "a text over the film with its style, time and place (the guide has all keys: style, at, duration, "
            + "image, font, color, accent, x, y, scale, rotation, opacity)",
        isRepeatable: true)
    static let chapter = Option<PlacedText>(
        nil, "chapter", .placedText, "a place in the film that players offer to go to",
        isRepeatable: true)
    static let watermark = Option<String>(
        nil, "watermark", .text("TEXT|IMAGE", "a text or an image file"),
        "over the film, in the lower right corner all the time unless the options of its name say "
            + "otherwise; a file if there is one of that name")
    static let watermarkPlace = Option<WatermarkPlace>(
        nil, "watermark-at", .watermarkPlace, "where the watermark is",
        default: .described("bottom-right"))
    static let watermarkMargin = Option<Double>(
        nil, "watermark-margin", .share(0...1),
        "its distance from the edges (share of the film's shorter side)",
        default: .described("5 % of width and height"))
    static let watermarkSize = Option<Double>(
        nil, "watermark-size", .share(0.001...1), "its height (share of the film's shorter side)",
        default: .described("0.1"))
    static let watermarkOpacity = Option<Double>(
        nil, "watermark-opacity", .share(0...1), "how opaque it is", default: .described("0.6"))
    static let watermarkStart = Option<MediaTime>(
        nil, "watermark-start", .instant, "when it comes", default: .described("the beginning"))
    static let watermarkLength = Option<MediaTime>(
        nil, "watermark-duration", .duration, "how long it shows",
        default: .described("to the end"))

    static let subtitles = Option<SubtitleValue>(
        nil, "subtitles", .subtitles,
        "a file of subtitles (.srt, .vtt, .ass) as a track of the film, or drawn into it (the guide has all keys: "
            + "language, name, delay, clip, forced, encoding, burn, font, size, color, outline, box, place, margin)",
        isRepeatable: true)
    static let clipSubtitles = Option<ClipSubtitleValue>(
        nil, "clip-subtitles", .clipSubtitles,
        "what becomes of the subtitles that clips bring along: tracks of the film, drawn into it (keys: language and "
            + "those of --subtitles that say how), or nothing", default: .value("tracks"))
    static let fonts = Option<String>(
        nil, "fonts", .path("PATH"),
        "a font file, or a folder of them, for titles and subtitles", isRepeatable: true)

    static let music = Option<String>(
        nil, "music", .path("FILE"), "under the film, from the beginning to its end",
        isRepeatable: true)
    static let musicVolume = Option<Double>(
        nil, "music-volume", .volume, "gain of the music (1 = as recorded)",
        default: .value("0.3"))
    static let duck = Switch(
        nil, "duck", "turn the music down while a voice-over, or without one a clip, is heard")
    static let voiceOver = Option<PlacedFile>(
        nil, "voice-over", .placedFile, "spoken audio and when it comes in",
        isRepeatable: true)
    static let volume = Option<Double>(
        nil, "volume", .volume, "gain of the clips' own audio", default: .value("1"))

    static let template = Option<String>(
        nil, "template", .path("PROJECT"),
        "a project (.vcap.json5, .otio) whose settings, titles, music and opening clips the film "
            + "takes over; the clips come behind its own, the options win over it")

    static let groups = [
        Command.Group(title: "Project", options: [template.spec, VariableOptions.set.spec]),
        Command.Group(
            title: "Video",
            options: [
                transition.spec, fit.spec, stillLength.spec, motion.spec, view.spec, follow.spec,
                grade.spec, lut.spec, effect.spec, size.spec, rate.spec,
                overlay.spec,
                layout.spec, videoTracks.spec, audioTracks.spec,
            ]),
        Command.Group(
            title: "Titles",
            options: [
                title.spec, titleStyle.spec, titleLength.spec, titleImage.spec,
                addedTitle.spec, titleTheme.spec, watermark.spec,
                watermarkPlace.spec, watermarkMargin.spec, watermarkSize.spec,
                watermarkOpacity.spec, watermarkStart.spec, watermarkLength.spec, chapter.spec,
                fonts.spec,
            ]),
        Command.Group(title: "Subtitles", options: [subtitles.spec, clipSubtitles.spec]),
        Command.Group(
            title: "Audio",
            options: [
                music.spec, musicVolume.spec, duck.spec, voiceOver.spec, volume.spec, audioCut.spec,
            ]
                + TreatmentOptions.specs),
    ]

    static let fits: [(name: String, fit: FitMode)] = [
        ("contain", .contain), ("cover", .cover), ("stretch", .stretch), ("blur", .blurred),
    ]
}

extension ValueKind where Value == Double {
    /// A gain: 0…16.
    static var volume: ValueKind {
        ValueKind("GAIN", expected: "a gain from 0 to 16, such as 0.3") { text in
            Double(text).flatMap { (0...16).contains($0) ? $0 : nil }
        }
    }
}
