internal import Media

/// Something with the look of subtitles.
protocol LooksLikeSubtitles: Sendable {
    var look: SubtitleLook { get set }
}

extension SubtitleItem: LooksLikeSubtitles {}

/// The keys of subtitles.
extension ProjectTables {
    static let subtitles = ProjectTable<SubtitleItem>(
        "subtitles", usual: SubtitleItem(""),
        [
            .value(
                "file", \.path, .path, required: true,
                "SubRip (.srt), WebVTT (.vtt) or SubStation (.ass, .ssa)"),
            .optional(
                "language", \.language, .text(most: 35),
                "its tag such as \"de\" (default: what the file's name says, as film.de.srt does)"),
            .optional("name", \.name, .text(most: 1000), "what players show"),
            .value(
                "delay", \.delay, .delay,
                "how much later the texts are than the file says; negative: earlier (default 0)"),
            .optional(
                "clip", \.clipNumber, .whole(1...10_000),
                "the number of the clip whose times the file has; the texts follow its part, speed and place "
                    + "(default: the times are the film's)"),
            .value(
                "forced", \.isForced, .flag,
                "whether players show it even where nobody asks for subtitles (default false)"),
            .value(
                "burn", \.isBurnt, .flag,
                "whether it is drawn into the frames, and no track (default false)"),
            .optional(
                "encoding", \.encoding, .text(most: 40),
                "of the file's bytes, such as \"windows-1252\" (default UTF-8)"),
        ] + look())

    static let clipSubtitles = ProjectTable<LongClipSubtitles>(
        "the clips' subtitles", usual: LongClipSubtitles(),
        [
            .value(
                "use", \.use, .choice, always: true,
                "drawn into the frames, tracks of text, or nothing (default tracks)"),
            .optional(
                "language", \.language, .text(most: 35),
                "which of them are drawn (default: each clip's first)"),
        ] + look())

    /// How they are drawn that have no styles of their own.
    private static func look<Item: LooksLikeSubtitles>() -> [ProjectField<Item>] {
        [
            .optional(
                "font", \.look.family, .text(most: 200),
                "of what is drawn: a family's name (default Sans)"),
            .value(
                "size", \.look.size, .number(0.01...0.5),
                "height of a line (fraction of the film's shorter side; default 0.075)"),
            .value("color", \.look.color, .color, "of the letters (default white)"),
            .value("outline", \.look.outline, .color, "around the letters (default black)"),
            .optional("box", \.look.box, .color, "behind the lines (default none)"),
            .value("place", \.look.place, .choice, "where the lines stand (default bottom)"),
            .value(
                "margin", \.look.margin, .number(0...0.45),
                "from the edges (fraction of the film's shorter side; default 0.05)"),
        ]
    }
}

/// What becomes of the clips' subtitles, as a project says it.
struct LongClipSubtitles: LooksLikeSubtitles, Hashable {
    enum Use: String, CaseIterable, Sendable {
        case burn, tracks, none
    }

    var use = Use.tracks
    var language: String?
    var look = SubtitleLook()
}

extension Timeline {
    /// The two values of the clips' subtitles.
    var longClipSubtitles: LongClipSubtitles {
        get {
            switch clipSubtitles {
            case .tracks: LongClipSubtitles(look: clipSubtitleLook)
            case .leftOut: LongClipSubtitles(use: .none, look: clipSubtitleLook)
            case .burnt(let language):
                LongClipSubtitles(use: .burn, language: language, look: clipSubtitleLook)
            }
        }
        set {
            clipSubtitles =
                switch newValue.use {
                case .tracks: .tracks
                case .none: .leftOut
                case .burn: .burnt(language: newValue.language)
                }
            clipSubtitleLook = newValue.look
        }
    }
}

extension SubtitleItem {
    /// The clip's number from 1.
    var clipNumber: Int? {
        get { clip.map { $0 + 1 } }
        set { clip = newValue.map { $0 - 1 } }
    }
}

extension ProjectForm<LongClipSubtitles> {
    /// A word, or an object that says how they are drawn.
    static var clipSubtitles: ProjectForm {
        let word = ProjectForm<LongClipSubtitles.Use>.choice.map {
            LongClipSubtitles(use: $0)
        } back: {
            $0.use
        }
        let object = ProjectForm.record(ProjectTables.clipSubtitles)
        let checked = ProjectForm(object.kind) { node, what, reader throws(JSONFailure) in
            let long = try object.read(node, what, &reader)
            guard long.use == .burn || long == LongClipSubtitles(use: long.use) else {
                throw JSONFailure(
                    position: node.position,
                    message:
                        "a language and a look are for subtitles that are drawn; make \"use\" \"burn\", or leave "
                        + "them out")
            }
            return long
        } writes: { long, writer in
            object.write(long, writer)
        }
        return .short(word, or: checked) { $0 == LongClipSubtitles(use: $0.use) }
    }
}

extension ProjectForm<MediaTime> {
    /// A time with a sign.
    static var delay: ProjectForm {
        ProjectForm(.delay) { node in
            guard let word = node.word, let time = MediaTime(projectText: word),
                abs(time.approximateSeconds) <= 86_400
            else { return nil }
            return time
        } _: {
            .time($0)
        }
    }
}
