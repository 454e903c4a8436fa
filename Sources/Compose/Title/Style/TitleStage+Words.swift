internal import Media

/// Titles of words: place and date, quotation, typewriter, karaoke.
extension TitleStage {
    /// In an upper corner: a mark, the place letter by letter, the date below it.
    func place(_ text: String, _ image: String?) -> Layer {
        let (name, date) = Self.headAndRest(text)
        let isMirrored = Self.isRightToLeft(text)
        let size = unit * 0.058
        let (upper, lower) = ((size * 1.6).rounded(), (size * 1.1).rounded())
        let top = (margin.y + unit * 0.04).rounded()
        let mark = max(3, (unit * 0.02).rounded())
        var inset = margin.x
        var layers = [
            line(
                sided(
                    frame(inset, top, mark, date.isEmpty ? upper : upper + lower), isMirrored),
                from: Point(x: 0.5, y: 0), after: 0)
        ]
        layers[0].name = Self.bar
        inset += mark
        if let image {
            let side = date.isEmpty ? upper : upper + lower
            layers.append(
                rising(
                    "title image", .image(ImageContents(path: image, fit: .cover)),
                    sided(frame(inset, top, side, side), isMirrored), from: .above, after: 0.1))
            inset += side
        }
        let alignment = isMirrored ? TextContents.Alignment.right : .left
        let wide = width - inset - margin.x
        let words = boxed(
            words(name, size: size, weight: 700, isHeading: true, alignment: alignment),
            palette.ground, padding: unit * 0.025)
        var head = rising(
            "title text", .text(words), sided(frame(inset, top, wide, upper), isMirrored),
            from: .above, after: 0.1, until: 0.1)
        typing(&head.sublayers[0], after: 0.4, for: 1.1)
        layers.append(head)
        if !date.isEmpty {
            let small = boxed(
                self.words(
                    date, size: size * 0.6, weight: 500, color: palette.accentInk,
                    alignment: alignment), palette.ground, padding: unit * 0.025)
            layers.append(
                rising(
                    "title detail", .text(small),
                    sided(frame(inset, top + upper, wide, lower), isMirrored), from: .above,
                    after: 0.9))
        }
        return root("place", layers)
    }

