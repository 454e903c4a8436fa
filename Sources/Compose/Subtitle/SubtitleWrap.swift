internal import Media

/// Makes libavcodec's lines of texts without styles fit our look: libass breaks lines at spaces only, so that of Chinese
/// or Japanese none would be broken. A value.
struct SubtitleWrap {
    /// Widths of a line, in ems.
    private let room: Double

    /// - Parameter size: of the film.
    init(_ look: SubtitleLook, film size: PixelSize) {
        let side = Double(min(size.width, size.height))
        // an em of the fonts with these characters is less than a line's height
        room = max(4, (Double(size.width) - 2 * side * look.margin) / (side * look.size * 0.8))
    }

    /// - Parameter event: "ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect, Text".
    func line(_ event: [UInt8], from codec: TextCodec) -> [UInt8] {
        let fields = event.split(
            separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return event }
        var text = String(decoding: fields[8], as: UTF8.self)
        // sizes, families and colours that timed text states of every run are its writer's, not its author's
        if codec == .movText { text = Self.withoutSizes(text) }
        text = text.replacing("\\n", with: "\\N").split(
            separator: "\\N", omittingEmptySubsequences: false
        ).map { broken(String($0)) }.joined(separator: "\\N")
        return Array(event[..<fields[8].startIndex]) + Array(text.utf8)
    }

    /// Without the overrides of size, family and white in braces.
    private static func withoutSizes(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let kept = rest[rest.index(after: open)..<close].split(separator: "\\").filter { tag in
                !(tag.hasPrefix("fs") && tag.dropFirst(2).allSatisfy(\.isNumber))
                    && !tag.hasPrefix("fn") && !["c&HFFFFFF&", "1c&HFFFFFF&"].contains(tag)
            }
            if !kept.isEmpty { result += "{" + kept.map { "\\\($0)" }.joined() + "}" }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    // MARK: Breaking

    /// A line with breaks between wide characters where it is longer than the room, about equally long parts.
    private func broken(_ line: String) -> String {
        let wide = line.unicodeScalars.count(where: \.isWide)
        guard wide > 0 else { return line }
        let length = Self.length(of: line)
        guard length > room else { return line }
        let part = length / (length / room).rounded(.up)
        var (result, used, isOverride) = ("", 0.0, false)
        var previous: Character?
        for character in line {
            if character == "{" { isOverride = true }
            let isBreakable =
                character.isWide && !character.closes
                || previous?.isWide ?? false
                    && !character.closes && character != " "
            if !isOverride, used >= part - 0.5, isBreakable, previous.map({ !$0.opens }) ?? false {
                result += "\\N"
                used = 0
            }
            result.append(character)
            if !isOverride { used += character.length }
            if character == "}" { isOverride = false } else if !isOverride { previous = character }
        }
        return result
    }

    private static func length(of line: String) -> Double {
        var (length, isOverride) = (0.0, false)
        for character in line {
            if character == "{" { isOverride = true }
            if !isOverride { length += character.length }
            if character == "}" { isOverride = false }
        }
        return length
    }
}

extension Character {
    /// Ems, about.
    fileprivate var length: Double { isWide ? 1 : 0.5 }

    fileprivate var isWide: Bool { unicodeScalars.first?.isWide ?? false }

    /// What no line begins with.
    fileprivate var closes: Bool {
        "、。，．：；？！」』）〕］｝〉》】”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)]}".contains(self)
    }

    /// What no line ends with.
    fileprivate var opens: Bool { "「『（〔［｛〈《【“‘([{".contains(self) }
}

extension Unicode.Scalar {
    /// Kana, Han, their punctuation and full width forms, which lines are broken between.
    fileprivate var isWide: Bool {
        switch value {
        case 0x2E80...0x30FF, 0x3105...0x312F, 0x31A0...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
