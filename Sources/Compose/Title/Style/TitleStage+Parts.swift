internal import Media

/// What the designed styles are made of: boxes, words that rise from behind an edge, full-frame grounds.
extension TitleStage {
    /// Longest way in or out of a designed style (s); it takes at most a third of the title's time.
    private static let longestWay = 1.5

    /// Fast, then slower and slower.
    static let arriving = TimingCurve.cubicBezier(0.16, 1, 0.3, 1)
    /// Slow, then faster and faster.
    static let departing = TimingCurve.cubicBezier(0.7, 0, 0.84, 0)

    /// A length of the way in or out (s), shorter in a short title.
    private func way(_ seconds: Double) -> MediaTime {
        let whole = timeRange.duration.approximateSeconds
        let factor = min(1, whole / 3 / Self.longestWay)
        return MediaTime(
            value: Int64((seconds * factor * Double(Self.timescale)).rounded()),
            timescale: Self.timescale)
    }

    /// An animation of the way in.
    /// - Parameters:
    ///   - delay: after the title's beginning (s).
    ///   - length: s.
    func coming(
        after delay: Double, for length: Double, _ curve: TimingCurve = arriving
    ) -> AnimationTiming {
        AnimationTiming(
            begin: timeRange.start.scaled(to: Self.timescale, rounding: .nearest) + way(delay),
            duration: max(way(length), Self.instant), curve: curve)
    }

    /// An animation of the way out.
    /// - Parameters:
    ///   - rest: before the title's end (s).
    ///   - length: s.
    func going(
        until rest: Double, for length: Double, _ curve: TimingCurve = departing
    ) -> AnimationTiming {
        let start = timeRange.start.scaled(to: Self.timescale, rounding: .nearest)
        let end = start + timeRange.duration.scaled(to: Self.timescale, rounding: .down)
        let duration = max(way(length), Self.instant)
        return AnimationTiming(begin: end - way(rest) - duration, duration: duration, curve: curve)
    }

    private static let instant = MediaTime(value: 1, timescale: timescale)

    /// There and away again.
    func shown<Value: Animatable>(
        _ path: LayerKeyPath<Value>, from away: Value, to rest: Value, after delay: Double,
        until end: Double = 0, for length: Double = 0.6
    ) -> [LayerAnimation] {
        [
            .basic(path, from: away, to: rest, timing: coming(after: delay, for: length)),
            .basic(path, from: rest, to: away, timing: going(until: end, for: length * 0.7)),
        ]
    }

    /// Opacity from 0 and back.
    func dissolving(after delay: Double, until end: Double = 0, for length: Double = 0.4)
        -> [LayerAnimation]
    {
        [
            .basic(.opacity, from: 0, to: 1, timing: coming(after: delay, for: length, .linear)),
            .basic(.opacity, from: 1, to: 0, timing: going(until: end, for: length, .linear)),
        ]
    }

    /// From which edge of its place a part comes, and to which it goes.
    enum Edge { case above, below }

    /// A part that rises from behind an edge of its place and sinks there again.
    func rising(
        _ name: String, _ contents: Layer.Contents, _ frame: Rectangle, from edge: Edge = .below,
        after delay: Double, until end: Double = 0
    ) -> Layer {
        var part = Layer(
            name: name, contents: contents,
            frame: Rectangle(x: 0, y: 0, width: frame.width, height: frame.height))
        let (rest, way) = (part.position.y, edge == .below ? frame.height : -frame.height)
        part.animations = shown(.positionY, from: rest + way, to: rest, after: delay, until: end)
        var hole = Layer(name: name, frame: frame, sublayers: [part])
        hole.clipsToBounds = true
        return hole
    }

    /// A line that grows from one of its ends.
    func line(
        _ frame: Rectangle, from anchor: Point, after delay: Double, until end: Double = 0
    ) -> Layer {
        var line = Layer(
            name: "title line", contents: .solid(palette.accent),
            position: Point(
                x: frame.x + frame.width * anchor.x, y: frame.y + frame.height * anchor.y),
            anchor: anchor,
            bounds: Rectangle(x: 0, y: 0, width: frame.width, height: frame.height))
        let flat = frame.width > frame.height ? Point(x: 0, y: 1) : Point(x: 1, y: 0)
        line.animations = shown(
            .scale, from: flat, to: Point(x: 1, y: 1), after: delay, until: end, for: 0.8)
        return line
    }

    /// The whole frame in the ground's colour.
    func wholeGround(isOpaque: Bool = false) -> Layer {
        Layer(
            name: "title ground",
            contents: .solid(isOpaque ? palette.ground.opaque : palette.ground),
            frame: Rectangle(x: 0, y: 0, width: width, height: height))
    }

    /// Letters on a ground: no outline, no shadow.
    func words(
        _ text: String, size: Double, weight: Int = 700, color: Color? = nil,
        isHeading: Bool = false,
        alignment: TextContents.Alignment = .center
    ) -> TextContents {
        var contents = letters(text, size: size, weight: weight)
        if isHeading { contents.font.family = theme.headingFamily ?? theme.family }
        contents.color = color ?? palette.ink
        contents.alignment = alignment
        contents.outline = nil
        contents.shadow = nil
        return contents
    }

    /// Letters with a box of their own width.
    func boxed(_ words: TextContents, _ box: Color, padding: Double) -> TextContents {
        var words = words
        words.background = .init(
            color: box, extent: .textAcross, padding: Size(width: padding.rounded(), height: 0))
        return words
    }

    /// The same place seen from the other side, where a text is written from right to left.
    func sided(_ frame: Rectangle, _ isMirrored: Bool) -> Rectangle {
        guard isMirrored else { return frame }
        return Rectangle(
            x: width - frame.x - frame.width, y: frame.y, width: frame.width, height: frame.height)
    }

    /// The first line, and the others.
    static func headAndRest(_ text: String) -> (head: String, rest: String) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (lines.first.map(String.init) ?? "", lines.count > 1 ? String(lines[1]) : "")
    }

    /// Whole pixels.
    func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
        Rectangle(
            x: x.rounded(), y: y.rounded(), width: max(1, width.rounded()),
            height: max(1, height.rounded()))
    }
}
