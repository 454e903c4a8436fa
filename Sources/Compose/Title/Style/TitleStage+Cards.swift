internal import Media

/// Titles that take the frame's whole width or all of it: opener, chapter card, end card.
extension TitleStage {
    /// A band that opens in the middle: a large line, an accent, a small line, and an image over them.
    func opener(_ text: String, _ image: String?) -> Layer {
        let (head, rest) = Self.headAndRest(text)
        let column = Column(
            image: image == nil ? 0 : 0.2, head: head.isEmpty ? 0 : headRoom,
            rest: rest.isEmpty ? 0 : 0.1)
        let tall = (unit * (column.height + 0.14)).rounded()
        var band = Layer(
            name: "title ground", contents: .solid(palette.ground),
            frame: frame(0, (height - tall) / 2, width, tall))
        band.animations = shown(
            .scaleY, from: 0, to: 1, after: 0, for: 0.7)
        return root(
            "opener",
            [band] + stack(head, rest, image, column, top: (height - unit * column.height) / 2))
    }

    /// The frame in the ground's colour comes in from the side: a small line, an accent, a large line.
    func chapter(_ text: String, _ image: String?) -> Layer {
        let (first, second) = Self.headAndRest(text)
        let isMirrored = Self.isRightToLeft(text)
        let (small, large) = second.isEmpty ? ("", first) : (first, second)
        var ground = wholeGround(isOpaque: true)
        let (rest, away) = (ground.position.x, isMirrored ? width : -width)
        ground.animations = [
            .basic(
                .positionX, from: rest + away, to: rest, timing: coming(after: 0, for: 0.7)),
            .basic(
                .positionX, from: rest, to: rest - away, timing: going(until: 0, for: 0.6)),
        ]
        let tall = unit * (width < height * 1.2 ? 0.42 : 0.3)
        let top = (height - tall) / 2
        let side = width * 0.1
        let bar = frame(side, top, unit * 0.012, tall)
        let inset = side + unit * 0.06
        let wide = width - inset - margin.x - (image == nil ? 0 : unit * 0.42)
        let alignment = isMirrored ? TextContents.Alignment.right : .left
        var layers = [
            ground,
            line(
                sided(bar, isMirrored), from: Point(x: 0.5, y: 0), after: 0.35, until: 0.35),
        ]
        let smallTall = small.isEmpty ? 0 : unit * 0.08
        if !small.isEmpty {
            let words = words(
                small, size: unit * 0.045, color: palette.accentInk, alignment: alignment)
            layers.append(
                rising(
                    "title number", .text(words),
                    sided(frame(inset, top, wide, smallTall), isMirrored), after: 0.5, until: 0.35))
        }
        var largeWords = words(
            large, size: unit * 0.12, weight: 800, isHeading: true, alignment: alignment)
        largeWords.verticalAlignment = small.isEmpty ? .center : .top
        layers.append(
            rising(
                "title text", .text(largeWords),
                sided(frame(inset, top + smallTall, wide, tall - smallTall), isMirrored),
                after: 0.6, until: 0.3))
        if let image {
            layers.append(
                picture(
                    image,
                    sided(
                        frame(
                            width - margin.x - unit * 0.38, top + unit * 0.02, unit * 0.38,
                            unit * 0.38), isMirrored),
                    after: 0.6))
        }
        return root("chapter", layers)
    }

    /// The frame in the ground's colour: an image, a large line, an accent, small lines.
    func end(_ text: String, _ image: String?) -> Layer {
        let (head, rest) = Self.headAndRest(text)
        let count = Double(
            min(6, rest.split(separator: "\n", omittingEmptySubsequences: false).count))
        let column = Column(
            image: image == nil ? 0 : 0.26, head: head.isEmpty ? 0 : headRoom,
            rest: rest.isEmpty ? 0 : 0.075 * count + 0.02)
        var ground = wholeGround(isOpaque: true)
        ground.animations = dissolving(after: 0, for: 0.5)
        return root(
            "end",
            [ground] + stack(head, rest, image, column, top: (height - unit * column.height) / 2))
    }

    /// Room of a large line: two lines where the frame is narrow (fraction of the unit).
    private var headRoom: Double { width < height * 1.2 ? 0.3 : 0.19 }

    /// Heights of what lies one below the other (fractions of the unit).
    private struct Column {
        var image: Double
        var head: Double
        var rest: Double

        /// Room of the accent, where there are lines on both of its sides.
        var accent: Double { rest > 0 ? 0.05 : 0 }
        var height: Double { image + head + accent + rest }
    }

    /// Image, large line, accent and small lines in the middle.
    private func stack(
        _ head: String, _ rest: String, _ image: String?, _ column: Column, top: Double
    ) -> [Layer] {
        var layers: [Layer] = []
        let area = safeArea
        var y = top
        if let image {
            let tall = unit * (column.image - 0.03)
            layers.append(picture(image, frame(area.x, y, area.width, tall), after: 0.4))
            y += unit * column.image
        }
        if !head.isEmpty {
            let words = words(head, size: unit * 0.12, weight: 800, isHeading: true)
            layers.append(
                rising(
                    "title text", .text(words), frame(area.x, y, area.width, unit * column.head),
                    after: 0.35, until: 0.25))
            y += unit * column.head
        }
        guard !rest.isEmpty else { return layers }
        let wide = unit * 0.16
        layers.append(
            line(
                frame((width - wide) / 2, y + unit * 0.02, wide, unit * 0.01),
                from: Point(x: 0.5, y: 0.5), after: 0.45, until: 0.3))
        y += unit * column.accent
        let small = words(rest, size: unit * 0.05, weight: 500, color: palette.accentInk)
        layers.append(
            rising(
                "title detail", .text(small), frame(area.x, y, area.width, unit * column.rest),
                from: .above, after: 0.6, until: 0.2))
        return layers
    }

    /// An image that fades in and out.
    private func picture(_ path: String, _ frame: Rectangle, after delay: Double) -> Layer {
        var layer = Layer(
            name: "title image", contents: .image(ImageContents(path: path)), frame: frame)
        layer.animations = dissolving(after: delay, until: 0.25)
        return layer
    }
}
