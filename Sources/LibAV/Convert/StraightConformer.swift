package import Media

/// Brings frames of any raw format to straight (not premultiplied) colours with opacity beside them, of another
/// format and size. Thread-bound.
///
/// Where the size stays, every pixel is converted by itself, the invisible ones too. Where it changes, colours are
/// multiplied by their opacity while they are filtered and divided by it afterwards, in 16 bits, so that edges do
/// not take in what is invisible; filtering is `FrameConformer`'s. What has no opacity is opaque.
///
/// Source: libzimg; libswscale for rgb565.
// because its owner serialises its calls
package final class StraightConformer: @unchecked Sendable {
    // immutable
    package let input: VideoFormat
    package let output: VideoFormat
    private let pixels: PixelFormat
    package let region: FrameConformer.Region
    private let isScaled: Bool
    private let colors: ConformColors
    private let shape: PlanarFrame.Shape
    /// Makes rgb24 of what has no components in whole bytes.
    private let unpacker: PixelConverter?
    // owned by the calling thread
    private var opaqueGraph: ZimgGraph?
    private var transparentGraphs: (colors: ZimgGraph, alpha: ZimgGraph)?

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
        let readable: PixelFormat = source == .rgb565le ? .rgb24 : source
        var unpacked = input
        unpacked.coding = .raw(readable)
        unpacker = readable == source ? nil : try PixelConverter(from: input, to: unpacked)
        self.input = input
        self.output = output
        pixels = target
        let whole = FrameConformer.Region(
            left: 0, top: 0, width: Double(input.width), height: Double(input.height))
        self.region = region ?? whole
        isScaled =
            self.region != whole || input.width != output.width || input.height != output.height
        var colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        if target.isRGB { (colors.target.matrix, colors.target.range) = (2, .full) }
        self.colors = colors
        shape = PlanarFrame.Shape(readable, width: input.width, height: input.height)
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
            frame.format == input.pixelFormat, target.format == pixels, column >= 0, row >= 0,
            column + output.width <= target.width, row + output.height <= target.height
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform a frame of another size or format than agreed.")
        }
        let readable = try unpacker?.convert(frame) ?? frame
        let planar = PlanarFrame(
            readable, shape: shape, color: colors.source, premultiplies: isScaled)
        let isPremultiplied = isScaled && planar.alpha != nil
        let depth = isPremultiplied ? 16 : pixels.bitDepth
        var components = PixelBuffer(
            width: output.width, height: output.height, format: depth > 8 ? .yuv444p10le : .yuv444p)
        var alpha = PixelBuffer(width: output.width, height: output.height, format: .gray16le)
        if let opacity = planar.alpha {
            let graphs = try graphs(alphaDepth: planar.alphaDepth)
            try components.withMutablePlanes { planes throws(MediaError) in
                try graphs.colors.run(planar.planes, planes)
            }
            try alpha.withMutablePlanes { planes throws(MediaError) in
                try graphs.alpha.run([opacity], planes)
            }
        } else {
            let graph = try opaque()
            try components.withMutablePlanes { planes throws(MediaError) in
                try graph.run(planar.planes, planes)
            }
        }
        let joining = StraightJoining(
            format: pixels, depth: depth, isPremultiplied: isPremultiplied,
            hasAlpha: planar.alpha != nil)
        target.withMutablePlanes { planes in
            components.withPlanes { colors in
                alpha.withPlane(0) { alpha in
                    joining.join(
                        colors, alpha, columns: output.width, rows: output.height, into: planes,
                        column: column, row: row)
                }
            }
        }
        withExtendedLifetime(readable) {}
    }

    private func opaque() throws(MediaError) -> ZimgGraph {
        if let opaqueGraph { return opaqueGraph }
        let graph = try graph(from: shape.format.bitDepth, to: pixels.bitDepth)
        opaqueGraph = graph
        return graph
    }

    private func graphs(
        alphaDepth: Int
    ) throws(MediaError) -> (colors: ZimgGraph, alpha: ZimgGraph) {
        if let transparentGraphs { return transparentGraphs }
        let full = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .full)
        let colors =
            isScaled
            ? try graph(from: 16, to: 16)
            : try graph(from: shape.format.bitDepth, to: pixels.bitDepth)
        let alpha = try ZimgGraph(
            from: ZimgGraph.Side(
                width: input.width, height: input.height, depth: alphaDepth, family: .grey,
                color: full, region: part(isPadded: false)),
            to: ZimgGraph.Side(
                width: output.width, height: output.height, depth: 16, family: .grey, color: full))
        transparentGraphs = (colors, alpha)
        return (colors, alpha)
    }

    private func graph(from depth: Int, to targetDepth: Int) throws(MediaError) -> ZimgGraph {
        let isPadded = shape.paddedWidth != input.width || shape.paddedHeight != input.height
        return try ZimgGraph(
            from: ZimgGraph.Side(
                width: shape.paddedWidth, height: shape.paddedHeight, depth: depth,
                halvesColumns: shape.halvesColumns, halvesRows: shape.halvesRows,
                family: shape.family, color: colors.source,
                siting: ChromaSiting(of: input.color.filled(from: colors.source)),
                region: part(isPadded: isPadded)),
            to: ZimgGraph.Side(
                width: output.width, height: output.height, depth: targetDepth,
                family: pixels.isRGB ? .rgb : .yuv, color: colors.target))
    }

    /// What of the planes is converted; nil: all of them.
    private func part(
        isPadded: Bool
    ) -> (left: Double, top: Double, width: Double, height: Double)? {
        let isWhole =
            region.left == 0 && region.top == 0 && region.width == Double(input.width)
            && region.height == Double(input.height)
        return isWhole && !isPadded
            ? nil : (region.left, region.top, region.width, region.height)
    }
}

