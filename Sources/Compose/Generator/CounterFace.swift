internal import CPangoCairo
internal import Media

/// Draws what a counter shows, in greys. Thread-bound.
final class CounterFace {
    private enum Grey {
        static let background = 0.1
        static let lines = 0.34
        static let disc = 0.16
        static let swept = 0.36
        static let rings = 0.86
        static let flash = 1.0
        static let band = 0.02
    }

    /// A text as it is drawn once.
    private struct Word {
        let tiles: [OverlayTile]
        let width: Double
    }

    private let size: PixelSize
    private let middle: Point
    /// Of the outer ring, and of what is swept (pixels).
    private let radius: Double
    private let disc: Double
    /// Of a thin line (pixels).
    private let line: Double
    /// How wide the time code is (pixels).
    private let across: Double
    /// Of the time code's letters (pixels), and how wide its digits are (em): as the font has them.
    private var em: Double = 0
    private var digit = 0.7
    private var words: [String: Word] = [:]
    private var background: PixelBuffer?

    init(_ size: PixelSize) {
        self.size = size
        let (width, height) = (Double(size.width), Double(size.height))
        middle = Point(x: width / 2, y: height / 2)
        let short = min(width, height)
        radius = short * 0.44
        disc = short * 0.4
        line = max(1, short / 360)
        across = min(width * 0.84, short * 1.36)
    }

    /// How wide a colon is (em).
    private static let colon = 0.36

    /// - Parameters:
    ///   - number: of the frame, from 0.
    ///   - turn: of the hand (0…1).
    func picture(
        of reading: CounterClock.Reading, number: Int64, turn: Double
    ) throws(MediaError) -> PixelBuffer {
        if background == nil {
            background = try drawnBackground()
            try measure()
        }
        let time = "\(reading)"
        let count = "\(number)"
        for character in time + count {
            try learn(String(character), time.contains(character))
        }
        try learn("frame", false)
        return try Canvas.picture(width: size.width, height: size.height) {
            canvas throws(MediaError) in
            if let background { canvas.draw(background, map: .identity) }
            sweep(reading.frame == 0 ? 1 : turn, isFlash: reading.frame == 0, canvas)
            bands(canvas, digits: count.count)
            draw(time, canvas)
            drawNumber(count, canvas)
        }
    }

    // MARK: Parts

    private func drawnBackground() throws(MediaError) -> PixelBuffer {
        try Canvas.picture(width: size.width, height: size.height) { canvas throws(MediaError) in
            let context = canvas.context
            canvas.setSource(Color(gray: Grey.background))
            cairo_paint(context)
            canvas.setSource(Color(gray: Grey.lines))
            cairo_set_line_width(context, line)
            cairo_move_to(context, 0, middle.y)
            cairo_line_to(context, Double(size.width), middle.y)
            cairo_move_to(context, middle.x, 0)
            cairo_line_to(context, middle.x, Double(size.height))
            cairo_stroke(context)
            circle(canvas, disc)
            canvas.setSource(Color(gray: Grey.disc))
            cairo_fill(context)
            canvas.setSource(Color(gray: Grey.rings))
            for (radius, width) in [(radius, 2.0), (disc, 1)] {
                circle(canvas, radius)
                cairo_set_line_width(context, line * width)
                cairo_stroke(context)
            }
        }
    }

    private func circle(_ canvas: borrowing Canvas, _ radius: Double) {
        cairo_new_path(canvas.context)
        cairo_arc(canvas.context, middle.x, middle.y, radius, 0, 2 * .pi)
    }

    /// What the hand has passed, and the hand.
    private func sweep(_ turn: Double, isFlash: Bool, _ canvas: borrowing Canvas) {
        let (context, top) = (canvas.context, -Double.pi / 2)
        let end = top + 2 * .pi * turn
        cairo_new_path(context)
        if turn < 1 { cairo_move_to(context, middle.x, middle.y) }
        cairo_arc(context, middle.x, middle.y, disc - line / 2, top, end)
        cairo_close_path(context)
        canvas.setSource(Color(gray: isFlash ? Grey.flash : Grey.swept))
        cairo_fill(context)
        guard !isFlash else { return }
        cairo_move_to(context, middle.x, middle.y)
        cairo_line_to(
            context, middle.x + disc * Trigonometry.cosine(end),
            middle.y + disc * Trigonometry.sine(end))
        canvas.setSource(Color(gray: Grey.rings))
        cairo_set_line_width(context, line * 2)
        cairo_stroke(context)
    }

