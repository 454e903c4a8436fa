internal import Media

/// A film's audio as a picture: a row for each channel with its extremes and its power, times below, chapters and
/// where clips begin as lines, loudness and peak above.
struct WaveformPicture {
    private static let (left, right, top, bottom, gap) = (52.0, 12.0, 34.0, 30.0, 10.0)
    /// Full scale, half of it, and a twentieth (dB).
    private static let levels = [0.0, -6, -18]
    private static let ground = Color(red: 0.1, green: 0.1, blue: 0.1)
    private static let row = Color(red: 0.15, green: 0.16, blue: 0.17)
    private static let line = Color(red: 0.36, green: 0.38, blue: 0.4)
    private static let text = Color(red: 0.8, green: 0.81, blue: 0.82)
    private static let extremes = Color(red: 0.25, green: 0.55, blue: 0.5)
    private static let power = Color(red: 0.55, green: 0.9, blue: 0.8)
    private static let full = Color(red: 1, green: 0.3, blue: 0.25)
    private static let chapter = Color(red: 0.95, green: 0.75, blue: 0.35)

    let size: PixelSize
    let film: Film

    /// The smallest that has room for two rows and their words (pixels).
    static let smallest = PixelSize(width: 320, height: 160)

    /// Columns of the waveform (count).
    var parts: Int { size.width - Int(Self.left + Self.right) }

