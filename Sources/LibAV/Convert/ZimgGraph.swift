internal import CZimg
internal import Media

/// Owns one zimg filter graph. Its strips of an output are made on any thread, one call at a time.
// because the graph is only read, and `scratch` is its one caller's
final class ZimgGraph: @unchecked Sendable {
    /// One side of a conversion as zimg wants it described.
    struct Side: Sendable {
        enum Family: Sendable { case grey, rgb, yuv }

        var width: Int
        var height: Int
        /// Significant bits; more than 8 lie in 16-bit words.
        var depth: Int
        /// Whether chroma has half the columns, half the rows.
        var halvesColumns = false
        var halvesRows = false
        var family: Family
        var color: ColorDescription
        var siting = ChromaSiting.left
        /// The part that is converted (pixels, not necessarily whole, may pass the edges).
        var region: (left: Double, top: Double, width: Double, height: Double)?
    }

    /// What is drawn between samples; stretched where they become fewer.
    enum Kernel {
        /// As wide as a sample.
        case triangle
        /// (0, 0.6): keeps edges.
        case bicubic
    }

    private let pointer: OpaquePointer
    private let scratch: UnsafeMutableRawPointer
    /// Rows of the output that are in the works at once: a power of two.
    let ringRows: Int

    /// What zimg wants of addresses and strides on any processor (bytes).
    static let alignment = 64

    static func isAligned(_ base: UnsafeRawPointer, _ bytesPerRow: Int) -> Bool {
        (Int(bitPattern: base) | bytesPerRow) & (alignment - 1) == 0
    }

    private static let version =
        UInt32(ZIMG_API_VERSION_MAJOR) << 8 | UInt32(ZIMG_API_VERSION_MINOR)

    init(
        from source: Side, to target: Side, kernel: Kernel = .triangle
    ) throws(MediaError) {
        var first = Self.describe(source)
        var second = Self.describe(target)
        var parameters = zimg_graph_builder_params()
        zimg_graph_builder_params_default(&parameters, Self.version)
        let filter = kernel == .triangle ? ZIMG_RESIZE_BILINEAR : ZIMG_RESIZE_BICUBIC
        (parameters.resample_filter, parameters.resample_filter_uv) = (filter, filter)
        (parameters.filter_param_a, parameters.filter_param_a_uv) = (0, 0)
        (parameters.filter_param_b, parameters.filter_param_b_uv) = (0.6, 0.6)
        parameters.dither_type = ZIMG_DITHER_NONE
        if (source.color.rangeName == nil) != (target.color.rangeName == nil) {
            parameters.nominal_peak_luminance = LightCurve.diffuseWhite
        }
        guard let graph = zimg_filter_graph_build(&first, &second, &parameters) else {
            throw Self.failure("zimg_filter_graph_build", source, target)
        }
        var size = 0
        guard zimg_filter_graph_get_tmp_size(graph, &size) == ZIMG_ERROR_SUCCESS else {
            zimg_filter_graph_free(graph)
            throw Self.failure("zimg_filter_graph_get_tmp_size", source, target)
        }
        var rows: UInt32 = 0
        guard zimg_filter_graph_get_output_buffering(graph, &rows) == ZIMG_ERROR_SUCCESS else {
            zimg_filter_graph_free(graph)
            throw Self.failure("zimg_filter_graph_get_output_buffering", source, target)
        }
        // where zimg wants all of them at once, all
        ringRows = Int(zimg_select_buffer_mask(min(rows, UInt32(target.height)))) + 1
        pointer = graph
        scratch = .allocate(byteCount: max(size, 64), alignment: Self.alignment)
    }

    deinit {
        zimg_filter_graph_free(pointer)
        scratch.deallocate()
    }

    /// Makes the whole output. Addresses and strides are multiples of `alignment`.
    func run(_ sources: [PixelPlane], _ targets: [MutablePixelPlane]) throws(MediaError) {
        try run(sources, targets, mask: .max)
    }

    /// Is lent a part of a row of the output, maybe more than once.
    typealias RowTaker = (_ row: Int, _ columns: Range<Int>) -> Void

