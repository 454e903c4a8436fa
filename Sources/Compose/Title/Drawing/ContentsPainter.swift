internal import CPangoCairo
internal import Media

/// Draws the contents of layers, keeping laid-out texts and decoded images for the frames to come.
/// Thread-bound.
final class ContentsPainter {
    /// A layer's contents within bounds.
    struct Key: Hashable {
        let contents: Layer.Contents
        let bounds: Rectangle
    }

    /// A file's picture.
    private struct ImageKey: Hashable {
        let path: String
        let instant: MediaTime?
    }

    // immutable
    private let imagePixels: Int

    // owned by the calling thread
    private var engine: TextEngine?
    private var layouts: RecentCache<Key, TextLayout>
    private var images: RecentCache<ImageKey, StillPicture>
    /// By their paths; nil of what is none.
    private var animations: [String: AnimatedPicture?] = [:]
    private(set) var warnings: [LayerWarning] = []

    /// - Parameters:
    ///   - imagePixels: largest image kept (pixels); larger ones are made smaller.
    ///   - imageBytes: what decoded images may take (bytes).
    init(imagePixels: Int, imageBytes: Int) {
        self.imagePixels = imagePixels
        layouts = RecentCache(budget: 32)
        images = RecentCache(budget: imageBytes)
    }

    func beginFrame() {
        layouts.beginFrame()
        images.beginFrame()
    }