    func layer(_ waveform: AudioWaveform) -> Layer {
        let whole = Layer(
            name: "ground", contents: .solid(Self.ground),
            frame: Rectangle(
                x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        var layers = [whole]
        for (index, channel) in waveform.channels.enumerated() {
            layers += row(
                channel, named(index, of: waveform.channels.count),
                at: place(index, of: waveform.channels.count))
        }
        layers += marks(waveform.timeRange)
        layers.append(
            words(
                Self.sentence(waveform.loudness), x: Self.left, y: 4,
                width: Double(parts), .left, size: 14))
        return Layer(name: "waveform", covering: size, sublayers: layers)
    }

    private static func sentence(_ loudness: Loudness) -> String {
        guard let integrated = loudness.integrated else {
            return loudness.truePeak.map {
                "too quiet to have a loudness, peak \(decimal($0)) dBTP"
            }
                ?? "silent"
        }
        let peak = loudness.truePeak.map { ", peak \(decimal($0)) dBTP" } ?? ""
        return "\(decimal(integrated)) LUFS\(peak)"
    }

    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    // MARK: Rows

    private func named(_ channel: Int, of count: Int) -> String {
        count == 2 ? ["L", "R"][channel] : count == 1 ? "" : "\(channel + 1)"
    }

    /// Where a channel's row lies (pixels).
    private func place(_ channel: Int, of count: Int) -> Rectangle {
        let room = Double(size.height) - Self.top - Self.bottom - Self.gap * Double(count - 1)
        let height = (room / Double(count)).rounded(.down)
        return Rectangle(
            x: Self.left, y: Self.top + Double(channel) * (height + Self.gap), width: Double(parts),
            height: height)
    }

    private func row(
        _ parts: [AudioWaveform.Part], _ name: String, at frame: Rectangle
    ) -> [Layer] {
        let (middle, half) = (frame.height / 2, frame.height / 2 - 1)
        func y(_ amplitude: Double) -> Double { middle - min(1, max(-1, amplitude)) * half }
        var layers = [Layer(name: "row", contents: .solid(Self.row), frame: frame)]
        for level in Self.levels {
            let amplitude = Decibel.amplitude(level)
            for place in [y(amplitude), y(-amplitude)] {
                layers.append(
                    rule(x: frame.x, y: frame.y + place, width: frame.width, height: 1, Self.line))
            }
            // the quietest one has no room of its own in a low row
            guard level > -18 || half > 60 else { continue }
            layers.append(
                words(
                    level == 0 ? "0 dB" : "\(Int(level))", x: 0, y: frame.y + y(amplitude) - 8,
                    width: Self.left - 6, .right, size: 11))
        }
        layers.append(
            words(name, x: 4, y: frame.y + middle - 9, width: 16, .left, size: 14))
        let shapes: [(Color, (AudioWaveform.Part) -> (Float, Float))] = [
            (Self.extremes, { ($0.highest, $0.lowest) }),
            (Self.power, { ($0.meanPower, -$0.meanPower) }),
        ]
        for (color, edges) in shapes {
            var path = BezierPath()
            for (index, part) in parts.enumerated() {
                let (high, low) = edges(part)
                // what is not silent shows
                let (upper, lower) = (y(Double(high)), y(Double(low)))
                guard part.highest != 0 || part.lowest != 0 else { continue }
                path.add(
                    Rectangle(
                        x: Double(index), y: min(upper, middle - 0.5), width: 1,
                        height: max(1, lower - min(upper, middle - 0.5))))
            }
            layers.append(shape(path, color, frame))
        }
        var over = BezierPath()
        for (index, part) in parts.enumerated() where part.highest >= 1 || part.lowest <= -1 {
            over.add(Rectangle(x: Double(index), y: 0, width: 1, height: 5))
        }
        layers.append(shape(over, Self.full, frame))
        return layers
    }

    private func shape(_ path: BezierPath, _ color: Color, _ frame: Rectangle) -> Layer {
        Layer(
            name: "wave", contents: .shape(ShapeContents(path: path, fill: color)), frame: frame)
    }

    // MARK: Times

    private func marks(_ range: MediaTimeRange) -> [Layer] {
        let seconds = range.duration.approximateSeconds
        let (floor, height) = (
            Double(size.height) - Self.bottom, Double(size.height) - Self.bottom - Self.top
        )
        func x(_ time: Double) -> Double {
            (Self.left + (time - range.start.approximateSeconds) / seconds * Double(parts))
                .rounded(.down)
        }
        func lies(_ time: MediaTime) -> Bool { time > range.start && time < range.end }
        var layers: [Layer] = []
        for time in joints where lies(time) {
            layers.append(
                rule(
                    x: x(time.approximateSeconds), y: Self.top, width: 1, height: height,
                    Self.line))
        }
        let chapters = film.chapters.filter { range.contains($0.time) }
        for (index, chapter) in chapters.enumerated() {
            let place = x(chapter.time.approximateSeconds)
            let next =
                index + 1 < chapters.count
                ? x(chapters[index + 1].time.approximateSeconds) : Double(size.width)
            layers.append(rule(x: place, y: Self.top, width: 1, height: height, Self.chapter))
            guard next - place > 24 else { continue }
            layers.append(
                words(
                    chapter.title, x: place + 4, y: Self.top + 2, width: min(200, next - place - 8),
                    .left, size: 11, Self.chapter))
        }
        let step = Self.step(seconds, room: Double(parts))
        var time = (range.start.approximateSeconds / step).rounded(.up) * step
        while time <= range.end.approximateSeconds {
            let place = x(time)
            layers.append(rule(x: place, y: floor, width: 1, height: 5, Self.text))
            layers.append(
                place + 40 < Double(size.width)
                    ? words(
                        Self.clock(time, step), x: place - 50, y: floor + 7, width: 100, .center,
                        size: 11)
                    : words(
                        Self.clock(time, step), x: Double(size.width) - 104, y: floor + 7,
                        width: 100, .right, size: 11))
            time += step
        }
        return layers
    }

    /// Where a clip begins.
    private var joints: [MediaTime] {
        let types: [MediaType] = [.video, .audio]
        let tracks = types.map(film.composition.tracks).first { !$0.isEmpty } ?? []
        return Set(
            tracks.flatMap(\.segments).filter { $0.source != nil }.map(\.timeRange.start)
        ).sorted()
    }

    /// Between two times below (seconds).
    private static func step(_ seconds: Double, room: Double) -> Double {
        let steps: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600,
        ]
        let least = seconds * 90 / room
        return steps.first { $0 >= least } ?? (least / 3600).rounded(.up) * 3600
    }

    private static func clock(_ time: Double, _ step: Double) -> String {
        let tenths = Int((time * 10).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
        let rest = step < 1 ? ".\(tenths % 10)" : ""
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds))" + rest
    }

    // MARK: Parts

    private func rule(
        x: Double, y: Double, width: Double, height: Double, _ color: Color
    ) -> Layer {
        Layer(
            name: "line", contents: .solid(color),
            frame: Rectangle(x: x, y: y.rounded(.down), width: width, height: height))
    }

    private func words(
        _ text: String, x: Double, y: Double, width: Double,
        _ alignment: TextContents.Alignment, size: Double, _ color: Color = Self.text
    ) -> Layer {
        var contents = TextContents(
            text, font: TitleFont(size: size), color: color, alignment: alignment,
            verticalAlignment: .top)
        contents.allowsMissingGlyphs = true
        // one line, cut off where its room ends
        if alignment == .left { contents.wrapWidth = 8192 }
        var layer = Layer(
            name: "words", contents: .text(contents),
            frame: Rectangle(x: x, y: y, width: width, height: size * 1.5))
        layer.clipsToBounds = true
        return layer
    }
}

extension BezierPath {
    fileprivate mutating func add(_ frame: Rectangle) {
        move(to: Point(x: frame.x, y: frame.y))
        addLine(to: Point(x: frame.x + frame.width, y: frame.y))
        addLine(to: Point(x: frame.x + frame.width, y: frame.y + frame.height))
        addLine(to: Point(x: frame.x, y: frame.y + frame.height))
        close()
    }
}
