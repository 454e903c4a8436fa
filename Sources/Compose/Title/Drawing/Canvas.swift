internal import CPangoCairo
internal import Media

/// A transparent picture to draw on with Cairo (premultiplied BGRA in memory). Thread-bound.
struct Canvas: ~Copyable {
    /// Largest side of a picture Cairo draws on (pixels).
    static let maximumSide = 32_000

    let width: Int
    let height: Int
    private let surface: OpaquePointer
    /// A `cairo_t`.
    let context: OpaquePointer

    /// Draws a picture.
    static func picture(
        width: Int, height: Int, _ body: (borrowing Canvas) throws(MediaError) -> Void
    ) throws(MediaError) -> PixelBuffer {
        var buffer = PixelBuffer(width: width, height: height, format: .bgra)
        try buffer.withMutablePlanes { planes throws(MediaError) in
            let plane = planes[0]
            plane.base.initializeMemory(
                as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.rows)
            let canvas = try Canvas.over(
                plane.base, CAIRO_FORMAT_ARGB32, width, height, plane.bytesPerRow)
            try body(canvas)
            try canvas.check()
        }
        return buffer
    }

    private init(_ surface: OpaquePointer, _ context: OpaquePointer, _ width: Int, _ height: Int) {
        self.surface = surface
        self.context = context
        self.width = width
        self.height = height
    }

    /// - Parameter base: memory that stays while the canvas lives.
    private static func over(
        _ base: UnsafeMutableRawPointer, _ format: cairo_format_t, _ width: Int, _ height: Int,
        _ bytesPerRow: Int
    ) throws(MediaError) -> Canvas {
        let surface = cairo_image_surface_create_for_data(
            base.assumingMemoryBound(to: UInt8.self), format, Int32(width), Int32(height),
            Int32(bytesPerRow))
        // Cairo answers with an object in an error state instead of nothing
        guard let surface, let context = cairo_create(surface) else {
            throw failure("cairo_create", "there is no memory for it")
        }
        let canvas = Canvas(surface, context, width, height)
        try canvas.check()
        return canvas
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    private func check() throws(MediaError) {
        cairo_surface_flush(surface)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            let words = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
            throw Self.failure("cairo", words)
        }
    }

    private static func failure(_ function: String, _ answer: String) -> MediaError {
        MediaError(
            code: .unsupported, function: function, subject: "a title",
            message: "Cannot draw a title: \(answer); use smaller sizes or simpler shapes.")
    }

    // MARK: - Drawing

    func setMatrix(_ map: Transform2D) {
        var matrix = cairo_matrix_t(
            xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.tx, y0: map.ty)
        cairo_set_matrix(context, &matrix)
    }

    func setSource(_ color: Color) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    /// Lets what is drawn from now on show within a polygon only (coordinates of the present matrix).
    func clip(to corners: [Point]) {
        cairo_new_path(context)
        for corner in corners { cairo_line_to(context, corner.x, corner.y) }
        cairo_close_path(context)
        cairo_clip(context)
    }

    /// Begins a new path.
    func add(_ path: BezierPath) {
        cairo_new_path(context)
        for element in path.elements {
            switch element {
            case .move(let point): cairo_move_to(context, point.x, point.y)
            case .line(let point): cairo_line_to(context, point.x, point.y)
            case .curve(let end, let first, let second):
                cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
            case .close: cairo_close_path(context)
            }
        }
    }

    /// Lays a picture over this one.
    /// - Parameters:
    ///   - map: from the picture's pixels to those of this canvas's present matrix.
    ///   - clip: what of it shows (same coordinates as the map's result); nil: all.
    func draw(
        _ picture: PixelBuffer, map: Transform2D, clip: Rectangle? = nil, opacity: Double = 1
    ) {
        picture.withPlane(0) { plane in
            // Cairo only reads a source
            let bytes = UnsafeMutableRawPointer(mutating: plane.base)
                .assumingMemoryBound(to: UInt8.self)
            guard
                let source = cairo_image_surface_create_for_data(
                    bytes, CAIRO_FORMAT_ARGB32, Int32(picture.width), Int32(picture.height),
                    Int32(plane.bytesPerRow))
            else { return }
            cairo_save(context)
            if let clip {
                cairo_rectangle(context, clip.x, clip.y, clip.width, clip.height)
                cairo_clip(context)
            }
            var matrix = cairo_matrix_t(
                xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.tx, y0: map.ty)
            cairo_transform(context, &matrix)
            cairo_set_source_surface(context, source, 0, 0)
            if let pattern = cairo_get_source(context) {
                cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
                if clip != nil { cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD) }
            }
            cairo_paint_with_alpha(context, opacity)
            cairo_restore(context)
            cairo_surface_finish(source)
            cairo_surface_destroy(source)
        }
    }

    /// Draws something's blurred shadow.
    /// - Parameters:
    ///   - offset, radius: pixels of the present matrix.
    ///   - body: draws on a context that has the present matrix.
    func shadow(
        _ color: Color, offset: Point, radius: Double, _ body: (OpaquePointer) -> Void
    ) throws(MediaError) {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        let scale = (matrix.xx * matrix.yy - matrix.xy * matrix.yx).magnitude.squareRoot()
        let bytesPerRow = (width + 3) & ~3
        let mask = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bytesPerRow * height, alignment: 16)
        defer { mask.deallocate() }
        mask.initializeMemory(as: UInt8.self, repeating: 0)
        guard let base = mask.baseAddress else { return }
        let layer = try Canvas.over(base, CAIRO_FORMAT_A8, width, height, bytesPerRow)
        cairo_set_matrix(layer.context, &matrix)
        cairo_translate(layer.context, offset.x, offset.y)
        body(layer.context)
        try layer.check()
        BoxCascade.shadow(
            MutablePixelPlane(base: base, bytesPerRow: bytesPerRow, rows: height),
            columns: width, deviation: radius * scale / 2)
        cairo_surface_mark_dirty(layer.surface)
        cairo_save(context)
        cairo_identity_matrix(context)
        setSource(color)
        cairo_mask_surface(context, layer.surface, 0, 0)
        cairo_restore(context)
        // the mask's memory goes with this call
        try check()
    }
}
