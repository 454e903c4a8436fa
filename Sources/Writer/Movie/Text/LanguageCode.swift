/// What containers call a language.
package enum LanguageCode {
    /// ISO 639-2's three letters, where BCP 47's first part has three or is one of the most common twos;
    /// nil = undetermined.
    package static func threeLetters(_ tag: String?) -> String? {
        guard let primary = tag?.split(separator: "-").first?.lowercased(), primary != "und" else {
            return nil
        }
        return common[primary] ?? primary
    }

    /// A tag as a file says it, if it can be one (BCP 47): no stranger's text goes further.
    package static func tag(_ text: String?) -> String? {
        guard let text, (2...35).contains(text.utf8.count), text != "und",
            text.unicodeScalars.allSatisfy({ $0.isASCII && ($0 == "-" || $0.isLetterOrDigit) })
        else { return nil }
        return text
    }

    private static let common = [
        "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
        "es": "spa", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun",
        "it": "ita", "ja": "jpn", "ko": "kor", "nb": "nob", "nl": "nld", "no": "nor",
        "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "th": "tha",
        "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "zho",
    ]
}