/// Puts planes of components and of opacity together as a format with straight opacity has them.
struct StraightJoining {
    let format: PixelFormat
    /// Bits of the components (16: premultiplied).
    let depth: Int
    let isPremultiplied: Bool
    let hasAlpha: Bool

    /// - Parameter alpha: 0…65535.
    func join(
        _ colors: [PixelPlane], _ alpha: PixelPlane, columns: Int, rows: Int,
        into planes: [MutablePixelPlane], column: Int, row: Int
    ) {
        guard let places = ComponentReading.colors(of: format),
            let place = ComponentReading.alpha(of: format)
        else { return }
        let most = 1 << format.bitDepth - 1
        let isWide = format.bitDepth > 8
        for (index, target) in (places + [place]).enumerated() {
            let isAlpha = index == places.count
            let isChroma = !format.isRGB && (index == 1 || index == 2)
            let black: Float = isChroma ? 32_768 : format.isRGB ? 0 : 4_096
            for y in 0..<rows {
                let line =
                    planes[target.plane].base
                    + (row + y) * planes[target.plane].bytesPerRow + target.offset
                    + column * target.step
                let opacity = alpha.base.advanced(by: y * alpha.bytesPerRow)
                    .assumingMemoryBound(to: UInt16.self)
                for x in 0..<columns {
                    let code: Int
                    if isAlpha {
                        code = hasAlpha ? (Int(opacity[x]) * most + 32_767) / 65_535 : most
                    } else if isPremultiplied {
                        let value = self.value(colors[index], x, y)
                        code = straight(Float(value), Float(opacity[x]), black, most)
                    } else {
                        code = value(colors[index], x, y)
                    }
                    if isWide {
                        (line + x &* target.step).storeBytes(
                            of: UInt16(truncatingIfNeeded: code), as: UInt16.self)
                    } else {
                        (line + x &* target.step).storeBytes(
                            of: UInt8(truncatingIfNeeded: code), as: UInt8.self)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func value(_ plane: PixelPlane, _ x: Int, _ y: Int) -> Int {
        let line = plane.base + y * plane.bytesPerRow
        return depth > 8
            ? Int(line.assumingMemoryBound(to: UInt16.self)[x])
            : Int(line.assumingMemoryBound(to: UInt8.self)[x])
    }

    /// The code of the format's depth that a premultiplied one of 16 bits stands for.
    @inline(__always)
    private func straight(_ value: Float, _ opacity: Float, _ black: Float, _ most: Int) -> Int {
        let wide =
            opacity > 0 ? max(0, min(65_535, black + (value - black) * 65_535 / opacity)) : black
        // full range spreads its codes evenly, limited range is shifted
        let scaled =
            format.isRGB ? wide * Float(most) / 65_535 : wide / Float(1 << (16 - format.bitDepth))
        return min(most, Int(scaled.rounded()))
    }
}
