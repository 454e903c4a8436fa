internal import Media

/// Multiplies a frame's opacity into its colours, so that filtering does not draw in what is invisible.
///
/// A code becomes `black + opacity · (code − black)`, in 16 bits; black is what no light has in the plane.
struct Premultiplication {
    let shape: PlanarFrame.Shape
    let color: ColorDescription
    let readings: [ComponentReading]
    let alpha: ComponentReading

    func apply(_ frame: PixelBuffer) -> PixelBuffer {
        let container = shape.container(depth: 16)
        var result = PixelBuffer(
            width: shape.paddedWidth, height: shape.paddedHeight, format: container)
        let layouts = container.layout.planes
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for index in 0..<3 {
                    plane(
                        sources, index, layouts[index].pixelsPerGroup, layouts[index].rowsPerRow,
                        targets[index])
                }
            }
        }
        return result
    }

    /// Divides it out again, of colours and opacity of 16 bits where they lie: they become a format's codes.
    static func undo(
        _ colors: [MutablePixelPlane], _ alpha: MutablePixelPlane, columns: Int,
        as format: PixelFormat, isFull: Bool
    ) {
        func words(_ plane: MutablePixelPlane, _ row: Int) -> UnsafeMutablePointer<UInt16> {
            (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: UInt16.self)
        }
        let most = 1 << format.bitDepth - 1
        // full range spreads its codes evenly, limited range is shifted
        let scale = isFull ? Float(most) / 65_535 : 1 / Float(1 << (16 - format.bitDepth))
        for row in 0..<alpha.rows {
            let opacity = words(alpha, row)
            for (index, plane) in colors.enumerated() {
                let line = words(plane, row)
                let black: Float = index > 0 && !format.isRGB ? 32_768 : isFull ? 0 : 4_096
                for x in 0..<columns {
                    let share = Float(opacity[x])
                    let light = share > 0 ? (Float(line[x]) - black) * 65_535 / share : 0
                    let code = max(0, min(65_535, black + light)) * scale
                    line[x] = min(UInt16(most), code.nearestCode)
                }
            }
            for x in 0..<columns {
                opacity[x] = UInt16((UInt32(opacity[x]) * UInt32(most) + 32_767) / 65_535)
            }
        }
    }

    private func plane(
        _ sources: [PixelPlane], _ index: Int, _ across: Int, _ down: Int,
        _ target: MutablePixelPlane
    ) {
        if shape.format.bitDepth > 8 {
            plane(sources, index, across, down, target, as: UInt16.self)
        } else {
            plane(sources, index, across, down, target, as: UInt8.self)
        }
    }

    private func plane<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sources: [PixelPlane], _ index: Int, _ across: Int, _ down: Int,
        _ target: MutablePixelPlane, as _: Sample.Type
    ) {
        let depth = shape.format.bitDepth
        let isFull = color.range == .full
        let scale: Float =
            isFull ? 65_535 / Float(1 << depth - 1) : Float(1 << (16 - depth))
        let isChroma = index > 0 && shape.family == .yuv
        let black = Float(isChroma ? 1 << (depth - 1) : isFull ? 0 : 16 << (depth - 8))
        let wideBlack: Float = isChroma ? 32_768 : isFull ? 0 : 4_096
        let most = Float(1 << depth - 1)
        let columns = shape.paddedWidth / across
        let count = (shape.width - 1) / across + 1
        var codes = [Sample](repeating: 0, count: columns)
        var opacities = [Sample](repeating: 0, count: shape.width)
        func row(_ reading: ComponentReading, _ y: Int) -> UnsafeRawPointer {
            UnsafeRawPointer(sources[reading.plane].row(y))
        }
        for y in 0..<target.rows {
            let own = row(readings[index], min(y, (shape.height - 1) / down))
            readings[index].copyRow(own, count, into: &codes)
            for x in count..<max(count, columns) { codes[x] = codes[count - 1] }
            alpha.copyRow(
                row(alpha, min(y * down, shape.height - 1)), shape.width, into: &opacities)
            let line = target.base.advanced(by: y * target.bytesPerRow)
                .assumingMemoryBound(to: UInt16.self)
            for x in 0..<columns {
                let opacity = Float(opacities[min(x * across, shape.width - 1)]) / most
                line[x] = (wideBlack + (Float(codes[x]) - black) * scale * opacity).nearestCode
            }
        }
    }
}

extension Float {
    /// The nearest of the codes 0…65,535.
    fileprivate var nearestCode: UInt16 {
        // in this range a Float has no fraction, and its low bits are the number: without a branch
        UInt16(truncatingIfNeeded: (max(0, min(65_535, self)) + 8_388_608).bitPattern)
    }
}