    /// Makes the whole output, row by row in the same few rows of memory, so that they stay in a processor's cache.
    /// - Parameters:
    ///   - ring: as many rows as `ringRows`: row `y` of the output is `y & (ringRows - 1)` of them.
    ///   - taker: is called on this thread when a part of a row has been made.
    func run(
        _ sources: [PixelPlane], through ring: [MutablePixelPlane], _ taker: RowTaker
    ) throws(MediaError) {
        precondition(ring.allSatisfy { $0.rows >= ringRows }, "planes of a ring have its rows")
        let result = withoutActuallyEscaping(taker) { taker in
            withUnsafePointer(to: taker) { taker -> Result<Void, MediaError> in
                do throws(MediaError) {
                    try run(
                        sources, ring, mask: UInt32(ringRows - 1),
                        lend: { context, row, left, right in
                            let taker = context?.assumingMemoryBound(to: RowTaker.self)
                            taker?.pointee(Int(row), Int(left)..<Int(right))
                            return 0
                        }, UnsafeMutableRawPointer(mutating: taker))
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        }
        try result.get()
    }

    private func run(
        _ sources: [PixelPlane], _ targets: [MutablePixelPlane], mask: UInt32,
        lend: zimg_filter_graph_callback? = nil, _ context: UnsafeMutableRawPointer? = nil
    ) throws(MediaError) {
        var input = zimg_image_buffer_const()
        var output = zimg_image_buffer()
        input.version = Self.version
        output.version = Self.version
        for (index, plane) in sources.enumerated() {
            vcap_zimg_set_source(&input, Int32(index), plane.base, plane.bytesPerRow)
        }
        for (index, plane) in targets.enumerated() {
            vcap_zimg_set_target(&output, Int32(index), plane.base, plane.bytesPerRow, mask)
        }
        let result = zimg_filter_graph_process(
            pointer, &input, &output, scratch, nil, nil, lend, context)
        guard result == ZIMG_ERROR_SUCCESS else {
            throw MediaError(
                code: .conversionFailed, function: "zimg_filter_graph_process",
                subject: "a frame",
                message: "Cannot convert a frame: zimg says \"\(Self.lastError())\".")
        }
    }

    private static func describe(_ side: Side) -> zimg_image_format {
        var format = zimg_image_format()
        zimg_image_format_default(&format, version)
        format.width = UInt32(side.width)
        format.height = UInt32(side.height)
        format.pixel_type = side.depth > 8 ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE
        format.depth = UInt32(side.depth)
        format.subsample_w = side.halvesColumns ? 1 : 0
        format.subsample_h = side.halvesRows ? 1 : 0
        format.pixel_range = side.color.range == .full ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
        switch side.family {
        case .grey:
            format.color_family = ZIMG_COLOR_GREY
        case .rgb, .yuv:
            let isRGB = side.family == .rgb
            format.color_family = isRGB ? ZIMG_COLOR_RGB : ZIMG_COLOR_YUV
            format.matrix_coefficients = zimg_matrix_coefficients_e(
                isRGB ? 0 : Int32(side.color.matrix))
            format.transfer_characteristics = zimg_transfer_characteristics_e(
                Int32(side.color.transfer))
            format.color_primaries = zimg_color_primaries_e(Int32(side.color.primaries))
            format.chroma_location = zimg_chroma_location_e(Int32(side.siting.rawValue))
        }
        if let region = side.region {
            format.active_region.left = region.left
            format.active_region.top = region.top
            format.active_region.width = region.width
            format.active_region.height = region.height
        }
        return format
    }

    private static func lastError() -> String {
        var text = [CChar](repeating: 0, count: 256)
        zimg_get_last_error(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func failure(_ function: String, _ source: Side, _ target: Side) -> MediaError {
        func words(_ side: Side) -> String {
            let color = side.color
            return "\(side.width)x\(side.height) of colours "
                + "\(color.primaries)/\(color.transfer)/\(color.matrix)"
        }
        return MediaError(
            code: .unsupported, function: function, subject: "the frame conformer",
            message: "Cannot convert frames \(words(source)) to \(words(target)): "
                + "zimg says \"\(lastError())\"; convert the source to BT.709 first.")
    }
}