    /// A card with a large quotation mark; the last of several lines is who said it.
    func quote(_ text: String, _ image: String?) -> Layer {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let author = lines.count > 1 ? lines.removeLast() : ""
        let isMirrored = Self.isRightToLeft(text)
        let wide = min(safeArea.width, unit * 1.25).rounded()
        let tall = min(safeArea.height, unit * (width < height * 1.2 ? 0.75 : 0.52)).rounded()
        let own = Rectangle(x: 0, y: 0, width: wide, height: tall)
        let pad = (unit * 0.06).rounded()
        let ground = ShapeContents(
            path: .rectangle(own, cornerRadius: (unit * 0.02).rounded()), fill: palette.ground)
        let card = Layer(name: "title ground", contents: .shape(ground), frame: own)
        var mark = words(
            isMirrored ? "\u{201D}" : "\u{201C}", size: unit * 0.26, weight: 800,
            color: palette.accentInk, isHeading: true, alignment: isMirrored ? .right : .left)
        mark.verticalAlignment = .top
        mark.fit = .none
        var said = words(
            lines.joined(separator: "\n"), size: unit * 0.062, weight: 500, isHeading: true,
            alignment: .natural)
        said.font.style = .italic
        let below = author.isEmpty ? 0 : unit * 0.09
        let above = unit * 0.15
        let side = image == nil ? 0 : unit * 0.3
        let room = wide - 2 * pad - side
        func inner(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
            frame(isMirrored ? wide - x - width : x, y, width, height)
        }
        var saidLayer = Layer(
            name: "title text", contents: .text(said),
            frame: inner(pad, above, room, tall - above - pad * 0.6 - below))
        saidLayer.animations = dissolving(after: 0.35, until: 0.2, for: 0.6)
        var parts = [
            card,
            Layer(
                name: "title mark", contents: .text(mark),
                frame: inner(pad * 0.8, -unit * 0.03, unit * 0.3, unit * 0.3)), saidLayer,
        ]
        if !author.isEmpty {
            let small = words(
                author, size: unit * 0.04, weight: 600, color: palette.accentInk,
                alignment: isMirrored ? .right : .left)
            parts.append(
                rising(
                    "title detail", .text(small),
                    inner(pad, tall - pad * 0.6 - below, room, below), after: 0.6, until: 0.2))
        }
        if let image {
            parts.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image, fit: .cover)),
                    frame: inner(
                        wide - side - pad * 0.6 + unit * 0.02, (tall - side) / 2, side, side)))
        }
        var layer = Layer(
            name: Self.bar, frame: frame((width - wide) / 2, (height - tall) / 2, wide, tall),
            sublayers: parts)
        let rest = layer.position.y
        layer.animations =
            shown(.positionY, from: rest + unit * 0.06, to: rest, after: 0, for: 0.8)
            + dissolving(after: 0)
        return root("quote", [layer])
    }

    /// Letter by letter on a box in the middle.
    func typewriter(_ text: String, _ image: String?) -> Layer {
        var words = words(text, size: unit * 0.075, weight: 600, alignment: .natural)
        words.background = .init(
            color: palette.ground, extent: .text,
            padding: Size(width: (unit * 0.04).rounded(), height: (unit * 0.025).rounded()),
            cornerRadius: (unit * 0.01).rounded())
        words.alignment = Self.isRightToLeft(text) ? .right : .center
        var area = safeArea
        var layers: [Layer] = []
        if let image {
            let side = (unit * 0.3).rounded()
            layers.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image)),
                    frame: frame((width - side) / 2, area.y, side, side)))
            area.y += side
            area.height = max(1, area.height - side)
        }
        var layer = Layer(name: "title text", contents: .text(words), frame: area)
        let letters = Double(text.count)
        // 18 letters a second, in two thirds of the time at the most
        let whole = timeRange.duration.approximateSeconds
        typing(&layer, after: 0.2, seconds: min(letters / 18, whole * 0.66))
        layers.append(layer)
        var root = root("typewriter", layers)
        root.animations = dissolving(after: 0, for: 0.25)
        return root
    }

    /// One line or two near the lower edge, whose words take the accent's colour one after the other.
    func karaoke(_ text: String, _ image: String?) -> Layer {
        var contents = words(text, size: unit * 0.07, weight: 700, color: palette.accentInk)
        contents.progress = TextContents.Progress(0, rest: .color(palette.ink))
        contents.verticalAlignment = .bottom
        contents.background = .init(
            color: palette.ground, extent: .text,
            padding: Size(width: (unit * 0.03).rounded(), height: (unit * 0.012).rounded()),
            cornerRadius: (unit * 0.012).rounded())
        let tall = (unit * 0.3).rounded()
        var layer = Layer(
            name: "title text", contents: .text(contents),
            frame: frame(margin.x, lowerEdgeOfWords - tall, safeArea.width, tall))
        let steps = Self.wordEnds(text)
        if !steps.isEmpty {
            let start = timeRange.start.scaled(to: Self.timescale, rounding: .nearest)
            let length = timeRange.duration.scaled(to: Self.timescale, rounding: .down)
            layer.animations = [
                .keyframes(
                    .textProgress, values: steps.map(\.fraction), keyTimes: steps.map(\.time),
                    interpolation: .discrete,
                    timing: AnimationTiming(
                        begin: start,
                        duration: max(length, MediaTime(value: 1, timescale: Self.timescale))))
            ]
        }
        var layers = [layer]
        if let image {
            let side = (unit * 0.2).rounded()
            layers.append(
                Layer(
                    name: "title image", contents: .image(ImageContents(path: image)),
                    frame: frame((width - side) / 2, lowerEdgeOfWords - tall - side, side, side)))
        }
        var root = root("karaoke", layers)
        root.animations = dissolving(after: 0, for: 0.2)
        return root
    }

    private var lowerEdgeOfWords: Double { (height - margin.y - unit * 0.03).rounded() }

    /// When each word begins (share of the time) and which share of the characters has come then. A word
    /// takes as long as its letters; 8 % of the time are left free at the beginning and the end.
    static func wordEnds(_ text: String) -> [(time: Double, fraction: Double)] {
        let characters = Array(text)
        var ends: [(letters: Int, end: Int)] = []
        var letters = 0
        for (index, character) in characters.enumerated() {
            if character.isWhitespace {
                if letters > 0 { ends.append((letters, index)) }
                letters = 0
            } else {
                letters += 1
            }
        }
        if letters > 0 { ends.append((letters, characters.count)) }
        let whole = Double(ends.reduce(0) { $0 + $1.letters })
        var before = 0.0
        return [(0, 0)]
            + ends.map { word in
                defer { before += Double(word.letters) }
                return (
                    0.08 + 0.84 * before / whole, Double(word.end) / Double(characters.count)
                )
            }
    }

    private func typing(_ layer: inout Layer, after delay: Double, for length: Double) {
        show(&layer, coming(after: delay, for: length, .linear))
    }

    private func typing(_ layer: inout Layer, after delay: Double, seconds: Double) {
        var timing = coming(after: delay, for: 0.1, .linear)
        timing.duration = MediaTime(
            value: max(1, Int64(seconds * Double(Self.timescale))), timescale: Self.timescale)
        show(&layer, timing)
    }

    private func show(_ layer: inout Layer, _ timing: AnimationTiming) {
        guard case .text(var words) = layer.contents else { return }
        words.progress = TextContents.Progress(0)
        layer.contents = .text(words)
        layer.animations.append(.basic(.textProgress, from: 0, to: 1, timing: timing))
    }
}
