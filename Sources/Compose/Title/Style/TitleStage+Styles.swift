internal import Media

extension TitleStage {
    /// The text in the middle, under its image.
    func centered(_ text: String, _ image: String?) -> Layer {
        let area = safeArea
        guard let image else {
            let contents = Layer.Contents.text(letters(text, size: unit * 0.1))
            let frame = inked(area, size: unit * 0.1)
            return root("title", [Layer(name: "title text", contents: contents, frame: frame)])
        }
        let (upper, lower) = (imageFrame, inked(textFrame, size: unit * 0.09))
        var words = letters(text, size: unit * 0.09)
        words.verticalAlignment = .top
        return root(
            "title",
            [
                Layer(name: "title image", contents: .image(.init(path: image)), frame: upper),
                Layer(name: "title text", contents: .text(words), frame: lower),
            ])
    }

    /// Where an image over a text lies: a square around the upper third line.
    private var imageFrame: Rectangle {
        let side = (unit * 0.4).rounded()
        return Rectangle(
            x: ((width - side) / 2).rounded(), y: (height * 0.37 - side / 2).rounded(), width: side,
            height: side)
    }

    private var textFrame: Rectangle {
        let area = safeArea
        let top = (imageFrame.y + imageFrame.height + unit * 0.04).rounded()
        return Rectangle(
            x: area.x, y: top, width: area.width, height: max(1, area.y + area.height - top))
    }

    func fade(_ text: String, _ image: String?) -> Layer {
        var layer = centered(text, image)
        layer.animations = fades()
        return layer
    }

    func slide(_ text: String, _ image: String?) -> Layer {
        var layer = centered(text, image)
        let length = span(.milliseconds(800), share: 3)
        guard length > .zero else { return layer }
        let start = Self.isRightToLeft(text) ? -1.0 : 1.0
        let rest = layer.position.x
        layer.animations =
            [
                .basic(
                    .positionX, from: rest - start * width, to: rest,
                    timing: entering(length, .cubicBezier(0.16, 1, 0.3, 1))),
                .basic(
                    .positionX, from: rest, to: rest + start * width,
                    timing: leaving(length, .cubicBezier(0.7, 0, 0.84, 0))),
            ] + fades(.milliseconds(500))
        return layer
    }

    /// The first line on a dark box, the others on one of the accent's colour, a bar beside them.
    func lowerThird(_ text: String, _ image: String?) -> Layer {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let isMirrored = Self.isRightToLeft(text)
        let size = unit * 0.062
        let (upper, lower) = ((size * 1.7).rounded(), (size * 1.2).rounded())
        let hasDetail = lines.count > 1 && !lines[1].isEmpty
        let tall = hasDetail ? upper + lower : upper
        let top = (height - margin.y - unit * 0.05 - tall).rounded()
        let bar = max(2, (unit * 0.012).rounded())
        let side = image == nil ? 0 : tall + bar
        let wide = safeArea.width - bar - side
        func frame(_ left: Double, _ top: Double, _ wide: Double, _ tall: Double) -> Rectangle {
            Rectangle(
                x: isMirrored ? width - left - wide : left, y: top, width: wide, height: tall)
        }
        let left = margin.x + side
        var layers = [
            Layer(
                name: Self.bar, contents: .solid(theme.accent), frame: frame(left, top, bar, tall)
            ),
            Layer(
                name: "title text",
                contents: .text(line(String(lines[0]), size, upper, isMirrored, nil)),
                frame: frame(left + bar, top, wide, upper)),
        ]
        if hasDetail {
            let detail = line(String(lines[1]), size * 0.6, lower, isMirrored, theme.accent)
            layers.append(
                Layer(
                    name: "title detail", contents: .text(detail),
                    frame: frame(left + bar, top + upper, wide, lower)))
        }
        if let image {
            let contents = Layer.Contents.image(.init(path: image, fit: .cover))
            layers.append(
                Layer(
                    name: "title image", contents: contents,
                    frame: frame(margin.x, top, tall, tall)))
        }
        var layer = root("lower third", layers)
        layer.animations = glide(from: isMirrored ? 1 : -1) + fades(.milliseconds(400))
        return layer
    }

    /// One line of a lower third: its box is as wide as its text and as tall as its layer.
    private func line(
        _ text: String, _ size: Double, _ tall: Double, _ isMirrored: Bool, _ box: Color?
    ) -> TextContents {
        let isDetail = box != nil
        var contents = letters(text, size: size, weight: isDetail ? 500 : 700)
        contents.alignment = isMirrored ? .right : .left
        contents.outline = nil
        contents.shadow = nil
        contents.color = box.map { palette.ink.readable(on: $0) } ?? palette.ink
        contents.background = .init(
            color: box ?? palette.ground, extent: .textAcross,
            padding: Size(width: (unit * 0.025).rounded(), height: 0))
        return contents
    }

    /// A short way in from the side and back.
    private func glide(from side: Double) -> [LayerAnimation] {
        let length = span(.milliseconds(600), share: 4)
        guard length > .zero else { return [] }
        let (rest, away) = (width / 2, width / 2 + side * width * 0.08)
        return [
            .basic(
                .positionX, from: away, to: rest,
                timing: entering(length, .cubicBezier(0.16, 1, 0.3, 1))),
            .basic(.positionX, from: rest, to: away, timing: leaving(length)),
        ]
    }

    /// Fades in and out; the image grows beyond its size and back while it rotates once about y.
    func classic(_ text: String, _ image: String?) -> Layer {
        var layer = centered(text, image)
        layer.animations = fades(.milliseconds(800))
        let pop = span(.milliseconds(700), share: 3)
        guard pop > .zero else { return layer }
        let popping = LayerAnimation.keyframes(
            .scale,
            values: [0.3, 1.15, 0.95, 1].map { Point(x: $0, y: $0) }, keyTimes: [0, 0.5, 0.78, 1],
            curves: [.easeOut, .easeInOut, .easeInOut], timing: entering(pop, .linear))
        guard image != nil else {
            layer.sublayers[0].animations = [popping]
            return layer
        }
        let spin = span(.milliseconds(2000), share: 2)
        layer.sublayers[0].transform = .perspective(distance: imageFrame.height * 2.5)
        layer.sublayers[0].animations = [
            popping,
            .basic(.rotationY, from: 0, to: 360, timing: entering(spin, .easeInOut)),
        ]
        return layer
    }
}
