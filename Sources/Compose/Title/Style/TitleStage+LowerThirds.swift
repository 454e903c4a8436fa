internal import Media

/// Names and what they do, in a lower corner.
extension TitleStage {
    /// Where the lower edge of a lower third lies (pixels).
    private var lowerEdge: Double { height - margin.y - unit * 0.05 }

    /// A thin line grows from the frame's edge; the name rises over it, the rest comes down below it.
    func lowerThirdLine(_ text: String, _ image: String?) -> Layer {
        let (name, detail) = Self.headAndRest(text)
        let isMirrored = Self.isRightToLeft(text)
        let size = unit * 0.062
        let (upper, lower) = ((size * 1.6).rounded(), (size * 1.15).rounded())
        let thick = max(2, (unit * 0.007).rounded())
        let edge = (lowerEdge - lower).rounded()
        let wide = safeArea.width
        var inset = margin.x
        var layers = [Layer]()
        if let image {
            let side = upper + lower + thick
            let place = sided(frame(inset, edge - thick - upper, side, side), isMirrored)
            layers.append(rising("title image", picture(image), place, after: 0.15, until: 0.2))
            inset += side + thick
        }
        let bar = frame(0, edge - thick, inset + min(wide, unit * 0.9), thick)
        layers.append(
            line(sided(bar, isMirrored), from: Point(x: isMirrored ? 1 : 0, y: 0.5), after: 0))
        layers[layers.count - 1].name = Self.bar
        let box = boxed(
            sideWords(name, size, 700, palette.ink, isMirrored), palette.ground,
            padding: unit * 0.025)
        layers.append(
            rising(
                "title text", .text(box),
                sided(
                    frame(inset, edge - thick - upper, wide + margin.x - inset, upper), isMirrored),
                after: 0.2, until: 0.15))
        guard !detail.isEmpty else { return root("lower third", layers) }
        let small = boxed(
            sideWords(detail, size * 0.6, 500, palette.accentInk, isMirrored), palette.ground,
            padding: unit * 0.025)
        layers.append(
            rising(
                "title detail", .text(small),
                sided(frame(inset, edge, wide + margin.x - inset, lower), isMirrored), from: .above,
                after: 0.35, until: 0.1))
        return root("lower third", layers)
    }

    /// The name on a block of the accent's colour, the rest on one of the ground's; both rise.
    func lowerThirdBlock(_ text: String, _ image: String?) -> Layer {
        let (name, detail) = Self.headAndRest(text)
        let isMirrored = Self.isRightToLeft(text)
        let size = unit * 0.066
        let (upper, lower) = ((size * 1.55).rounded(), (size * 1.1).rounded())
        let tall = detail.isEmpty ? upper : upper + lower
        let top = (lowerEdge - tall).rounded()
        var inset = margin.x
        var layers = [Layer]()
        if let image {
            let place = sided(frame(inset, top, tall, tall), isMirrored)
            layers.append(rising("title image", picture(image), place, after: 0, until: 0.1))
            inset += tall
        }
        let wide = width - inset - margin.x
        let head = boxed(
            sideWords(name, size, 800, palette.blockInk, isMirrored), palette.block,
            padding: unit * 0.03)
        layers.append(
            rising(
                Self.bar, .text(head), sided(frame(inset, top, wide, upper), isMirrored),
                after: 0.1,
                until: 0.1))
        if !detail.isEmpty {
            let small = boxed(
                sideWords(detail, size * 0.58, 500, palette.ink, isMirrored), palette.ground,
                padding: unit * 0.03)
            layers.append(
                rising(
                    "title detail", .text(small),
                    sided(frame(inset, top + upper, wide, lower), isMirrored), from: .above,
                    after: 0.3))
        }
        return root("lower third", layers)
    }

    /// A card with round corners and an accent on its edge, as for a visitor.
    func lowerThirdCard(_ text: String, _ image: String?) -> Layer {
        let (name, detail) = Self.headAndRest(text)
        let isMirrored = Self.isRightToLeft(text)
        let (pad, strip) = ((unit * 0.03).rounded(), max(3, (unit * 0.014).rounded()))
        let tall = (unit * 0.17).rounded()
        let wide = min(safeArea.width, (unit * (image == nil ? 0.72 : 0.88)).rounded())
        let card = sided(frame(margin.x, lowerEdge - tall, wide, tall), isMirrored)
        let own = Rectangle(x: 0, y: 0, width: wide, height: tall)
        let radius = (unit * 0.018).rounded()
        let ground = ShapeContents(
            path: .rectangle(own, cornerRadius: radius), fill: palette.ground)
        var parts = [Layer(name: "title ground", contents: .shape(ground), frame: own)]
        func inner(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
            frame(isMirrored ? wide - x - width : x, y, width, height)
        }
        parts.append(
            Layer(
                name: "title line", contents: .solid(palette.accent),
                frame: inner(pad * 0.6, pad * 0.8, strip, tall - pad * 1.6)))
        var left = pad * 0.6 + strip + pad * 0.8
        if let image {
            let side = tall - pad * 1.6
            parts.append(
                Layer(
                    name: "title image", contents: picture(image),
                    frame: inner(left, pad * 0.8, side, side)))
            left += side + pad * 0.8
        }
        let room = wide - left - pad
        let upper = detail.isEmpty ? tall : tall * 0.56
        var head = sideWords(name, unit * 0.058, 700, palette.ink, isMirrored)
        head.verticalAlignment = detail.isEmpty ? .center : .bottom
        parts.append(
            Layer(
                name: "title text", contents: .text(head), frame: inner(left, 0, room, upper)))
        if !detail.isEmpty {
            var small = sideWords(detail, unit * 0.036, 500, palette.accentInk, isMirrored)
            small.verticalAlignment = .top
            parts.append(
                Layer(
                    name: "title detail", contents: .text(small),
                    frame: inner(left, upper, room, tall - upper)))
        }
        var layer = Layer(name: Self.bar, frame: card, sublayers: parts)
        let rest = layer.position.y
        layer.animations =
            shown(.positionY, from: rest + unit * 0.12, to: rest, after: 0)
            + dissolving(after: 0)
        return root("lower third", [layer])
    }

    private func picture(_ path: String) -> Layer.Contents {
        .image(ImageContents(path: path, fit: .cover))
    }

    private func sideWords(
        _ text: String, _ size: Double, _ weight: Int, _ color: Color, _ isMirrored: Bool
    ) -> TextContents {
        words(
            text, size: size, weight: weight, color: color,
            alignment: isMirrored ? .right : .left)
    }
}
