package import Media

/// Brings frames of any raw format to straight (not premultiplied) colours with opacity beside them, of another
/// format and size. Thread-bound.
///
/// Where the size stays, every pixel is converted by itself, the invisible ones too. Where it changes, colours are
/// multiplied by their opacity while they are filtered and divided by it afterwards, in 16 bits, so that edges do
/// not take in what is invisible; filtering is `FrameConformer`'s. What has no opacity is opaque.
///
/// Source: libzimg.
// because its owner serialises its calls
package final class StraightConformer: @unchecked Sendable {
    // immutable
    package let input: VideoFormat
    package let output: VideoFormat
    package let region: FrameConformer.Region
    private let conversion: ZimgConversion

    /// Formats frames can be brought to.
    package static let targets: Set<PixelFormat> = [.bgra, .rgba64le, .yuva444p10le]

    /// - Parameters:
    ///   - output: one of `targets`, with its colours stated where it is YUV.
    ///   - region: what of the input fills the output; nil: all.
    package init(
        from input: VideoFormat, to output: VideoFormat, region: FrameConformer.Region? = nil
    ) throws(MediaError) {
        let sides = [input.width, input.height, output.width, output.height]
        guard let source = input.pixelFormat, let target = output.pixelFormat,
            Self.targets.contains(target), sides.allSatisfy({ (1...16_384).contains($0) })
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot keep the opacity of these frames; give raw ones of 1…16384 pixels a side "
                    + "and ask for bgra, rgba64le or yuva444p10le.")
        }
        self.input = input
        self.output = output
        self.region = region ?? FrameConformer.Region(width: input.width, height: input.height)
        var colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        if target.isRGB { (colors.target.matrix, colors.target.range) = (2, .full) }
        conversion = try ZimgConversion(
            from: input, source, to: output, target, colors: (colors.source, colors.target),
            .light, region: self.region)
    }

    /// Converts a frame into a part of another one.
    /// - Parameters:
    ///   - target: of the output's format, and at least of its size.
    ///   - column: where the part begins (pixels).
    ///   - row: where the part begins (pixels).
    package func convert(
        _ frame: PixelBuffer, into target: inout PixelBuffer, column: Int = 0, row: Int = 0
    ) throws(MediaError) {
        guard frame.width == input.width, frame.height == input.height,
            frame.format == input.pixelFormat, target.format == output.pixelFormat, column >= 0,
            row >= 0,
            column + output.width <= target.width, row + output.height <= target.height
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform a frame of another size or format than agreed.")
        }
        try conversion.convert(frame, into: &target, column: column, row: row)
    }
}
