import Compose
import Media

/// The tracks of a film as rows: what `--plan` draws, in text and as SVG.
struct PlanDrawing {
    /// A span of a row.
    struct Bar: Equatable {
        let range: MediaTimeRange
        let label: String
    }

    struct Row {
        let name: String
        let bars: [Bar]
        /// Opacity or volume as it changes (0…1 of the row's height), in order of time.
        var curve: [(time: MediaTime, value: Double)] = []
    }

    let rows: [Row]
    let duration: MediaTime
    /// Where an instruction of the video composition begins.
    let cuts: [MediaTime]
    let chapters: [Chapter]

    /// Titles, video in front first, audio, text.
    /// - Parameter plan: what is made of the film: its frames, its audio or both.
    init(_ film: Film, _ plan: ExportPlan) {
        let composition = film.composition
        let video = plan.size == nil ? nil : film.videoComposition
        let hasAudio = plan.audioFrameCount > 0 || !plan.audioSpans.isEmpty
        duration = composition.duration
        cuts = (video?.instructions.map(\.timeRange.start) ?? []).filter { $0 > .zero }
        chapters = film.chapters
        var rows: [Row] = []
        for bars in Self.apart(Self.titles(video?.animation)) {
            rows.append(Row(name: "titles", bars: bars))
        }
        for track in composition.tracks(of: .video).reversed() where video != nil {
            rows.append(
                Row(
                    name: "video \(track.id)", bars: Self.bars(track),
                    curve: video.map { Self.opacity($0, track) } ?? []))
        }
        for track in composition.tracks(of: .audio) where hasAudio {
            rows.append(
                Row(
                    name: "audio \(track.id)", bars: Self.bars(track),
                    curve: Self.gain(film.audioMix.input(forTrack: track.id), track)))
        }
        let burnt = Set((video?.burntTracks ?? []).map(\.trackID))
        for track in composition.tracks(of: .text) {
            let name = burnt.contains(track.id) ? "drawn text" : "text"
            rows.append(
                Row(
                    name: "\(name) \(track.id)" + (track.language.map { " \($0)" } ?? ""),
                    bars: Self.bars(track)))
        }
        self.rows = rows.filter { !$0.bars.isEmpty }
    }

    private static func bars(_ track: CompositionTrack) -> [Bar] {
        track.segments.compactMap { segment in
            segment.source.map { source in
                let file = source.shortName
                let speed =
                    segment.mapping.source.duration.approximateSeconds
                    / max(1e-9, segment.timeRange.duration.approximateSeconds)
                let pace =
                    if segment.isRamped {
                        ", speed changes"
                    } else if speed < 0.005 {
                        ", still"
                    } else {
                        (speed - 1).magnitude < 0.001 ? "" : " ×\(Amounts.decimal(speed, 2))"
                    }
                return Bar(
                    range: segment.timeRange,
                    label: file + pace + (segment.isReversed ? ", backwards" : ""))
            }
        }
    }

    /// As few rows as do, in which no bar hides another.
    private static func apart(_ bars: [Bar]) -> [[Bar]] {
        var rows: [[Bar]] = []
        for bar in bars.sorted(by: { $0.range.start < $1.range.start }) {
            let free = rows.firstIndex { $0.last.map { $0.range.end <= bar.range.start } ?? true }
            if let free { rows[free].append(bar) } else { rows.append([bar]) }
        }
        return rows
    }

    /// The layers of the film that have a time.
    private static func titles(_ layer: Layer?) -> [Bar] {
        (layer?.sublayers ?? []).compactMap { layer in
            layer.timeRange.map { Bar(range: $0, label: text(layer) ?? "title") }
        }
    }

    private static func text(_ layer: Layer) -> String? {
        if case .text(let contents) = layer.contents {
            let line = contents.text.split(whereSeparator: \.isNewline).first
            return line.map { line in
                String(
                    line.filter { $0.unicodeScalars.first?.properties.generalCategory != .control })
            }
        }
        for sublayer in layer.sublayers {
            if let text = text(sublayer) { return text }
        }
        return nil
    }

