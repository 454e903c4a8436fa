/// Which language the letters of each script are taken to be, so that the choice among fonts and forms of a
/// letter does not depend on the machine's locale.
enum TextLanguage {
    /// Han letters are shared by languages that write them differently: kana, hangul or bopomofo in the same
    /// text say which one it is; alone they are taken for simplified Chinese.
    static func ofHan(in text: String) -> String {
        var hasBopomofo = false
        var hasHangul = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: return "ja"
            case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7FB: hasHangul = true
            case 0x3100...0x312F, 0x31A0...0x31BF: hasBopomofo = true
            default: break
            }
        }
        return hasHangul ? "ko" : hasBopomofo ? "zh-tw" : "zh-cn"
    }

    /// By ISO 15924 code.
    private static let ofScript = [
        "Arab": "ar", "Armn": "hy", "Beng": "bn", "Cyrl": "ru", "Deva": "hi", "Ethi": "am",
        "Geor": "ka", "Grek": "el", "Gujr": "gu", "Guru": "pa", "Hebr": "he", "Khmr": "km",
        "Knda": "kn", "Laoo": "lo", "Mlym": "ml", "Mymr": "my", "Sinh": "si", "Taml": "ta",
        "Telu": "te", "Thai": "th", "Tibt": "bo", "Hira": "ja", "Kana": "ja", "Hang": "ko",
        "Bopo": "zh-tw",
    ]

    /// - Parameters:
    ///   - script: ISO 15924 code.
    ///   - han: what `ofHan` found.
    static func of(script: String, han: String) -> String {
        script == "Hani" ? han : ofScript[script] ?? "en"
    }
}
