internal import Media

/// Titles that time moves: countdown and credits.
extension TitleStage {
    /// Whole seconds that are left, in a ring that empties with each; the text below.
    func countdown(_ text: String, _ image: String?) -> Layer {
        let side = (unit * 0.46).rounded()
        let place = frame((width - side) / 2, (height - side) / 2 - unit * 0.04, side, side)
        let own = Rectangle(x: 0, y: 0, width: side, height: side)
        let thick = (unit * 0.022).rounded()
        let disc = ShapeContents(path: .ellipse(in: own), fill: palette.ground)
        let inner = own.insetBy(thick * 1.2)
        var faint = palette.ink
        faint.alpha = 0.2
        let track = ShapeContents(path: .ellipse(in: inner), stroke: faint, lineWidth: thick)
        let ring = ShapeContents(
            path: .ellipse(in: inner), stroke: palette.accent, lineWidth: thick, lineCap: .butt)
        var running = Layer(name: "title ring", contents: .shape(ring), frame: own)
        let (start, length) = ticks
        // the last second ends with the title
        let second = Int64(Self.timescale)
        let count = max(1, (length + second - 1) / second)
        running.animations = [
            .basic(
                .strokeStart, from: 0, to: 1,
                timing: AnimationTiming(
                    begin: time(start + length - count * second),
                    duration: time(second), repeats: .count(Double(count))))
        ]
        var parts = [
            Layer(name: "title ground", contents: .shape(disc), frame: own),
            Layer(name: "title ring", contents: .shape(track), frame: own), running,
        ]
        for number in 1...count {
            let begin = max(start, start + length - number * second)
            var digit = Layer(
                name: "title number",
                contents: .text(
                    words("\(number)", size: unit * 0.22, weight: 800, isHeading: true)),
                frame: own.insetBy(thick * 2))
            digit.timeRange = MediaTimeRange(
                start: time(begin), duration: time(start + length - (number - 1) * second - begin))
            digit.animations = [
                .basic(
                    .scale, from: Point(x: 1.25, y: 1.25), to: Point(x: 1, y: 1),
                    timing: AnimationTiming(
                        begin: time(begin), duration: .milliseconds(300), curve: Self.arriving))
            ]
            parts.append(digit)
        }
        var layers = [Layer(name: Self.bar, frame: place, sublayers: parts)]
        if !text.isEmpty {
            let label = boxed(
                words(text, size: unit * 0.05, weight: 600), palette.ground, padding: unit * 0.03)
            layers.append(
                Layer(
                    name: "title text", contents: .text(label),
                    frame: frame(
                        margin.x, place.y + side + unit * 0.03, safeArea.width, unit * 0.09)))
        }
        if let image {
            layers.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image)),
                    frame: frame(
                        (width - side) / 2, margin.y, side, max(1, place.y - margin.y - unit * 0.03)
                    )))
        }
        var root = root("countdown", layers)
        root.animations = dissolving(after: 0, for: 0.25)
        return root
    }

    /// Lines that roll up over the ground at one speed: the first line of a paragraph is small, the others are
    /// names; a paragraph of one line is a heading.
    func credits(_ text: String, _ image: String?) -> Layer {
        var lines: [Layer] = []
        var y = 0.0
        func add(_ words: TextContents, _ tall: Double) {
            lines.append(
                Layer(
                    name: "title text", contents: .text(words),
                    frame: frame(margin.x, y, safeArea.width, tall)))
            y += tall.rounded()
        }
        for paragraph in Self.paragraphs(text) {
            if paragraph.count == 1 {
                add(
                    words(paragraph[0], size: unit * 0.08, weight: 800, isHeading: true),
                    unit * 0.12)
            } else {
                add(
                    words(paragraph[0], size: unit * 0.034, weight: 500, color: palette.accentInk),
                    unit * 0.05)
                for name in paragraph.dropFirst() {
                    add(words(name, size: unit * 0.054, weight: 700), unit * 0.076)
                }
            }
            y += (unit * 0.06).rounded()
        }
        if let image {
            let tall = (unit * 0.25).rounded()
            lines.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image)),
                    frame: frame(margin.x, y, safeArea.width, tall)))
            y += tall
        }
        var roll = Layer(
            name: "title roll", frame: Rectangle(x: 0, y: 0, width: width, height: max(1, y)),
            sublayers: lines)
        let (start, length) = ticks
        roll.animations = [
            .basic(
                .positionY, from: height + y / 2, to: -y / 2,
                timing: AnimationTiming(begin: time(start), duration: time(max(1, length))))
        ]
        var ground = wholeGround()
        ground.animations = dissolving(after: 0, for: 0.6)
        return root("credits", [ground, roll])
    }

    /// Its lines, by empty ones between them.
    static func paragraphs(_ text: String) -> [[String]] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .split { line in line.allSatisfy(\.isWhitespace) }
            .map { $0.map(String.init) }
    }

    /// A frame as of a print around the picture, and the text below it.
    func pictureFrame(_ text: String, _ image: String?) -> Layer {
        let thick = (unit * 0.045).rounded()
        let foot = text.isEmpty && image == nil ? thick : (unit * 0.15).rounded()
        let whole = Rectangle(x: 0, y: 0, width: width, height: height)
        let hole = Rectangle(
            x: thick, y: thick, width: max(1, width - 2 * thick),
            height: max(1, height - thick - foot))
        // wider than the frame, so that no edge shows while it comes
        var path = BezierPath.rectangle(whole.insetBy(-unit * 0.2))
        for element in BezierPath.rectangle(hole).elements {
            switch element {
            case .move(let point): path.move(to: point)
            case .line(let point): path.addLine(to: point)
            case .curve, .close: break
            }
        }
        path.close()
        let print = ShapeContents(path: path, fill: palette.ground.opaque, fillRule: .evenOdd)
        let edge = ShapeContents(
            path: .rectangle(hole), stroke: palette.accent,
            lineWidth: max(1, (unit * 0.004).rounded()))
        var parts = [
            Layer(name: "title ground", contents: .shape(print), frame: whole),
            Layer(name: "title line", contents: .shape(edge), frame: whole),
        ]
        let top = height - foot
        var wide = safeArea.width
        if let image {
            let side = (foot * 0.7).rounded()
            let isMirrored = Self.isRightToLeft(text)
            wide -= side * 1.5
            parts.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image)),
                    frame: sided(
                        frame(width - margin.x - side * 1.2, top + foot * 0.15, side * 1.2, side),
                        isMirrored)))
        }
        if !text.isEmpty {
            let caption = words(text, size: unit * 0.055, weight: 600, isHeading: true)
            parts.append(
                Layer(
                    name: "title text", contents: .text(caption),
                    frame: frame((width - wide) / 2, top, wide, foot)))
        }
        var layer = Layer(name: "print", frame: whole, sublayers: parts)
        layer.animations =
            shown(
                .scale, from: Point(x: 1.2, y: 1.2), to: Point(x: 1, y: 1), after: 0, for: 0.8)
            + dissolving(after: 0, for: 0.3)
        return root("frame", [layer])
    }

    /// When the title begins and how long it lasts (ticks).
    private var ticks: (start: Int64, length: Int64) {
        (
            timeRange.start.ticks(per: Self.timescale, rounding: .nearest),
            timeRange.duration.ticks(per: Self.timescale, rounding: .down)
        )
    }

    private func time(_ ticks: Int64) -> MediaTime {
        MediaTime(value: ticks, timescale: Self.timescale)
    }
}
