/// What containers call a language.
package enum LanguageCode {
    /// ISO 639-2's three letters (of two codes for one language the terminology's), where BCP 47's first part has three or is one of the most common twos;
    /// nil = undetermined.
    package static func threeLetters(_ tag: String?) -> String? {
        guard let primary = tag?.split(separator: "-").first?.lowercased(), primary != "und" else {
            return nil
        }
        return common[primary] ?? bibliographic[primary] ?? primary
    }

    /// A tag as a file says it, if it can be one (BCP 47): no stranger's text goes further.
    package static func tag(_ text: String?) -> String? {
        guard let text, (2...35).contains(text.utf8.count), text != "und",
            text.unicodeScalars.allSatisfy({ $0.isASCII && ($0 == "-" || $0.isLetterOrDigit) })
        else { return nil }
        return text
    }

    /// Whether it begins as a language's tag does: two or three letters, then perhaps more behind hyphens (BCP 47).
    package static func isTag(_ text: String) -> Bool {
        guard tag(text) != nil, let primary = text.split(separator: "-").first else { return false }
        return (2...3).contains(primary.utf8.count) && primary.allSatisfy(\.isLetter)
    }

    /// Whether it is one of the most common languages, in two or three letters, perhaps with a country.
    package static func isCommon(_ tag: String) -> Bool {
        guard let primary = tag.split(separator: "-").first?.lowercased() else { return false }
        return common[primary] != nil || common.values.contains(primary)
            || bibliographic[primary] != nil
    }

    /// Codes that libraries use, as Matroska does, in the place of those of terminology (ISO 639-2).
    private static let bibliographic = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
        "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
        "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
        "tib": "bod", "wel": "cym",
    ]

    private static let common = [
        "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
        "es": "spa", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun",
        "it": "ita", "ja": "jpn", "ko": "kor", "nb": "nob", "nl": "nld", "no": "nor",
        "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "th": "tha",
        "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "zho",
    ]
}