    /// Where it bends, and between.
    private static func opacity(
        _ video: VideoComposition, _ track: CompositionTrack
    ) -> [(time: MediaTime, value: Double)] {
        var points: [(time: MediaTime, value: Double)] = []
        for instruction in video.instructions {
            guard let layer = instruction.layers.first(where: { $0.trackID == track.id }) else {
                continue
            }
            for time in bends(instruction.timeRange, layer.opacities.map(\.timeRange)) {
                points.append((time, layer.opacity(at: time)))
            }
        }
        return points.contains { $0.value < 1 } ? points : []
    }

    private static func gain(
        _ input: AudioMixInput, _ track: CompositionTrack
    ) -> [(time: MediaTime, value: Double)] {
        let whole = MediaTimeRange(start: .zero, duration: track.duration)
        let points = bends(whole, input.volumeRamps.map(\.timeRange)).map {
            (time: $0, value: min(1, input.gain(at: $0)))
        }
        return points.contains { $0.value < 1 } ? points : []
    }

    /// The ends of a span and of what lies in it, with four places within each.
    private static func bends(
        _ span: MediaTimeRange, _ ranges: [MediaTimeRange]
    ) -> [MediaTime] {
        let second = Composition.timescale
        func ticks(_ time: MediaTime) -> Int64 { time.ticks(per: second, rounding: .nearest) }
        let (first, last) = (ticks(span.start), ticks(span.end))
        var places: Set<Int64> = [first, max(first, last - 1)]
        for range in ranges {
            let (start, length) = (ticks(range.start), ticks(range.duration))
            for part in Int64(0)...4 { places.insert(start + length * part / 4) }
            // a step is two places
            places.insert(start - 1)
        }
        return places.filter { first...last ~= $0 }.sorted().map {
            MediaTime(value: $0, timescale: second)
        }
    }
}

// MARK: - Text

extension PlanDrawing {
    /// Of the bars (characters).
    private static let columns = 64

    /// Lines of a fixed width: `[a.mp4   ]` is a span, dots are nothing.
    var text: String {
        guard duration > .zero, !rows.isEmpty else { return "" }
        let margin = (rows.map(\.name.count) + [8]).max() ?? 8
        func line(_ name: String, _ cells: [Character]) -> String {
            var cells = cells
            while cells.last == " " { cells.removeLast() }
            return name + String(repeating: " ", count: margin + 2 - name.count) + String(cells)
        }
        let end = Amounts.clock(duration, fractionDigits: 3)
        let begin = Amounts.clock(.zero, fractionDigits: 3)
        var lines = [
            line(
                "tracks",
                Array(begin)
                    + Array(
                        repeating: " ", count: max(1, Self.columns - begin.count - end.count))
                    + Array(end))
        ]
        for row in rows {
            var cells = [Character](repeating: "·", count: Self.columns)
            for bar in row.bars { draw(bar, &cells) }
            lines.append(line(row.name, cells))
        }
        if !chapters.isEmpty {
            var cells = [Character](repeating: " ", count: Self.columns)
            for chapter in chapters {
                let first = column(chapter.time)
                let words = Array("^" + chapter.title)
                for (index, letter) in words.enumerated() where first + index < cells.count {
                    cells[first + index] = letter
                }
            }
            lines.append(line("chapters", cells))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func column(_ time: MediaTime) -> Int {
        let part = time.approximateSeconds / duration.approximateSeconds
        return max(0, min(Self.columns - 1, Int(part * Double(Self.columns))))
    }

    private func draw(_ bar: Bar, _ cells: inout [Character]) {
        let first = column(bar.range.start)
        let part = bar.range.end.approximateSeconds / duration.approximateSeconds
        let end = max(first + 1, min(Self.columns, Int((part * Double(Self.columns)).rounded())))
        guard end - first > 1 else {
            cells[first] = "|"
            return
        }
        cells[first] = "["
        cells[end - 1] = "]"
        let room = end - first - 2
        let label = Array(bar.label)
        let shown = label.count <= room ? label : Array(label.prefix(max(0, room - 1))) + ["…"]
        for index in 0..<room {
            cells[first + 1 + index] = index < shown.count ? shown[index] : " "
        }
    }
}
