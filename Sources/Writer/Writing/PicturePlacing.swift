internal import Media

/// Where a frame goes in one of another size, and what of it. Sides are even, so that chroma of any grid follows.
struct PicturePlacing: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var column: Int
        var row: Int
        var width: Int
        var height: Int
    }

    /// Of the source (pixels, not necessarily whole).
    struct Region: Sendable, Hashable {
        var left: Double
        var top: Double
        var width: Double
        var height: Double
    }

    /// Where the frame is in the output (pixels).
    let inner: Part
    /// What of the source is shown there.
    let region: Region

    init(_ source: VideoFormat, in output: VideoFormat, mode: VideoScalingMode) {
        let (width, height) = (Double(source.width), Double(source.height))
        let whole = Part(column: 0, row: 0, width: output.width, height: output.height)
        let all = Region(left: 0, top: 0, width: width, height: height)
        // a pixel of the source in pixels of the output, by its shape
        let wide = source.pixelAspect.ratio / output.pixelAspect.ratio
        let scales = (Double(output.width) / (width * wide), Double(output.height) / height)
        switch mode {
        case .resize:
            (inner, region) = (whole, all)
        case .fit, .resizeAspect:
            let scale = min(scales.0, scales.1)
            let columns = Self.even(width * wide * scale, most: output.width)
            let rows = Self.even(height * scale, most: output.height)
            inner = Part(
                column: (output.width - columns) / 4 * 2, row: (output.height - rows) / 4 * 2,
                width: columns, height: rows)
            region = all
        case .resizeAspectFill:
            let scale = max(scales.0, scales.1)
            let shown = (
                min(width, Double(output.width) / (wide * scale)),
                min(height, Double(output.height) / scale)
            )
            inner = whole
            region = Region(
                left: (width - shown.0) / 2, top: (height - shown.1) / 2, width: shown.0,
                height: shown.1)
        }
    }

    private static func even(_ length: Double, most: Int) -> Int {
        let whole = most - Int(length.rounded())
        // a bar of less than two pixels is none
        return whole < 2 ? most : max(2, Int((length / 2).rounded()) * 2)
    }
}

extension PixelAspect {
    fileprivate var ratio: Double { Double(horizontal) / Double(vertical) }
}