    private func warn(_ kind: LayerWarning.Kind, _ layer: Layer) {
        let warning = LayerWarning(kind, layer)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    // MARK: - Checking

    /// Finds missing fonts, glyphs and files before anything is drawn.
    func check(_ layer: Layer) throws(MediaError) {
        switch layer.contents {
        case .none, .shape, .solid: break
        case .image(let image): try StillPicture.check(image.path)
        case .text(let text) where text.text.isEmpty: break
        case .text(let text): try check(text, layer)
        }
        for sublayer in layer.sublayers { try check(sublayer) }
    }

    private func check(_ text: TextContents, _ layer: Layer) throws(MediaError) {
        let engine = try textEngine()
        if let used = try engine.replacement(for: text.font) {
            warn(.missingFont(requested: text.font.family, used: used), layer)
        }
        var plain = text
        plain.fit = .none
        let missing = try TextLayout(plain, bounds: layer.bounds, engine: engine).missingCharacters
        guard !missing.isEmpty else { return }
        let names = Self.names(missing)
        guard text.allowsMissingGlyphs else {
            let controls = missing.filter { $0.unicodeScalars.allSatisfy(\.isControl) }
            guard controls.isEmpty else {
                throw MediaError(
                    code: .missingGlyphs, subject: layer.displayName,
                    message:
                        "Cannot draw \(layer.displayName): \(Self.names(controls)) is a control character, "
                        + "which no font shows; leave it out.")
            }
            throw MediaError(
                code: .missingGlyphs, subject: layer.displayName,
                message:
                    "Cannot draw \(layer.displayName): no installed font has \(names); install the "
                    + "package \(FontAdvice.packages(for: missing)) or allow missing glyphs.")
        }
        warn(.missingGlyphs(names), layer)
    }

    /// "☃ (U+2603)", at most ten of them.
    private static func names(_ characters: [Character]) -> String {
        let named = characters.prefix(10).map { character in
            let codes = character.unicodeScalars.map { scalar in
                let digits = String(scalar.value, radix: 16, uppercase: true)
                return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
            return "\(character) (\(codes.joined(separator: " ")))"
        }
        let rest = characters.count - named.count
        return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func textEngine() throws(MediaError) -> TextEngine {
        if let engine { return engine }
        let made = try TextEngine()
        engine = made
        return made
    }

    // MARK: - Drawing

    /// Everything the drawing of a layer's contents can touch (its own coordinates); nil: nothing.
    func extent(of drawn: DrawnContents) throws(MediaError) -> Rectangle? {
        switch drawn.contents {
        case .none: return nil
        case .solid, .image: return drawn.bounds
        case .text(let text):
            return TextPainter(layout: try layout(text, drawn)).extent(in: drawn.bounds)
        case .shape(let shape): return Self.extent(of: shape)
        }
    }

    private static func extent(of shape: ShapeContents) -> Rectangle? {
        var box: Rectangle?
        for element in shape.path.elements {
            for point in element.points {
                let dot = Rectangle(x: point.x, y: point.y, width: 0, height: 0)
                box = box?.union(dot) ?? dot
            }
        }
        // a mitred corner stands out by as much as Cairo's limit of 10 half widths
        let reach = shape.stroke == nil ? 0 : shape.lineWidth * (shape.lineJoin == .miter ? 5 : 1)
        return box?.insetBy(-reach)
    }

    /// - Parameter canvas: its matrix maps the layer's coordinates.
    func paint(_ drawn: DrawnContents, on canvas: borrowing Canvas) throws(MediaError) {
        switch drawn.contents {
        case .none: break
        case .solid(let color):
            canvas.setSource(color)
            canvas.add(.rectangle(drawn.bounds))
            cairo_fill(canvas.context)
        case .shape(let shape): canvas.paint(shape)
        case .text(let text):
            let painter = TextPainter(
                layout: try layout(text, drawn), progress: text.progress)
            try painter.paint(on: canvas, bounds: drawn.bounds)
        case .image(let image):
            let still = try still(image, drawn.layer)
            let frame = Self.frame(of: still.originalSize, image, in: drawn.bounds)
            let map = Transform2D(
                a: frame.width / Double(still.image.width), b: 0, c: 0,
                d: frame.height / Double(still.image.height), tx: frame.x, ty: frame.y)
            let clip = Self.common(frame, drawn.bounds)
            canvas.draw(still.image, map: map, clip: clip)
        }
    }

    private static func common(_ first: Rectangle, _ second: Rectangle) -> Rectangle {
        let (left, top) = (max(first.x, second.x), max(first.y, second.y))
        return Rectangle(
            x: left, y: top,
            width: max(0, min(first.x + first.width, second.x + second.width) - left),
            height: max(0, min(first.y + first.height, second.y + second.height) - top))
    }

    /// Where an image lies.
    static func frame(
        of size: Size, _ image: ImageContents, in bounds: Rectangle
    ) -> Rectangle {
        guard image.fit != .stretch, size.width > 0, size.height > 0 else { return bounds }
        let (x, y) = (bounds.width / size.width, bounds.height / size.height)
        let factor = image.fit == .contain ? min(x, y) : max(x, y)
        let (width, height) = (size.width * factor, size.height * factor)
        return Rectangle(
            x: bounds.x + (bounds.width - width) * image.alignment.x,
            y: bounds.y + (bounds.height - height) * image.alignment.y, width: width,
            height: height)
    }

    private func still(
        _ image: ImageContents, _ layer: Layer
    ) throws(MediaError) -> StillPicture {
        let key = ImageKey(path: image.path, instant: image.instant)
        if let known = images.value(for: key) { return known }
        let made =
            if let instant = image.instant, let animation = try animation(image.path) {
                try animation.picture(at: instant, maximumPixels: imagePixels)
            } else {
                try StillPicture(path: image.path, maximumPixels: imagePixels)
            }
        if made.isDamaged { warn(.damagedImage(path: image.path), layer) }
        images.insert(made, for: key, cost: made.image.width * made.image.height * 4)
        return made
    }

    /// The same contents, of an animation with the picture that is on show.
    func onShow(_ drawn: DrawnContents) throws(MediaError) -> DrawnContents {
        guard case .image(var image) = drawn.contents, image.animates,
            let animation = try animation(image.path)
        else { return drawn }
        image.instant = try animation.start(at: drawn.age)
        var result = drawn
        result.contents = .image(image)
        return result
    }

    private func animation(_ path: String) throws(MediaError) -> AnimatedPicture? {
        if let known = animations[path] { return known }
        let (asset, track) = try StillPicture.open(path)
        let made = track.isAnimation ? try AnimatedPicture(asset, track) : nil
        animations[path] = made
        return made
    }

    private func layout(
        _ text: TextContents, _ drawn: DrawnContents
    ) throws(MediaError) -> TextLayout {
        var whole = text
        whole.progress = nil
        let key = Key(contents: .text(whole), bounds: drawn.bounds)
        if let known = layouts.value(for: key) { return known }
        let made = try TextLayout(whole, bounds: drawn.bounds, engine: try textEngine())
        if !made.fits { warn(.doesNotFit, drawn.layer) }
        layouts.insert(made, for: key, cost: 1)
        return made
    }
}

extension Canvas {
    fileprivate func paint(_ shape: ShapeContents) {
        if let fill = shape.fill {
            setSource(fill)
            cairo_set_fill_rule(
                context,
                shape.fillRule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
            add(shape.path)
            cairo_fill(context)
        }
        guard let stroke = shape.stroke, shape.lineWidth > 0 else { return }
        setSource(stroke)
        cairo_set_line_width(context, shape.lineWidth)
        cairo_set_line_cap(context, shape.lineCap.cairo)
        cairo_set_line_join(context, shape.lineJoin.cairo)
        add(shape.path.trimmed(from: shape.strokeStart, to: shape.strokeEnd))
        cairo_stroke(context)
    }
}

extension ShapeContents.LineCap {
    fileprivate var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension ShapeContents.LineJoin {
    fileprivate var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}

extension BezierPath.Element {
    /// Its own points and those that bend it.
    fileprivate var points: [Point] {
        switch self {
        case .move(let point), .line(let point): [point]
        case .curve(let end, let first, let second): [first, second, end]
        case .close: []
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
