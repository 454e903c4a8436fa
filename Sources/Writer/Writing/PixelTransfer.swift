internal import LibAV
internal import Media

/// How raw frames of one format become another's: scaled and placed by `FrameConformer`'s filters, their colours
/// converted, or only brought into another layout. Thread-bound.
struct PixelTransfer: Sendable {
    private enum Filter: Sendable {
        case planar(FrameConformer)
        case straight(StraightConformer)
    }

    private enum Work: Sendable {
        case nothing
        case layout(PixelConverter)
        /// Filtered into a canvas of a format that filters know, which then becomes the output.
        case filtered(Filter, canvas: VideoFormat, last: PixelConverter?)
    }

    let input: VideoFormat
    let output: VideoFormat
    private let placing: PicturePlacing
    private let work: Work

    init(
        from input: VideoFormat, to output: VideoFormat, mode: VideoScalingMode
    ) throws(MediaError) {
        self.input = input
        self.output = output
        placing = PicturePlacing(input, in: output, mode: mode)
        let isWhole =
            input.width == output.width && input.height == output.height
            && placing.inner.width == output.width && placing.inner.height == output.height
            && placing.region.width == Double(input.width)
            && placing.region.height == Double(input.height)
        if isWhole, !Self.changesColors(from: input.color, to: output.color) {
            let isSame =
                input.coding == output.coding
                && (input.color == output.color || output.color == .unspecified
                    || FrameConformer.changesNothing(from: input, to: output))
            work = isSame ? .nothing : .layout(try PixelConverter(from: input, to: output))
            return
        }
        var canvas = output
        canvas.coding = .raw(Self.canvas(for: output))
        let region = FrameConformer.Region(
            left: placing.region.left, top: placing.region.top, width: placing.region.width,
            height: placing.region.height)
        var inner = canvas
        (inner.width, inner.height) = (placing.inner.width, placing.inner.height)
        let filter: Filter
        if let pixels = canvas.pixelFormat, FrameConformer.targets.contains(pixels) {
            let conformer = try FrameConformer(from: input, to: inner, region: region)
            canvas.color = conformer.output.color
            filter = .planar(conformer)
        } else {
            if canvas.pixelFormat?.isRGB == false { canvas = FrameConformer.completed(canvas) }
            inner.color = canvas.color
            filter = .straight(try StraightConformer(from: input, to: inner, region: region))
        }
        let last =
            canvas.coding == output.coding ? nil : try PixelConverter(from: canvas, to: output)
        work = .filtered(filter, canvas: canvas, last: last)
    }

    /// Whether a frame is the output's already.
    var changesNothing: Bool { if case .nothing = work { true } else { false } }

    /// - Parameter target: of the output's size and format, held by the caller alone.
    func transfer(_ frame: PixelBuffer, into target: inout PixelBuffer) throws(MediaError) {
        switch work {
        case .nothing: target.copyPixels(from: frame)
        case .layout(let converter): try converter.convert(frame, into: &target)
        case .filtered(let filter, _, nil): try place(frame, filter, in: &target)
        case .filtered(let filter, let format, let last?):
            guard let pixels = format.pixelFormat else { return }
            var canvas = PixelBuffer(width: format.width, height: format.height, format: pixels)
            try place(frame, filter, in: &canvas)
            try last.convert(canvas, into: &target)
        }
    }

    private func place(
        _ frame: PixelBuffer, _ filter: Filter, in canvas: inout PixelBuffer
    ) throws(MediaError) {
        let inner = placing.inner
        let hasBars = inner.width != canvas.width || inner.height != canvas.height
        if hasBars { canvas.blacken(isFullRange: output.color.range == .full) }
        switch filter {
        case .straight(let conformer):
            try conformer.convert(frame, into: &canvas, column: inner.column, row: inner.row)
        case .planar(let conformer) where hasBars:
            canvas.put(try conformer.convert(frame).picture, column: inner.column, row: inner.row)
        case .planar(let conformer): try conformer.convert(frame, into: &canvas)
        }
    }

    /// Whether primaries or transfer are stated and different, which `PixelConverter` leaves alone.
    private static func changesColors(
        from input: ColorDescription, to output: ColorDescription
    ) -> Bool {
        func differ(_ first: UInt8, _ second: UInt8) -> Bool {
            first != second && first != 2 && second != 2
        }
        return differ(input.primaries, output.primaries) || differ(input.transfer, output.transfer)
    }

    /// The format that filters know and that loses least on its way to the output's.
    private static func canvas(for output: VideoFormat) -> PixelFormat {
        guard let wanted = output.pixelFormat else { return .yuv420p }
        let isEven = output.width.isMultiple(of: 2) && output.height.isMultiple(of: 2)
        let nearest: PixelFormat =
            switch wanted {
            case .nv12, .nv21: .yuv420p
            case .p010le: .yuv420p10le
            case .nv16, .yuyv422, .yvyu422, .uyvy422: .yuv422p
            case .yuva420p: .yuva444p10le
            case .gray: .yuv444p
            case .gray10le, .gray12le, .gray16le: .yuv444p10le
            case .rgb24, .bgr24, .rgba, .rgb565le: .bgra
            case .rgb48le: .rgba64le
            default: wanted
            }
        guard !isEven else { return nearest }
        switch nearest {
        case .yuv420p, .yuv422p: return .yuv444p
        case .yuv420p10le, .yuv422p10le: return .yuv444p10le
        default: return nearest
        }
    }
}

extension PixelBuffer {
    /// Black, opaque.
    fileprivate mutating func blacken(isFullRange: Bool) {
        let (format, layout) = (format, format.layout.planes)
        let wide = format.bitDepth > 8
        let scale = wide ? 1 << (format.bitDepth - 8) : 1
        let opaque = UInt16(clamping: (1 << format.bitDepth) - 1)
        let luma = UInt16(isFullRange ? 0 : 16 * scale)
        let width = width
        withMutablePlanes { planes in
            for (index, plane) in layout.enumerated() {
                let code: UInt16 = index == 0 ? luma : index == 3 ? opaque : UInt16(128 * scale)
                let bytes = plane.bytesPerRow(width: width)
                for row in 0..<planes[index].rows {
                    let start = planes[index].row(row)
                    if format.isRGB {
                        start.update(repeating: 0, count: bytes)
                        let component = plane.bytesPerGroup / 4
                        for pixel in stride(from: 3 * component, to: bytes, by: 4 * component) {
                            for byte in 0..<component { start[pixel + byte] = 255 }
                        }
                    } else if wide {
                        for word in stride(from: 0, to: bytes, by: 2) {
                            start[word] = UInt8(code & 255)
                            start[word + 1] = UInt8(code >> 8)
                        }
                    } else {
                        start.update(repeating: UInt8(code), count: bytes)
                    }
                }
            }
        }
    }

    /// Copies a smaller frame of the same planar format to an even place.
    fileprivate mutating func put(_ frame: PixelBuffer, column: Int, row: Int) {
        let layout = format.layout.planes
        frame.withPlanes { sources in
            withMutablePlanes { targets in
                for (index, plane) in layout.enumerated() {
                    let bytes = plane.bytesPerRow(width: frame.width)
                    let left = column / plane.pixelsPerGroup * plane.bytesPerGroup
                    let top = row / plane.rowsPerRow
                    for line in 0..<plane.rows(height: frame.height) {
                        targets[index].row(top + line).advanced(by: left)
                            .update(from: sources[index].row(line), count: bytes)
                    }
                }
            }
        }
    }
}
