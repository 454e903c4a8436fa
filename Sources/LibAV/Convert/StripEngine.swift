internal import Media

/// Makes planar YUV (or opacity) of one frame, strip by strip, different ones on different threads.
protocol StripEngine: Sendable {
    /// Makes what depends on given pixels, or more.
    /// - Parameters:
    ///   - rows: of the output, a strip of those agreed.
    ///   - changed: the pixels.
    ///   - targets: planes of the whole output.
    func make(
        _ rows: Range<Int>, of changed: RowSpans, into targets: [MutablePixelPlane]
    ) throws(MediaError)
}

/// By arithmetic of our own, where it is simple.
struct PackedRGBStrips: StripEngine {
    let frame: PixelBuffer
    let converter: PackedRGBConverter

    func make(_ rows: Range<Int>, of changed: RowSpans, into targets: [MutablePixelPlane]) {
        frame.withPlane(0) {
            converter.convert($0, rows: rows, of: changed, width: frame.width, into: targets)
        }
    }
}

/// By zimg.
struct PlanarStrips: StripEngine {
    /// Keeps the planes alive.
    let holder: any Sendable
    let planes: [PixelPlane]
    let converter: PartConverter
    /// Rows of the tallest strip.
    let tallest: Int

    func make(
        _ rows: Range<Int>, of _: RowSpans, into targets: [MutablePixelPlane]
    ) throws(MediaError) {
        try converter.convert(planes, rows, tallest: tallest, into: targets)
    }
}
