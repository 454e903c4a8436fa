public import Media
internal import Movie
internal import Reading

/// A file of subtitles for a film: a track of text in it, or drawn into its frames.
public struct SubtitleItem: Sendable, Hashable {
    /// SubRip (.srt), WebVTT (.vtt) or SubStation (.ass, .ssa).
    public var path: String
    /// BCP 47; nil: undetermined.
    public var language: String?
    /// What players show (nil: none).
    public var name: String?
    /// How much later than the file says (seconds; negative: earlier; default 0).
    public var delay: MediaTime
    /// The clip of the film whose times the file has (from 0): the subtitles follow its part, speed and place. Nil: its
    /// times are the film's.
    public var clip: Int?
    /// Whether players show it even where nobody asks for subtitles (default no).
    public var isForced: Bool
    /// Whether it is drawn into the frames, and no track (default no).
    public var isBurnt: Bool
    /// Of what has no styles of its own.
    public var look: SubtitleLook
    /// Of the file's bytes, such as "windows-1252"; nil: UTF-8, or as the mark of their order says.
    public var encoding: String?

    public init(
        _ path: String, language: String? = nil, name: String? = nil, delay: MediaTime = .zero,
        clip: Int? = nil, isForced: Bool = false, isBurnt: Bool = false,
        look: SubtitleLook = SubtitleLook(), encoding: String? = nil
    ) {
        self.path = path
        self.language = language
        self.name = name
        self.delay = delay
        self.clip = clip
        self.isForced = isForced
        self.isBurnt = isBurnt
        self.look = look
        self.encoding = encoding
    }
}

/// What becomes of the subtitles that clips bring along.
public enum ClipSubtitles: Sendable, Hashable {
    /// A track for each language.
    case tracks
    /// Each clip's of a language are drawn into the frames, where nil its first ones; the others are tracks.
    case burnt(language: String?)
    /// The film has none of them.
    case leftOut
}

extension SubtitleItem {
    /// How its file is read.
    var request: SubtitleFile.Request { SubtitleFile.Request(encoding: encoding, delay: delay) }

    /// - Throws: `invalid-setting`, naming the item.
    func validate(_ name: String, clips: Int) throws(MediaError) {
        if let clip, !(0..<clips).contains(clip) {
            throw .setting(
                name,
                clips == 0
                    ? "\(name) belongs to a clip, but the film has none"
                    : "\(name) belongs to clip \(clip + 1), but the film has \(clips)")
        }
        guard abs(delay.approximateSeconds) <= 86_400 else {
            throw .setting(name, "\(name) is moved by \(delay.spoken); it can be 24 h at most")
        }
        if let language, !LanguageCode.isTag(language) {
            throw .setting(
                name,
                "\(name) is in \"\(language)\", which is no language's tag; name one such as de or pt-BR"
            )
        }
        guard isBurnt || look == SubtitleLook() else {
            throw .setting(
                name,
                "\(name) says how it is drawn, but is a track of text; burn it, or leave its look out"
            )
        }
        guard !isBurnt || !isForced && self.name == nil else {
            throw .setting(
                name, "\(name) is drawn, so no player offers it; leave its name and forced out")
        }
        guard self.name.map({ $0.count <= 1000 }) ?? true else {
            throw .setting(name, "the name of \(name) has more than 1000 characters; shorten it")
        }
        try look.validate(name)
    }
}

extension SubtitleLook {
    /// - Parameter subject: what looks so, for messages.
    func validate(_ subject: String) throws(MediaError) {
        guard (0.01...0.5).contains(size) else {
            throw .setting(
                subject,
                "the lines of \(subject) have a height of \(size); it can be 0.01 to 0.5 of the film's "
                    + "shorter side")
        }
        guard (0...0.45).contains(margin) else {
            throw .setting(
                subject,
                "the margin of \(subject) is \(margin); it can be 0 to 0.45 of the film's shorter side"
            )
        }
        for color in [color, outline] + (box.map { [$0] } ?? []) {
            try color.validate("the colours of \(subject)")
        }
    }
}
