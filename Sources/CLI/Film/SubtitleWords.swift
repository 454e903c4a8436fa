import Compose
internal import Glibc
import Media

/// The subtitles of `--subtitles` and `--clip-subtitles`.
struct SubtitleWords {
    let arguments: Arguments

    func apply(to timeline: inout Timeline) throws(CommandFailure) {
        for value in try arguments.all(ComposeOptions.subtitles) {
            timeline.subtitles.append(try item(value))
        }
        guard let own = try arguments(ComposeOptions.clipSubtitles) else { return }
        switch own.use {
        case .tracks: timeline.clipSubtitles = .tracks
        case .none: timeline.clipSubtitles = .leftOut
        case .burn:
            var drawn = DrawnSubtitles()
            try TypedKey<DrawnSubtitles>.read(own.keys, of: DrawnSubtitles.keys, into: &drawn) {
                CommandFailure(.usage, "--clip-subtitles: \($0)")
            }
            timeline.clipSubtitles = .burnt(language: drawn.language)
            timeline.clipSubtitleLook = drawn.look
        }
    }

    private func item(_ value: SubtitleValue) throws(CommandFailure) -> SubtitleItem {
        // a file of the whole name is meant
        let isWhole = access(value.text, F_OK) == 0
        var item = SubtitleItem(isWhole ? value.text : value.file)
        try TypedKey<SubtitleItem>.read(
            isWhole ? [] : value.keys, of: SubtitleItem.keys, into: &item
        ) { CommandFailure(.usage, "--subtitles \(value.file): \($0)") }
        if !item.isBurnt, item.look != SubtitleLook() {
            throw CommandFailure(
                .usage,
                "--subtitles \(value.file): font, size, colours, box, place and margin are for what is drawn; give burn as well"
            )
        }
        if item.isBurnt, item.isForced || item.name != nil {
            throw CommandFailure(
                .usage,
                "--subtitles \(value.file): forced and name are for a track, and burn makes none; leave one out"
            )
        }
        guard access(item.path, R_OK) == 0 else {
            let reason = errno
            throw CommandFailure(
                reason == EACCES ? .notPermitted : .noInput,
                "cannot read the subtitles \(item.path): \(String(cString: strerror(reason)))")
        }
        return item
    }
}

/// The clips' subtitles where they are drawn.
private struct DrawnSubtitles: LooksLikeSubtitles {
    var language: String?
    var look = SubtitleLook()

    static let keys: [TypedKey<DrawnSubtitles>] =
        [.text("language", "a language's tag such as de") { $1.language = $0 }] + lookKeys()
}

extension SubtitleItem: LooksLikeSubtitles {
    fileprivate static let keys: [TypedKey<SubtitleItem>] =
        [
            .text("language", "a language's tag such as de") { $1.language = $0 },
            .text("name", "a text") { $1.name = $0 },
            .init("delay", expected: "a time such as 0.5s or -1.2s", delay) { $1.delay = $0 },
            .init("clip", .integer("CLIP", in: 1...10_000)) { $1.clip = $0 - 1 },
            .word("forced") { $0.isForced = true },
            .word("burn") { $0.isBurnt = true },
            .text("encoding", "an encoding such as windows-1252") { $1.encoding = $0 },
        ] + lookKeys()

    /// A time with a sign.
    private static func delay(_ text: String) -> MediaTime? {
        let isNegative = text.hasPrefix("-")
        let time = MediaTime(
            typed: isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text)
        return time.map { isNegative ? -$0 : $0 }
    }
}

/// Something with the look of subtitles.
private protocol LooksLikeSubtitles: Sendable {
    var look: SubtitleLook { get set }
}

extension LooksLikeSubtitles {
    /// How they are drawn.
    fileprivate static func lookKeys() -> [TypedKey<Self>] {
        [
            .text("font", "a family's name") { $1.look.family = $0 },
            .share("size", 0.01...0.5) { $1.look.size = $0 },
            .init("color", .colorAndOpacity) { $1.look.color = $0 },
            .init("outline", .colorAndOpacity) { $1.look.outline = $0 },
            .init("box", .colorAndOpacity) { $1.look.box = $0 },
            .init(
                "place",
                expected: SubtitleLook.Place.allCases.map(\.rawValue).joined(separator: ", "),
                SubtitleLook.Place.init(rawValue:)
            ) { $1.look.place = $0 },
            .share("margin", 0...0.45) { $1.look.margin = $0 },
        ]
    }
}
