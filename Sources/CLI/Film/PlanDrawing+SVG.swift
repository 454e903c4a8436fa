import Compose
import Media

/// The same as a picture for browsers.
extension PlanDrawing {
    private static let (left, width, height) = (110.0, 1000.0, 34.0)

    /// A document of its own: a row for each track, names of files in it, opacity and volume as lines over them,
    /// thin lines where an instruction begins, flags for chapters.
    var svg: String {
        let top = 40.0
        let bottom = top + Double(rows.count) * Self.height
        let total = bottom + (chapters.isEmpty ? 14 : 44)
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(Self.left + Self.width + 20)) \
            \(number(total))" font-family="sans-serif" font-size="12">
            """,
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        ]
        parts += axis(top - 8)
        for (index, row) in rows.enumerated() {
            parts += draw(row, top + Double(index) * Self.height)
        }
        for cut in cuts {
            parts.append(
                """
                <line x1="\(x(cut))" x2="\(x(cut))" y1="\(number(top - 4))" y2="\(number(bottom))" \
                stroke="#888888" stroke-dasharray="2 3"/>
                """)
        }
        for chapter in chapters {
            parts.append(
                """
                <path d="M\(x(chapter.time)) \(number(bottom + 6))v14" stroke="#a04000"/>\
                <text x="\(x(chapter.time))" y="\(number(bottom + 34))" fill="#a04000">\
                \(Self.escaped(chapter.title))</text>
                """)
        }
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private func axis(_ y: Double) -> [String] {
        (Int64(0)...10).map { tenth in
            let time = MediaTime(
                value: duration.ticks(per: Composition.timescale, rounding: .down) * tenth / 10,
                timescale: Composition.timescale)
            let anchor = tenth == 0 ? "start" : tenth == 10 ? "end" : "middle"
            return """
                <text x="\(x(time))" y="\(number(y - 6))" text-anchor="\(anchor)" fill="#666666" \
                font-size="10">\(Amounts.clock(time, fractionDigits: 1))</text>
                """
        }
    }

    private func draw(_ row: Row, _ y: Double) -> [String] {
        let fill =
            row.name.hasPrefix("video")
            ? "#bcd6f2" : row.name.hasPrefix("audio") ? "#c9e8c3" : "#f2dfb4"
        var parts = [
            "<text x=\"8\" y=\"\(number(y + 20))\" fill=\"#222222\">\(Self.escaped(row.name))</text>"
        ]
        for (index, bar) in row.bars.enumerated() {
            let wide = max(1, place(bar.range.end) - place(bar.range.start))
            let clip = "c\(Int(y))-\(index)"
            parts.append(
                """
                <clipPath id="\(clip)"><rect x="\(x(bar.range.start))" y="\(number(y))" \
                width="\(number(max(1, wide - 4)))" height="\(number(Self.height))"/></clipPath>\
                <rect x="\(x(bar.range.start))" y="\(number(y + 2))" width="\(number(wide))" \
                height="\(number(Self.height - 4))" rx="3" fill="\(fill)" stroke="#446688"/>\
                <text x="\(number(place(bar.range.start) + 5))" y="\(number(y + 20))" \
                clip-path="url(#\(clip))">\(Self.escaped(bar.label))</text>
                """)
        }
        for bar in row.bars {
            let points = row.curve.filter { $0.time >= bar.range.start && $0.time <= bar.range.end }
                .map { point in
                    "\(x(point.time)),\(number(y + 4 + (1 - point.value) * (Self.height - 8)))"
                }
            if points.count < 2 { continue }
            parts.append(
                """
                <polyline points="\(points.joined(separator: " "))" fill="none" stroke="#c03030" \
                stroke-width="1.5"/>
                """)
        }
        return parts
    }

    private func place(_ time: MediaTime) -> Double {
        let whole = max(duration.approximateSeconds, 1e-9)
        return Self.left + time.approximateSeconds / whole * Self.width
    }

    private func x(_ time: MediaTime) -> String { number(place(time)) }

    private func number(_ value: Double) -> String { Amounts.decimal(value, 2) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
            .filter { !($0.unicodeScalars.first.map { $0.value < 0x20 } ?? false) }
    }
}
