internal import Media

/// Multiplies a picture's opacity into its colours, so that filtering does not draw in what is invisible.
///
/// A code becomes `black + opacity · (code − black)`, in 16 bits; black is what no light has in the plane.
struct Premultiplication {
    let shape: PlanarPicture.Shape
    let color: ColorDescription
    let readings: [ComponentReading]
    let alpha: ComponentReading

    func apply(_ picture: PixelBuffer) -> PixelBuffer {
        let container = shape.container(isWide: true)
        var result = PixelBuffer(
            width: shape.paddedWidth, height: shape.paddedHeight, format: container)
        let layouts = container.layout.planes
        result.withMutablePlanes { targets in
            picture.withPlanes { sources in
                for index in 0..<3 {
                    plane(
                        sources, index, layouts[index].pixelsPerGroup, layouts[index].rowsPerRow,
                        targets[index])
                }
            }
        }
        return result
    }

    private func plane(
        _ sources: [PixelPlane], _ index: Int, _ across: Int, _ down: Int,
        _ target: MutablePixelPlane
    ) {
        let depth = shape.format.bitDepth
        let isFull = color.range == .full
        let scale: Float =
            isFull ? 65_535 / Float(1 << depth - 1) : Float(1 << (16 - depth))
        let isChroma = index > 0 && shape.family == .yuv
        let black = isChroma ? 1 << (depth - 1) : isFull ? 0 : 16 << (depth - 8)
        let wideBlack: Float = isChroma ? 32_768 : isFull ? 0 : 4_096
        let most = Float(1 << depth - 1)
        let columns = shape.paddedWidth / across
        for y in 0..<target.rows {
            let line = target.base.advanced(by: y * target.bytesPerRow)
                .assumingMemoryBound(to: UInt16.self)
            for x in 0..<columns {
                let (pixelX, pixelY) = (
                    min(x * across, shape.width - 1), min(y * down, shape.height - 1)
                )
                let code = readings[index].value(
                    sources, min(x, (shape.width - 1) / across),
                    min(y, (shape.height - 1) / down), isWide: depth > 8)
                let opacity = alpha.value(sources, pixelX, pixelY, isWide: depth > 8)
                let value = wideBlack + Float(code - black) * scale * Float(opacity) / most
                line[x] = UInt16(max(0, min(65_535, value.rounded())))
            }
        }
    }
}
