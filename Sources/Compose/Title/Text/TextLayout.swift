internal import CPangoCairo
internal import Media

/// A text in its lines, placed in its layer's bounds. Thread-bound.
///
/// Positions are pixels of the layer. Everything is laid out at the wanted size and drawn at `shrink`, which
/// is the same as smaller sizes all over, because nothing is hinted.
final class TextLayout {
    /// One line, in its place.
    struct Line: Equatable {
        /// Left end of the baseline, where drawing begins.
        var origin: Point
        /// What the line takes by its fonts' measures.
        var frame: Rectangle
        /// What its letters cover.
        var ink: Rectangle
        var isRightToLeft: Bool
    }

    // immutable
    let contents: TextContents
    /// Factor from the wanted size to the size it is drawn at (at most 1).
    private(set) var shrink: Double
    /// Whether the text is within the bounds; always where its fit does not ask.
    private(set) var fits = true
    private(set) var lines: [Line] = []
    /// A `PangoLayout`, shared with nobody.
    let pointer: OpaquePointer
    private let engine: TextEngine

    init(_ contents: TextContents, bounds: Rectangle, engine: TextEngine) throws(MediaError) {
        self.contents = contents
        self.engine = engine
        shrink = 1
        let context = try engine.makeContext(contents.direction)
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        guard let layout = pango_layout_new(context) else {
            throw MediaError(
                code: .unsupported, function: "pango_layout_new", subject: "a title",
                message: "Cannot draw a title: there is no memory for it; close other programs.")
        }
        pointer = layout
        try setText()
        setStyle()
        fit(into: bounds)
        place(in: bounds)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    // MARK: - Setting

    private func setText() throws(MediaError) {
        var attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        var text = contents.text
        if contents.markup == .pango {
            var parsed: OpaquePointer?
            var plain: UnsafeMutablePointer<CChar>?
            var problem: UnsafeMutablePointer<GError>?
            let isFine = pango_parse_markup(text, -1, 0, &parsed, &plain, nil, &problem)
            defer {
                g_free(plain)
                g_clear_error(&problem)
            }
            guard isFine != 0, let parsed, let plain else {
                let reason =
                    problem?.pointee.message.map { String(cString: $0) } ?? "it is no markup"
                throw MediaError(
                    code: .invalidSetting, function: "pango_parse_markup", subject: text,
                    message: "Cannot draw the text \"\(text.prefix(40))\": \(reason); correct the "
                        + "markup or leave it off.")
            }
            pango_attr_list_unref(attributes)
            attributes = parsed
            text = String(cString: plain)
        }
        setLanguages(of: text, attributes)
        setEmojiUpright(in: text, attributes)
        // a word broken because it is too long gets no hyphen that its author did not write
        pango_attr_list_insert_before(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(pointer, attributes)
        pango_layout_set_text(pointer, text, -1)
    }

    /// Cairo draws nothing of a slanted bitmap.
    private func setEmojiUpright(in text: String, _ attributes: OpaquePointer?) {
        var start = 0
        for character in text {
            let end = start + character.utf8.count
            defer { start = end }
            guard character.isShownAsEmoji, let made = pango_attr_style_new(PANGO_STYLE_NORMAL)
            else { continue }
            made.pointee.start_index = guint(start)
            made.pointee.end_index = guint(end)
            pango_attr_list_insert(attributes, made)
        }
    }

    private func setLanguages(of text: String, _ attributes: OpaquePointer?) {
        let han = TextLanguage.ofHan(in: text)
        var copy = text
        copy.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return }
            let start = UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self)
            guard let runs = pango_script_iter_new(start, Int32(bytes.count)) else { return }
            defer { pango_script_iter_free(runs) }
            repeat {
                var (from, to): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
                var script = PANGO_SCRIPT_COMMON
                pango_script_iter_get_range(runs, &from, &to, &script)
                guard let from, let to else { return }
                let language =
                    contents.language ?? TextLanguage.of(script: Self.code(of: script), han: han)
                guard let made = pango_attr_language_new(pango_language_from_string(language))
                else { return }
                made.pointee.start_index = guint(from - start)
                made.pointee.end_index = guint(to - start)
                // before the markup's own, which may say otherwise
                pango_attr_list_insert_before(attributes, made)
            } while pango_script_iter_next(runs) != 0
        }
    }

    /// ISO 15924 code of a script.
    private static func code(of script: PangoScript) -> String {
        let tag = g_unicode_script_to_iso15924(GUnicodeScript(script.rawValue))
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func setStyle() {
        _ = engine.withDescription(of: contents.font) {
            pango_layout_set_font_description(pointer, $0)
        }
        pango_layout_set_wrap(pointer, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_line_spacing(pointer, Float(contents.lineSpacing))
        pango_layout_set_justify(pointer, contents.alignment == .justified ? 1 : 0)
        pango_layout_set_auto_dir(pointer, contents.direction == .automatic ? 1 : 0)
    }

    // MARK: - Fitting

    /// Room kept free on each side for box and outline (pixels at the wanted size).
    private var inset: Size {
        let outline = contents.outline?.width ?? 0
        let padding = contents.background?.padding ?? Size(width: 0, height: 0)
        return Size(
            width: max(outline, padding.width), height: max(outline, padding.height))
    }

    private func fit(into bounds: Rectangle) {
        wrap(bounds, 1)
        guard case .shrink(let smallest) = contents.fit, !isWithin(bounds, 1) else { return }
        var lower = min(1, smallest / contents.font.size)
        var upper = 1.0
        wrap(bounds, lower)
        guard isWithin(bounds, lower) else {
            (shrink, fits) = (lower, false)
            return
        }
        while upper / lower > 1.004 {
            let middle = (upper * lower).squareRoot()
            wrap(bounds, middle)
            if isWithin(bounds, middle) { lower = middle } else { upper = middle }
        }
        shrink = lower
        wrap(bounds, lower)
    }

    /// Breaks lines as they break at a factor.
    private func wrap(_ bounds: Rectangle, _ factor: Double) {
        let width = contents.wrapWidth ?? bounds.width
        let wide = width / factor - 2 * inset.width
        let limit = width > 0 ? max(1, min(wide, 1e6)) * Double(PANGO_SCALE) : -1
        pango_layout_set_width(pointer, Int32(limit))
    }

    private func isWithin(_ bounds: Rectangle, _ factor: Double) -> Bool {
        var logical = PangoRectangle()
        pango_layout_get_extents(pointer, nil, &logical)
        let (width, height) = (Self.pixels(logical.width), Self.pixels(logical.height))
        return (width + 2 * inset.width) * factor <= bounds.width + 0.01
            && (height + 2 * inset.height) * factor <= bounds.height + 0.01
    }

    private static func pixels(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }

    // MARK: - Placing

    private func place(in bounds: Rectangle) {
        guard let iterator = pango_layout_get_iter(pointer) else { return }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            var (ink, logical) = (PangoRectangle(), PangoRectangle())
            pango_layout_iter_get_line_extents(iterator, &ink, &logical)
            let baseline = Self.pixels(pango_layout_iter_get_baseline(iterator)) * shrink
            let line = pango_layout_iter_get_line_readonly(iterator)
            let isBack =
                line.map { pango_layout_line_get_resolved_direction($0) } == PANGO_DIRECTION_RTL
            let frame = scaled(logical)
            var inked = scaled(ink)
            let left = x(of: frame.width, isBack, bounds)
            inked.x += left - frame.x
            lines.append(
                Line(
                    origin: Point(x: left, y: baseline),
                    frame: Rectangle(
                        x: left, y: frame.y, width: frame.width, height: frame.height),
                    ink: inked, isRightToLeft: isBack))
        } while pango_layout_iter_next_line(iterator) != 0
        shiftDown(in: bounds)
    }

    private func scaled(_ rectangle: PangoRectangle) -> Rectangle {
        Rectangle(
            x: Self.pixels(rectangle.x) * shrink, y: Self.pixels(rectangle.y) * shrink,
            width: Self.pixels(rectangle.width) * shrink,
            height: Self.pixels(rectangle.height) * shrink)
    }

    private func x(of width: Double, _ isBack: Bool, _ bounds: Rectangle) -> Double {
        let side = inset.width * shrink
        let left = bounds.x + side
        let right = bounds.x + bounds.width - side - width
        switch contents.alignment {
        case .natural, .justified: return isBack ? right : left
        case .left: return left
        case .right: return right
        case .center: return bounds.x + (bounds.width - width) / 2
        }
    }

    private func shiftDown(in bounds: Rectangle) {
        guard let first = lines.first, let last = lines.last else { return }
        let top = first.frame.y
        let height = last.frame.y + last.frame.height - top
        let side = inset.height * shrink
        let wanted =
            switch contents.verticalAlignment {
            case .top: bounds.y + side
            case .center: bounds.y + (bounds.height - height) / 2
            case .bottom: bounds.y + bounds.height - side - height
            }
        for index in lines.indices {
            lines[index].origin.y += wanted - top
            lines[index].frame.y += wanted - top
            lines[index].ink.y += wanted - top
        }
    }
}

extension Character {
    /// In colours, by itself or because a selector behind it says so.
    fileprivate var isShownAsEmoji: Bool {
        unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }
    }
}
