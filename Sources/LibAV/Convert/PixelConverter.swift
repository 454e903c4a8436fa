internal import CFFmpeg
package import Media

/// The format libswscale sees: nv16 goes through yuv422p.
private func scaled(_ format: PixelFormat) -> PixelFormat { format == .nv16 ? .yuv422p : format }

/// Raw pictures of one format into another: size, pixel format, matrix and range. Thread-bound.
///
/// Colours keep their meaning: where the matrix or range differs the codes are computed anew, where a
/// side does not state it, it is taken to be like the other one (both silent: BT.601 below 720 lines, else
/// BT.709, limited range). Primaries and transfer are not converted.
///
/// Source: libswscale; bicubic where the size changes.
package final class PixelConverter: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    package let input: VideoFormat
    /// The wanted format with its colour filled in.
    package let output: VideoFormat
    private let inputPixels: PixelFormat
    private let outputPixels: PixelFormat
    /// `nil` where pictures are only copied.
    private let box: SwsBox?

    package init(from input: VideoFormat, to output: VideoFormat) throws(MediaError) {
        // larger ones are not scaled, but may be brought into another layout
        let isOneSize = input.width == output.width && input.height == output.height
        let sides = 1...(isOneSize ? 65_535 : 16_384)
        guard let source = input.pixelFormat, let target = output.pixelFormat,
            sides.contains(input.width), sides.contains(input.height),
            sides.contains(output.width), sides.contains(output.height)
        else {
            throw .refused(
                .unsupported, "the picture converter",
                "Cannot convert between these pictures; give raw ones of 1…16384 pixels a side.")
        }
        let colors = Self.resolve(input, source, output, target)
        self.input = input
        var result = output
        result.color = colors.target
        self.output = result
        inputPixels = source
        outputPixels = target
        let isSame =
            source == target && input.width == output.width && input.height == output.height
            && colors.source.matrix == colors.target.matrix
            && colors.source.range == colors.target.range
        box =
            isSame
            ? nil
            : try SwsBox(
                from: SwsBox.Side(
                    format: scaled(source).libav, width: input.width, height: input.height,
                    matrix: colors.source.matrix, isFullRange: colors.source.range == .full),
                to: SwsBox.Side(
                    format: scaled(target).libav, width: output.width, height: output.height,
                    matrix: colors.target.matrix, isFullRange: colors.target.range == .full))
    }

    /// Converts a picture into one that the caller holds alone.
    package func convert(_ frame: PixelBuffer, into target: inout PixelBuffer) throws(MediaError) {
        guard frame.width == input.width, frame.height == input.height,
            frame.format == inputPixels, target.width == output.width,
            target.height == output.height, target.format == outputPixels
        else {
            throw .refused(
                .unsupported, "the picture converter",
                "Cannot convert a picture of another size or format than agreed.")
        }
        guard let box else {
            return target.copyPixels(from: frame)
        }
        let readable = inputPixels == .nv16 ? SemiPlanar422.split(frame) : frame
        guard outputPixels == .nv16 else { return try scale(box, readable, &target) }
        var planar = PixelBuffer(width: output.width, height: output.height, format: .yuv422p)
        try scale(box, readable, &planar)
        target.withMutablePlanes { SemiPlanar422.join(planar, into: $0) }
    }

    private func scale(
        _ box: SwsBox, _ frame: PixelBuffer, _ target: inout PixelBuffer
    ) throws(MediaError) {
        let source = frame.withPlanes { $0 }
        try target.withMutablePlanes { planes throws(MediaError) in
            try box.run(
                padded(source.map { $0.row(0) }), padded(source.map { Int32($0.bytesPerRow) }, 0),
                padded(planes.map { $0.row(0) }), padded(planes.map { Int32($0.bytesPerRow) }, 0))
        }
        withExtendedLifetime(frame) {}
    }

    /// Converts a picture into a new one.
    package func convert(_ frame: PixelBuffer) throws(MediaError) -> PixelBuffer {
        var target = PixelBuffer(
            width: output.width, height: output.height, format: outputPixels)
        try convert(frame, into: &target)
        return target
    }

    private func padded<Element>(_ list: [Element]) -> [Element?] {
        list.map(Optional.some) + Array(repeating: nil, count: 4 - list.count)
    }

    private func padded(_ list: [Int32], _ filler: Int32) -> [Int32] {
        list + Array(repeating: filler, count: 4 - list.count)
    }

    /// What the codes of both sides mean; RGB is full range and has no matrix of its own.
    private static func resolve(
        _ input: VideoFormat, _ source: PixelFormat, _ output: VideoFormat, _ target: PixelFormat
    ) -> (source: ColorDescription, target: ColorDescription) {
        var first = input.color
        var second = output.color
        if source.isRGB { (first.matrix, first.range) = (2, .unspecified) }
        if target.isRGB { (second.matrix, second.range) = (2, .unspecified) }
        let lines = max(input.height, output.height)
        let custom = ColorDescription(
            primaries: 2, transfer: 2, matrix: lines < 720 ? 6 : 1, range: .limited)
        (first, second) = (
            first.filled(from: second).filled(from: custom),
            second.filled(from: first).filled(from: custom)
        )
        if source.isRGB { first.range = .full }
        if target.isRGB { second.range = .full }
        return (first, second)
    }
}
