internal import CPangoCairo
internal import Glibc
internal import Media

/// Draws a laid-out text: box, shadow, outline, letters.
struct TextPainter {
    let layout: TextLayout
    /// How far the text has come; nil: all of it.
    var progress: TextContents.Progress?

    private var contents: TextContents { layout.contents }

    /// Everything the drawing can touch (pixels of the layer); nil: nothing.
    func extent(in bounds: Rectangle) -> Rectangle? {
        let outline = (contents.outline?.width ?? 0) * layout.shrink
        let inked = layout.lines.map(\.ink).filter { $0.width > 0 && $0.height > 0 }
        var letters = inked.first
        for ink in inked.dropFirst() { letters = letters?.union(ink) }
        letters = letters?.insetBy(-outline - 1)
        var result = letters
        if let shadow = contents.shadow, let letters {
            let reach = shadow.radius * layout.shrink * 1.6 + 1
            var moved = letters.insetBy(-reach)
            moved.x += shadow.offset.x * layout.shrink
            moved.y += shadow.offset.y * layout.shrink
            result = result?.union(moved)
        }
        if let box = box(in: bounds) { result = result?.union(box) ?? box }
        return result
    }

    /// The box behind the text.
    func box(in bounds: Rectangle) -> Rectangle? {
        guard let background = contents.background else { return nil }
        if background.extent == .bounds { return bounds }
        guard var box = layout.lines.first?.frame else { return nil }
        for line in layout.lines.dropFirst() { box = box.union(line.frame) }
        let padding = Size(
            width: background.padding.width * layout.shrink,
            height: background.padding.height * layout.shrink)
        box.x -= padding.width
        box.width += 2 * padding.width
        if background.extent == .textAcross {
            (box.y, box.height) = (bounds.y, bounds.height)
        } else {
            box.y -= padding.height
            box.height += 2 * padding.height
        }
        return box
    }

    /// - Parameter canvas: its matrix maps the layer's coordinates.
    func paint(on canvas: borrowing Canvas, bounds: Rectangle) throws(MediaError) {
        if let background = contents.background, let box = box(in: bounds) {
            canvas.setSource(background.color)
            canvas.add(.rectangle(box, cornerRadius: background.cornerRadius * layout.shrink))
            cairo_fill(canvas.context)
        }
        if let shadow = contents.shadow, shadow.color.alpha > 0 {
            let offset = Point(
                x: shadow.offset.x * layout.shrink, y: shadow.offset.y * layout.shrink)
            try canvas.shadow(
                shadow.color, offset: offset, radius: shadow.radius * layout.shrink
            ) { letters($0) }
        }
        if case .color(let rest) = progress?.rest {
            canvas.setSource(rest)
            letters(canvas.context, outline: contents.outline?.color, all: true)
        }
        canvas.setSource(contents.color)
        letters(canvas.context, outline: contents.outline?.color)
    }

    /// Lets only the letters show that have come.
    private func clip(_ context: OpaquePointer, to progress: TextContents.Progress) {
        cairo_new_path(context)
        for area in layout.areas(before: layout.byte(at: progress)) {
            cairo_rectangle(context, area.x, area.y, area.width, area.height)
        }
        cairo_clip(context)
    }

    /// - Parameters:
    ///   - outline: its colour; nil: that of the letters.
    ///   - all: those that have not come as well.
    private func letters(_ context: OpaquePointer, outline: Color? = nil, all: Bool = false) {
        cairo_save(context)
        defer { cairo_restore(context) }
        if !all, let progress, progress.fraction < 1 { clip(context, to: progress) }
        if let line = contents.outline, line.width > 0, (outline?.alpha ?? 1) > 0 {
            cairo_save(context)
            if let outline {
                cairo_set_source_rgba(
                    context, outline.red, outline.green, outline.blue, outline.alpha)
            }
            cairo_new_path(context)
            forEachLine(context) { pango_cairo_layout_line_path(context, $0) }
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_width(context, 2 * line.width * layout.shrink)
            cairo_stroke(context)
            cairo_restore(context)
        }
        forEachLine(context) { pango_cairo_show_layout_line(context, $0) }
    }

    private func forEachLine(
        _ context: OpaquePointer, _ body: (UnsafeMutablePointer<PangoLayoutLine>) -> Void
    ) {
        for (index, line) in layout.lines.enumerated() {
            guard let pointer = pango_layout_get_line_readonly(layout.pointer, Int32(index)) else {
                continue
            }
            cairo_save(context)
            cairo_translate(context, line.origin.x, line.origin.y)
            cairo_scale(context, layout.shrink, layout.shrink)
            cairo_move_to(context, 0, 0)
            body(pointer)
            cairo_restore(context)
        }
    }
}
