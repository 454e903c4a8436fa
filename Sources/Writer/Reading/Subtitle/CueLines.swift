internal import Media

/// A text of SubRip or WebVTT as cues with times, in the one form that libavformat's readers take: they read a line of times
/// that they do not understand as text of the cue before (SubRip), or end there (WebVTT).
struct CueLines {
    /// With the cues that have times, each behind a blank line.
    private(set) var text: [UInt8] = []
    /// Cues, also those whose times cannot be read (count).
    private(set) var count = 0
    /// Cues that are in the text (count).
    private var taken = 0

    private let mark: Character

    init(_ text: [UInt8], _ codec: TextCodec) {
        mark = codec == .webvtt ? "." : ","
        let lines = String(decoding: Self.withPlainEnds(text), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        if codec == .webvtt { appendBlocks(lines[...]) } else { appendCues(lines) }
    }

    /// With lines that end in one line feed; programs write several carriage returns before it.
    private static func withPlainEnds(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var returns = 0
        for byte in text {
            if byte == 13 {
                returns += 1
                continue
            }
            if returns > 0, byte != 10 { plain += repeatElement(10, count: returns) }
            returns = 0
            plain.append(byte)
        }
        return plain
    }

    // MARK: WebVTT

    /// Blocks that are no cues are styles, regions and notes. The head is its first line.
    private mutating func appendBlocks(_ lines: ArraySlice<Substring>) {
        guard let head = lines.firstIndex(where: { !$0.isEmpty }) else { return }
        append(lines[head...head])
        for block in lines[(head + 1)...].split(whereSeparator: \.isEmpty) {
            var begins = block.indices.filter { CueTimes(block[$0]) != nil }
            if begins.isEmpty {
                let stands = block.prefix(2).firstIndex { $0.contains("-->") }
                begins = stands.map { [$0] } ?? []
            }
            for (place, begin) in begins.enumerated() {
                let end = place + 1 < begins.count ? begins[place + 1] : block.endIndex
                appendCue(block[begin], block[(begin + 1)..<end])
            }
        }
    }

    // MARK: SubRip

    /// Texts may contain blank lines and arrows: a cue begins at a line of times, and at one that stands where times should,
    /// behind a number and a blank line.
    private mutating func appendCues(_ lines: [Substring]) {
        var begins: [(times: Int, first: Int)] = []
        for (index, line) in lines.enumerated() where line.contains("-->") {
            let number = Self.number(before: index, in: lines)
            let isTimes = CueTimes(line) != nil
            guard isTimes || number.map({ Self.isBlank(before: $0, in: lines) }) ?? false else {
                continue
            }
            begins.append((index, number ?? index))
        }
        for (place, begin) in begins.enumerated() {
            let end = place + 1 < begins.count ? begins[place + 1].first : lines.count
            appendCue(lines[begin.times], lines[(begin.times + 1)..<max(end, begin.times + 1)])
        }
    }

    /// The line of a cue's number: before its times, or with blank lines between where it stands alone.
    private static func number(before times: Int, in lines: [Substring]) -> Int? {
        guard let place = lines[..<times].lastIndex(where: { !$0.allSatisfy(\.isWhitespace) }),
            isNumber(lines[place]), place == times - 1 || isBlank(before: place, in: lines)
        else { return nil }
        return place
    }

    private static func isBlank(before place: Int, in lines: [Substring]) -> Bool {
        place == 0 || lines[place - 1].allSatisfy(\.isWhitespace)
    }

    private static func isNumber(_ line: Substring) -> Bool {
        let digits = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let rest = digits.drop { $0.isASCII && $0.isNumber }
        return rest.startIndex != digits.startIndex && rest.allSatisfy(\.isWhitespace)
    }

    // MARK: Cues

    private mutating func appendCue(_ line: Substring, _ words: ArraySlice<Substring>) {
        count += 1
        guard let times = CueTimes(line) else { return }
        taken += 1
        let number = mark == "," ? [Substring("\(taken)")] : []
        append(number + [Substring(times.line(mark))] + words)
    }

    private mutating func append(_ lines: some Sequence<Substring>) {
        for line in lines {
            text += line.utf8
            text.append(10)
        }
        text.append(10)
    }
}

/// A line of a cue's times: hours may be missing, and what is smaller than a second; blanks may stand anywhere.
private struct CueTimes {
    /// Milliseconds.
    private let start: Int64
    private let end: Int64
    /// Behind them: where the text stands.
    private let settings: Substring

    init?(_ line: Substring) {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        var first = line[..<arrow.lowerBound].drop { $0 == "\u{FEFF}" }
        var rest = line[arrow.upperBound...]
        guard let start = Self.time(&first), first.allSatisfy(\.isWhitespace),
            let end = Self.time(&rest), rest.first?.isWhitespace ?? true
        else { return nil }
        (self.start, self.end, settings) = (start, end, rest)
    }

    func line(_ mark: Character) -> String {
        "\(Self.text(start, mark)) --> \(Self.text(end, mark))\(settings)"
    }

    /// Takes `[H:]M:S[.m]` from a text, or with a comma; digits behind it are milliseconds, as players read them, and more
    /// than three a part of a second.
    private static func time(_ text: inout Substring) -> Int64? {
        guard var time = number(&text) else { return nil }
        var parts = 1
        while parts < 3, takes(":", from: &text) {
            guard let value = number(&text) else { return nil }
            (time, parts) = (time * 60 + value, parts + 1)
        }
        guard parts > 1 else { return nil }
        guard takes(".", from: &text) || takes(",", from: &text) else { return time * 1000 }
        text = text.drop(while: \.isWhitespace)
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let thousandths = Int64(digits.prefix(3)) else { return nil }
        text = text[digits.endIndex...]
        return time * 1000 + thousandths
    }

    private static func takes(_ mark: Character, from text: inout Substring) -> Bool {
        let rest = text.drop(while: \.isWhitespace)
        guard rest.first == mark else { return false }
        text = rest.dropFirst()
        return true
    }

    /// Of at most six digits.
    private static func number(_ text: inout Substring) -> Int64? {
        let rest = text.drop(while: \.isWhitespace)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 6, let value = Int64(digits) else { return nil }
        text = rest[digits.endIndex...]
        return value
    }

    private static func text(_ time: Int64, _ mark: Character) -> String {
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let (hours, minutes, seconds) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60)
        return "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(seconds, 2))\(mark)"
            + padded(time % 1000, 3)
    }
}