    /// What the letters stand on.
    private func bands(_ canvas: borrowing Canvas, digits: Int) {
        canvas.setSource(Color(gray: Grey.band))
        canvas.add(
            .rectangle(
                Rectangle(
                    x: middle.x - across / 2 - em * 0.25, y: middle.y - em * 0.56,
                    width: across + em * 0.5, height: em * 1.12), cornerRadius: em * 0.14))
        cairo_fill(canvas.context)
        let width = numberWidth(digits) + small
        canvas.add(
            .rectangle(
                Rectangle(
                    x: middle.x - width / 2, y: numberLine - small * 0.72, width: width,
                    height: small * 1.44), cornerRadius: small * 0.3))
        cairo_fill(canvas.context)
    }

    // MARK: Letters

    /// Finds the letters' size: eight digits, each with some room, and three colons are as wide as the time code.
    private func measure() throws(MediaError) {
        em = 200
        for number in 0...9 { try learn("\(number)", true) }
        let widest = (0...9).compactMap { words[key("\($0)", true)]?.width }.max() ?? 120
        digit = widest / em + 0.06
        em = across / (8 * digit + 3 * Self.colon)
        words = [:]
    }

    /// Of the frame's number (pixels).
    private var small: Double { em * 0.34 }
    private var numberLine: Double { middle.y + em * 1.02 }

    private func numberWidth(_ digits: Int) -> Double {
        (words["frame"]?.width ?? 0) + small * (0.4 + digit * Double(digits))
    }

    private func draw(_ time: String, _ canvas: borrowing Canvas) {
        var x = middle.x - across / 2
        for character in time {
            let advance = em * (character == ":" ? Self.colon : digit)
            put(key(String(character), true), x + advance / 2, middle.y, canvas)
            x += advance
        }
    }

    private func drawNumber(_ number: String, _ canvas: borrowing Canvas) {
        let word = words["frame"]?.width ?? 0
        var x = middle.x - numberWidth(number.count) / 2
        put("frame", x + word / 2, numberLine, canvas)
        x += word + small * 0.4
        for character in number {
            put(key(String(character), false), x + small * digit / 2, numberLine, canvas)
            x += small * digit
        }
    }

    private func key(_ text: String, _ isLarge: Bool) -> String { isLarge ? text + text : text }

    /// - Parameters: the middle of a text (pixels).
    private func put(_ key: String, _ x: Double, _ y: Double, _ canvas: borrowing Canvas) {
        for tile in words[key]?.tiles ?? [] {
            // whole pixels, so that a digit looks the same wherever it stands
            canvas.draw(
                tile.image,
                map: .translation(x: x.rounded() + Double(tile.x), y: y.rounded() + Double(tile.y)))
        }
    }

    /// Draws a text's tiles about the origin, once; digits of the time code in its size as well.
    private func learn(_ text: String, _ isInTime: Bool) throws(MediaError) {
        for isLarge in isInTime ? [true, false] : [false] {
            guard words[key(text, isLarge)] == nil else { continue }
            let pixels = isLarge ? em : small
            let contents = TextContents(
                text, font: TitleFont(size: pixels, weight: isLarge ? 700 : 400),
                alignment: .center)
            let room = Rectangle(x: 0, y: 0, width: pixels * 6, height: pixels * 2)
            let layer = Layer(name: "counter", contents: .text(contents), frame: room)
            let frame = PixelSize(
                width: max(1, Int(room.width.rounded(.up))),
                height: max(1, Int(room.height.rounded(.up))))
            let tiles = try LayerRenderer(layer, renderSize: frame).tiles(at: .zero)
            let left = tiles.map(\.x).min() ?? 0
            let right = tiles.map { $0.x + $0.image.width }.max() ?? 0
            words[key(text, isLarge)] = Word(
                tiles: tiles.map { tile in
                    var tile = tile
                    tile.x -= Int((room.width / 2).rounded())
                    tile.y -= Int((room.height / 2).rounded())
                    return tile
                }, width: Double(right - left))
        }
    }
}

extension Color {
    fileprivate init(gray: Double) { self.init(red: gray, green: gray, blue: gray) }
}
