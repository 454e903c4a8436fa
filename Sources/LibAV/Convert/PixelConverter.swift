package import Media

/// Raw frames of one format into another: size, pixel format, matrix, range, and how they lie: where the
/// orientations differ, pixels are mirrored and rotated. Thread-bound.
///
/// Colours keep their meaning: where the matrix or range differs the codes are computed anew, where a
/// side does not state it, it is taken to be like the other one (both silent: BT.601 below 720 lines, else
/// BT.709, limited range). Primaries and transfer are not converted. What only lies elsewhere is moved
/// (`PixelRearrangement`), in one pass with its rotation.
///
/// Source: libzimg; bicubic where the size changes.
package final class PixelConverter: @unchecked Sendable {  // because its owner serialises its calls
    private enum Work {
        case copy
        case move(PixelRearrangement)
        case compute(ZimgConversion)
    }

    // immutable
    package let input: VideoFormat
    /// The wanted format with its colour filled in.
    package let output: VideoFormat
    private let inputPixels: PixelFormat
    private let outputPixels: PixelFormat
    private let work: Work

    /// - Throws: `.unsupported` for formats that are not raw, and sizes of more than 16384 a side that change (65535
    ///   where they do not).
    package init(from input: VideoFormat, to output: VideoFormat) throws(MediaError) {
        guard Self.converts(input, to: output), let source = input.pixelFormat,
            let target = output.pixelFormat
        else {
            throw .refused(
                .unsupported, "the frame converter",
                "Cannot convert between these frames; give raw ones of 1…16384 pixels a side.")
        }
        let rotation = input.orientation.rotation(to: output.orientation)
        let colors = Self.resolve(input, source, output, target)
        self.input = input
        var result = output
        result.color = colors.target
        self.output = result
        inputPixels = source
        outputPixels = target
        let keepsCodes =
            Self.keepsSize(input, output)
            && colors.source.matrix.isSameMatrix(as: colors.target.matrix)
            && colors.source.range == colors.target.range
        if keepsCodes,
            let move = PixelRearrangement(from: source, to: target, orientation: rotation)
        {
            work = move.changesNothing ? .copy : .move(move)
        } else {
            work = .compute(
                try ZimgConversion(
                    from: input, source, to: result, target, colors: colors, .codes,
                    rotation: rotation))
        }
    }

    /// Whether there is a converter between raw frames of these sizes.
    package static func converts(_ input: VideoFormat, to output: VideoFormat) -> Bool {
        // larger ones are not scaled, but may be brought into another layout
        let sides = 1...(keepsSize(input, output) ? 65_535 : 16_384)
        return input.pixelFormat != nil && output.pixelFormat != nil
            && [input.width, input.height, output.width, output.height]
                .allSatisfy(sides.contains)
    }

    private static func keepsSize(_ input: VideoFormat, _ output: VideoFormat) -> Bool {
        var rotated = input
        rotated.rotate(to: output.orientation)
        return rotated.width == output.width && rotated.height == output.height
    }

    /// Whether frames are as they are to be, codes and memory.
    package var changesNothing: Bool { if case .copy = work { true } else { false } }

    /// Converts a frame into one that the caller holds alone.
    package func convert(_ frame: PixelBuffer, into target: inout PixelBuffer) throws(MediaError) {
        guard frame.width == input.width, frame.height == input.height,
            frame.format == inputPixels, target.width == output.width,
            target.height == output.height, target.format == outputPixels
        else {
            throw .refused(
                .unsupported, "the frame converter",
                "Cannot convert a frame of another size or format than agreed.")
        }
        switch work {
        case .copy: target.copyPixels(from: frame)
        case .move(let move): move.convert(frame, into: &target)
        case .compute(let conversion): try conversion.convert(frame, into: &target)
        }
    }

    /// Converts a frame into a new one.
    package func convert(_ frame: PixelBuffer) throws(MediaError) -> PixelBuffer {
        var target = PixelBuffer(
            width: output.width, height: output.height, format: outputPixels)
        try convert(frame, into: &target)
        return target
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
        let custom = ColorDescription.customary(lines: lines)
        (first, second) = (
            first.filled(from: second).filled(from: custom),
            second.filled(from: first).filled(from: custom)
        )
        if source.isRGB { first.range = .full }
        if target.isRGB { second.range = .full }
        return (first, second)
    }
}

extension ColorDescription {
    /// What codes mean that nobody described: BT.601 below 720 lines, else BT.709, of limited range.
    package static func customary(lines: Int) -> ColorDescription {
        ColorDescription(
            primaries: 2, transfer: 2, matrix: lines < 720 ? 6 : 1, range: .limited)
    }
}

extension UInt8 {
    /// Whether two numbers mean one matrix: BT.601's has two.
    fileprivate func isSameMatrix(as other: UInt8) -> Bool {
        self == other || (self == 5 || self == 6) && (other == 5 || other == 6)
    }
}
