internal import LibAV
internal import Media
internal import Reading

/// What libass draws of a text track: a SubStation script whose lines have the source's times. A value.
struct SubtitleScript: Sendable {
    struct Event: Sendable {
        /// Movie time of the source, whole milliseconds.
        let range: Range<Int64>
        /// "ReadOrder, Layer, Style, …" as Matroska has it.
        let line: [UInt8]
    }

    /// The script without its lines.
    let header: [UInt8]
    /// In order of their starts.
    let events: [Event]
    /// What of the source's time something is drawn in (milliseconds), in order and apart.
    let spans: [Range<Int64>]
    /// Bytes.
    let cost: Int
    /// Lines that are longer, larger or more at once than what is drawn (count).
    let leftOutCount: Int
    /// Whether the texts have no styles, and ours are used.
    let isPlain: Bool

    /// Reads a source's text as a whole. Blocks.
    /// - Parameters:
    ///   - look: of texts that have no styles.
    ///   - size: of the film.
    init(
        _ asset: Asset, _ track: AssetTrack, _ look: SubtitleLook, film size: PixelSize
    ) throws(MediaError) {
        guard let format = track.format?.text, let codec = format.codec else {
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot draw track \(track.id) of \(asset.path): it is no text.")
        }
        let isStyled = codec == .ass && !format.codecConfiguration.isEmpty
        isPlain = !isStyled
        header =
            isStyled ? format.codecConfiguration : Array(look.scriptHeader(film: size).utf8)
        let decoder = try isStyled ? nil : SubtitleDecoder(codec)
        let wrap = SubtitleWrap(look, film: size)
        var events: [Event] = []
        var leftOut = 0
        for sample in try asset.textSamples(of: track).samples {
            let range = sample.timeRange.start.milliseconds..<sample.timeRange.end.milliseconds
            guard !range.isEmpty, let block = sample.payload else { continue }
            let lines =
                try decoder?.events(of: block) ?? [block.withUnsafeBytes { Array($0) }]
            for line in lines {
                guard SubtitleBounds.allow(line) else {
                    leftOut += 1
                    continue
                }
                events.append(
                    Event(range: range, line: isStyled ? line : wrap.line(line, from: codec)))
            }
        }
        let drawn = SubtitleBounds.drawn(events.map(\.range))
        leftOut += events.count - drawn.count
        events = drawn.map { events[$0] }
        self.events = events
        leftOutCount = leftOut
        spans = events.map(\.range).joined()
        cost = events.reduce(header.count) { $0 + $1.line.count + 64 }
    }

    /// Whether something is drawn at an instant of the source (milliseconds).
    func isShown(at time: Int64) -> Bool {
        let next = spans.partitioningIndex { $0.lowerBound > time }
        return next > 0 && spans[next - 1].contains(time)
    }
}

extension MediaTime {
    /// Whole milliseconds, rounded down as libass counts.
    var milliseconds: Int64 { ticks(per: 1000, rounding: .down) }
}

extension [Range<Int64>] {
    /// The same spans, those that touch as one. They are in order of their starts.
    fileprivate func joined() -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in self {
            guard let last = result.last, last.upperBound >= range.lowerBound else {
                result.append(range)
                continue
            }
            result[result.count - 1] =
                last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
        }
        return result
    }
}

extension SubtitleLook {
    /// Lines of the script's own grid: libavcodec's sizes and places count in it.
    private static let lines = 288.0

    /// A script with one style. Its fields are those of SubStation Alpha 4.00+.
    func scriptHeader(film size: PixelSize) -> String {
        let unit = Self.lines / Double(size.height)
        let side = Double(min(size.width, size.height)) * unit
        let width = max(1, Int((Double(size.width) * unit).rounded()))
        let text = side * self.size
        let edge = Int((side * margin).rounded())
        // a box for all lines (4, libass's own), or letters with an outline (1)
        let shape = box == nil ? 1 : 4
        let outline = box == nil ? max(1, text * 0.07) : 0
        let alignment =
            switch place {
            case .bottom: 2
            case .middle: 5
            case .top: 8
            }
        let style: [String] = [
            "Default", Self.name(family ?? "Sans"), Self.decimal(text), color.script, color.script,
            self.outline.script, (box ?? .clear).script, "0", "0", "0", "0", "100", "100", "0", "0",
            "\(shape)", Self.decimal(outline), box == nil ? "0" : Self.decimal(text * 0.2),
            "\(alignment)", "\(edge)", "\(edge)", "\(edge)",
            // the direction of each line by its first letter
            "-1",
        ]
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(width)
            PlayResY: \(Int(Self.lines))
            WrapStyle: 0
            ScaledBorderAndShadow: yes
            YCbCr Matrix: None

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
            Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
            Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: \(style.joined(separator: ","))

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
    }

    /// A field of a line cannot have what divides fields and lines.
    private static func name(_ family: String) -> String {
        String(family.filter { $0 != "," && !$0.isNewline })
    }

    private static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = "\(hundredths % 100)"
        return "\(hundredths / 100).\(rest.count < 2 ? "0" + rest : rest)"
    }
}

extension Color {
    /// "&HAABBGGRR", whose alpha is how transparent it is.
    fileprivate var script: String {
        let codes = [1 - alpha, blue, green, red].map { part in
            let code = String(
                Int((min(max(part, 0), 1) * 255).rounded()), radix: 16, uppercase: true)
            return code.count < 2 ? "0" + code : code
        }
        return "&H" + codes.joined()
    }
}
