internal import LibAV
package import Media
internal import Movie

/// A file of subtitles (SubRip, WebVTT, SubStation), read as a whole.
package struct SubtitleFile: Sendable {
    /// As the text says, not the name.
    package let codec: TextCodec
    /// How the file's bytes were read, such as "UTF-8".
    package let encoding: String
    /// Texts that are empty or have times that cannot be read (count).
    package let unreadCount: Int
    /// Texts that the delay brings before time zero (count).
    package let earlyCount: Int
    /// Texts that begin later than any film lasts (count).
    package let lateCount: Int
    /// Of the texts (FNV-1a).
    let digest: UInt64
    /// Texts that say how they look or where they stand (count).
    package let styledCount: Int
    /// What was asked for.
    let request: Request
    let format: FormatDescription

    /// Whether it says how all of it looks: a SubStation script.
    package var isStyled: Bool { !(format.text?.codecConfiguration ?? []).isEmpty }

    /// In order of their starts, moved by the delay (milliseconds).
    let samples: [SampleBuffer]

    /// How a file is read.
    package struct Request: Sendable, Hashable {
        /// Of the file's bytes; nil: UTF-8, or as the mark of their order says.
        package var encoding: String?
        /// How much later the texts are (seconds, to the nearest millisecond).
        package var delay: MediaTime

        package init(encoding: String? = nil, delay: MediaTime = .zero) {
            (self.encoding, self.delay) = (encoding, delay)
        }
    }

    /// 1/s.
    static let timescale: Int32 = 1000
    /// 24 h, as long as a film (ticks).
    private static let longest: Int64 = 86_400_000

    /// When its texts begin (movie time).
    package var starts: [MediaTime] { samples.map(\.presentationTime) }

    /// How many of its texts are shown in a span (movie time).
    package func count(in range: MediaTimeRange) -> Int {
        samples.count { sample in
            sample.presentationTime < range.end
                && sample.presentationTime + (sample.duration ?? .zero) > range.start
        }
    }

    /// The language that a name states before its ending, as players read it: `film.de.srt`, `film.pt_BR.forced.srt`.
    package static func language(inName path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        var parts = name.split(separator: ".").dropLast()
        while let last = parts.last, ["forced", "sdh", "cc", "default"].contains(last.lowercased())
        {
            parts.removeLast()
        }
        guard parts.count > 1, let last = parts.last.map({ String($0).replacing("_", with: "-") }),
            LanguageCode.isCommon(last)
        else { return nil }
        return LanguageCode.tag(last)
    }

    /// 16 MB: a hundred times a film's.
    private static let contents = FileContents(
        "file of subtitles", most: 16_000_000, refusal: .unsupported)

    /// Blocks.
    /// - Throws: `no-such-file`, `not-permitted`, `unsupported`, `invalid-setting` for an encoding that nobody knows.
    package init(_ path: String, _ request: Request = Request()) throws(MediaError) {
        let bytes = try Self.contents.read(path)
        let (text, encoding) = try Self.text(bytes, request.encoding, path)
        let codec = try Self.codec(of: text, path)
        let cues = codec == .ass ? nil : CueLines(text, codec)
        let found = try SubtitleSamples(cues?.text ?? text, codec, name: path)
        guard !found.samples.isEmpty else {
            throw .refusedText(path, "it has no subtitle with a time and a text")
        }
        let format = FormatDescription.text(
            TextFormat(coding: .coded(codec), codecConfiguration: found.configuration))
        self.format = format
        let delay = request.delay.ticks(per: Self.timescale, rounding: .nearest)
        let latest = Self.longest
        samples = found.samples.compactMap { sample in
            let (start, end) = (sample.start + delay, sample.start + sample.duration + delay)
            guard end > 0, start < latest else { return nil }
            return SampleBuffer(
                payload: .coded(BlockBuffer(sample.payload)), format: format,
                presentationTime: MediaTime(value: max(0, start), timescale: Self.timescale),
                duration: MediaTime(
                    value: min(end, latest) - max(0, start), timescale: Self.timescale))
        }
        self.codec = codec
        self.encoding = encoding
        self.request = request
        lateCount = found.samples.count { $0.start + delay >= latest }
        earlyCount = found.samples.count - samples.count - lateCount
        digest = found.samples.reduce(into: 0xCBF2_9CE4_8422_2325) { hash, sample in
            for byte in sample.payload { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        styledCount = found.samples.count { sample in
            sample.payload.withUnsafeBytes { CueText.isStyled($0, codec) }
        }
        unreadCount = max(
            0, (cues?.count ?? Self.dialogues(in: text)) - found.samples.count)
    }

    private static func text(
        _ bytes: [UInt8], _ name: String?, _ path: String
    ) throws(MediaError) -> (text: [UInt8], encoding: String) {
        let marked = TextEncoding.marked(bytes)
        var encoding = marked?.encoding ?? .utf8
        if let name {
            guard let known = TextEncoding(named: name) else {
                throw MediaError(
                    code: .invalidSetting, subject: path,
                    message:
                        "The system knows no encoding \"\(name.prefix(40))\" for \(path); name one such as "
                        + "windows-1252, iso-8859-15, shift_jis or gb18030.")
            }
            encoding = marked?.encoding ?? known
        }
        let (text, wrong) = encoding.text(bytes[(marked?.mark ?? 0)...])
        guard let text else {
            if bytes.prefix(4096).contains(0) {
                throw .refusedText(path, isNamedSo(path) ? zeros : noSubtitles)
            }
            let line = bytes.prefix(wrong).count { $0 == UInt8(ascii: "\n") } + 1
            throw .refusedText(
                path,
                name == nil
                    ? "line \(line) is not \(encoding.name); name its encoding, such as encoding=windows-1252"
                    : "line \(line) is not \(encoding.name); name another encoding")
        }
        guard !text.contains(0) else { throw .refusedText(path, zeros) }
        return (text, encoding.name)
    }

    private static func isNamedSo(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last?.lowercased() ?? ""
        return ["srt", "vtt", "ass", "ssa"].contains(ending)
    }

    private static let zeros =
        "there are zeros in its text; name its encoding, such as encoding=utf-16le"
    private static let noSubtitles =
        "it is neither SubRip (.srt), WebVTT (.vtt) nor SubStation (.ass)"

    /// By what the text begins with; a SubRip file begins with anything.
    private static func codec(of text: [UInt8], _ path: String) throws(MediaError) -> TextCodec {
        let head = String(decoding: text.prefix(64 << 10), as: UTF8.self)
        let first =
            head.split(whereSeparator: \.isNewline).lazy
            .map { $0.drop { $0.isWhitespace } }.first { !$0.isEmpty } ?? ""
        if first.hasPrefix("WEBVTT") { return .webvtt }
        if first.lowercased().hasPrefix("[script info]") { return .ass }
        guard head.contains("-->") else {
            throw .refusedText(path, noSubtitles)
        }
        return .subrip
    }

    /// How many subtitles a SubStation script has (count).
    private static func dialogues(in text: [UInt8]) -> Int {
        let mark = Array("Dialogue:".utf8)
        return text.split(whereSeparator: { $0 == 10 || $0 == 13 }).count { $0.starts(with: mark) }
    }
}

extension MediaError {
    fileprivate static func refusedText(_ path: String, _ reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: path,
            message: "Cannot read the subtitles of \(path): \(reason).")
    }
}
