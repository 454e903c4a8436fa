import Compose
import Media

/// A file of subtitles as it is typed: `film.de.srt,delay=0.5s,burn`.
struct SubtitleValue: Sendable, Equatable {
    /// All of it, which may be the name of a file.
    let text: String
    /// Without the keys.
    let file: String
    /// In order; a word has an empty value.
    let keys: [KeyText]

    /// Keys that need no value.
    static let words: Set<String> = ["burn", "forced"]
}

extension ValueKind where Value == SubtitleValue {
    static var subtitles: ValueKind {
        ValueKind(
            "FILE[,KEY=VALUE]…",
            expected:
                "a file of subtitles such as film.srt, or with keys film.srt,language=de,burn",
            completion: .files
        ) { text in
            let (file, keys) = KeyText.split(text, words: SubtitleValue.words, keepsFirst: true)
            return file.isEmpty ? nil : SubtitleValue(text: text, file: file, keys: keys)
        }
    }
}

/// What becomes of the clips' own subtitles as it is typed: `burn,language=de,size=0.08`.
struct ClipSubtitleValue: Sendable, Equatable {
    enum Use: String, CaseIterable, Sendable {
        case tracks, burn, none
    }

    let use: Use
    let keys: [KeyText]
}

extension ValueKind where Value == ClipSubtitleValue {
    static var clipSubtitles: ValueKind {
        let words = ClipSubtitleValue.Use.allCases.map(\.rawValue)
        return ValueKind(
            words.joined(separator: "|") + "[,KEY=VALUE]…",
            expected:
                "tracks, none or burn, which takes keys such as burn,language=de,size=0.1",
            completion: .words(words)
        ) { text in
            let (word, keys) = KeyText.split(text, keepsFirst: true)
            guard let use = ClipSubtitleValue.Use(rawValue: word), use == .burn || keys.isEmpty
            else { return nil }
            return ClipSubtitleValue(use: use, keys: keys)
        }
    }
}
