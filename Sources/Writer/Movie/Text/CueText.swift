package import Media

/// What a coded text sample says. Styles and positions are left out.
package enum CueText {
    /// The text of a sample, its lines divided by line feeds, none of them empty.
    /// - Returns: Whether it was too long and lost its end.
    package static func plain(_ bytes: UnsafeRawBufferPointer, _ codec: TextCodec) -> (
        text: String, isCut: Bool
    ) {
        // marks and escapes may be longer than what they say, but not by this much
        let reach = 4 * TextCue.longestText
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach))
        let text =
            switch codec {
            case .movText: timedText(part)
            case .subrip: withoutTags(decoded(part), .subRip)
            case .webvtt: withoutEntities(withoutTags(decoded(part), .webVTT))
            case .ass: dialogue(decoded(part))
            }
        let cut = cut(tidy(text))
        return (cut.text, cut.isCut || bytes.count > reach)
    }

    /// Whether a sample says more than its text: how it looks, or where it stands.
    package static func isStyled(_ bytes: UnsafeRawBufferPointer, _ codec: TextCodec) -> Bool {
        switch codec {
        case .movText:
            guard bytes.count >= 2 else { return false }
            return bytes.count > 2 + (Int(bytes[0]) << 8 | Int(bytes[1]))
        case .ass: return holds(bytes, "{") { $0 == UInt8(ascii: "\\") }
        case .subrip, .webvtt:
            return holds(bytes, "<") {
                $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
            }
        }
    }

    /// Whether a byte stands before one that fits.
    private static func holds(
        _ bytes: UnsafeRawBufferPointer, _ mark: Unicode.Scalar, _ fits: (UInt8) -> Bool
    ) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: mark) && fits($1) }
    }

    /// The text as far as a sample holds it, up to a whole character.
    static func cut(_ text: String) -> (text: String, isCut: Bool) {
        guard text.utf8.count > TextCue.longestText else { return (text, false) }
        var end = text.utf8.index(text.startIndex, offsetBy: TextCue.longestText)
        while end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return (String(text[..<end]), true)
    }

    /// UTF-8; what is none is replaced.
    private static func decoded(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Without empty lines, which end a cue in text files, and without control characters.
    private static func tidy(_ text: String) -> String {
        let lines = text.split { $0.isNewline }.map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        }
        return lines.filter { line in line.contains { !$0.isWhitespace } }
            .joined(separator: "\n")
    }

    // MARK: Codings

    /// A length, then UTF-8, or UTF-16 behind its mark (3GPP TS 26.245, 5.17).
    private static func timedText(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.count >= 2 else { return "" }
        let body = bytes.dropFirst(2).prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
        let mark = Array(body.prefix(2))
        guard mark == [0xFE, 0xFF] || mark == [0xFF, 0xFE] else { return decoded(body) }
        let pairs = Array(body.dropFirst(2))
        let isBig = mark[0] == 0xFE
        let units = stride(from: 0, to: pairs.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(pairs[index]), UInt16(pairs[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// A line of Matroska's: eight fields, then the text.
    private static func dialogue(_ line: String) -> String {
        let fields = line.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return "" }
        let text = withoutTags(String(fields[8]), .subStation)
        return text.replacing("\\N", with: "\n").replacing("\\n", with: "\n")
            .replacing("\\h", with: "\u{A0}")
    }

    /// What is a mark in a text.
    private enum Marks {
        /// Some of HTML's and, from other programs, SubStation's.
        case subRip
        /// Whatever stands in angle brackets.
        case webVTT
        /// `{\…}`.
        case subStation

        private static let tags: Set<String> = ["b", "i", "u", "s", "font"]

        /// Whether a mark in angle brackets begins here; other things people write so are text.
        func isTag(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
            guard self != .subStation, text.first == "<" else { return false }
            let body = text.dropFirst().drop { $0 == "/" }
            if self == .webVTT {
                return body.count < text.count - 1 || body.first?.isLetterOrDigit ?? false
            }
            let name = body.prefix(5).prefix { $0.isLetterOrDigit }
            return Self.tags.contains(String(String.UnicodeScalarView(name)).lowercased())
        }
    }

    /// Takes the marks out. A drawing (`\p1` and more) is no text either.
    private static func withoutTags(_ text: String, _ marks: Marks) -> String {
        var result = String.UnicodeScalarView()
        var isDrawing = false
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            let following = index + 1 < scalars.count ? scalars[index + 1] : " "
            let isTag = scalar == "<" && marks.isTag(scalars[index...])
            // in a script all that stands in braces is a mark, or a comment
            let isOverride =
                scalar == "{"
                && (marks == .subStation || marks == .subRip && following == "\\")
            if isTag || isOverride,
                let end = scalars[index...].prefix(1024).firstIndex(of: isTag ? ">" : "}")
            {
                if isOverride { isDrawing = drawing(scalars[index..<end]) ?? isDrawing }
                index = end + 1
                continue
            }
            if !isDrawing { result.append(scalar) }
            index += 1
        }
        return String(result)
    }

    /// Whether an override switches drawing on or off; nil: it does not say.
    private static func drawing(_ override: ArraySlice<Unicode.Scalar>) -> Bool? {
        var found: Bool?
        for index in override.indices.dropLast(2)
        where override[index] == "\\" && override[index + 1] == "p" {
            if let digit = Int(String(override[index + 2])) { found = digit > 0 }
        }
        return found
    }

    private static func withoutEntities(_ text: String) -> String {
        guard text.contains("&") else { return text }
        // the ampersand last, so that nothing is taken for an entity twice
        return [
            ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&lrm;", "\u{200E}"),
            ("&rlm;", "\u{200F}"), ("&amp;", "&"),
        ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

extension Unicode.Scalar {
    /// What a tag's name, or a time of WebVTT, begins with; and what languages are called with.
    var isLetterOrDigit: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }
}
