internal import Media

/// Parts premultiplied colours into plain ones and weights, the form in which layers are mixed.
struct Transparency {
    private let grid: FrameGrid

    init(_ grid: FrameGrid) { self.grid = grid }

    /// - Parameters:
    ///   - picture: of the target's format, colours `black + opacity · (code − black)`.
    ///   - opacity: 0…65,535 for each pixel.
    func separate(_ picture: PixelBuffer, opacity: PixelBuffer) -> PlacedPicture {
        let luma = weights(opacity, grid.planes[0])
        let chroma = grid.stepX == 1 ? luma : weights(opacity, grid.planes[1])
        var result = PixelBuffer(
            width: picture.width, height: picture.height, format: picture.format)
        result.withMutablePlanes { targets in
            picture.withPlanes { sources in
                for (index, plane) in grid.planes.enumerated() {
                    let columns = (picture.width + plane.across - 1) / plane.across
                    (index == 0 ? luma : chroma).withPlane(0) { weights in
                        if grid.bytes == 1 {
                            divide(
                                sources[index], weights, targets[index], columns, plane.black,
                                UInt8.self)
                        } else {
                            divide(
                                sources[index], weights, targets[index], columns, plane.black,
                                UInt16.self)
                        }
                    }
                }
            }
        }
        return PlacedPicture(result, alpha: [luma, chroma])
    }

    private func divide<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: PixelPlane, _ weights: PixelPlane, _ target: MutablePixelPlane, _ columns: Int,
        _ black: Int, _: Sample.Type
    ) {
        let most = 1 << grid.pixels.bitDepth - 1
        for y in 0..<target.rows {
            let from = source.base.advanced(by: y * source.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            let weight = weights.base.advanced(by: y * weights.bytesPerRow)
                .assumingMemoryBound(to: UInt16.self)
            let line = target.base.advanced(by: y * target.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            for x in 0..<columns {
                let share = Float(weight[x])
                let light = Float(Int(from[x]) - black)
                let code = share == 0 ? 0 : light * 32_768 / share
                line[x] = Sample(max(0, min(Float(most), (Float(black) + code).rounded())))
            }
        }
    }

    /// Opacity as weights on a plane's grid, filtered as zimg filters chroma.
    private func weights(_ opacity: PixelBuffer, _ plane: FrameGrid.Plane) -> PixelBuffer {
        let across = ChromaTaps(covers: plane.across, origin: plane.originX)
        let down = ChromaTaps(covers: plane.down, origin: plane.originY)
        var result = PixelBuffer(
            width: (opacity.width + plane.across - 1) / plane.across,
            height: (opacity.height + plane.down - 1) / plane.down, format: .gray16le)
        let columns = result.width
        let unit = across.sum * down.sum * 65_535
        result.withMutablePlanes { targets in
            opacity.withPlane(0) { source in
                for y in 0..<targets[0].rows {
                    let line = targets[0].base.advanced(by: y * targets[0].bytesPerRow)
                        .assumingMemoryBound(to: UInt16.self)
                    for x in 0..<columns {
                        var sum = 0
                        for (dy, rowWeight) in down.taps {
                            let row = max(0, min(opacity.height - 1, y * plane.down + dy))
                            let values = source.base.advanced(by: row * source.bytesPerRow)
                                .assumingMemoryBound(to: UInt16.self)
                            for (dx, weight) in across.taps {
                                let column = max(0, min(opacity.width - 1, x * plane.across + dx))
                                sum += Int(values[column]) * weight * rowWeight
                            }
                        }
                        line[x] = UInt16((sum * 32_768 + unit / 2) / unit)
                    }
                }
            }
        }
        return result
    }
}

/// The linear filter that makes a chroma sample of pixels, in one direction.
struct ChromaTaps {
    /// Pixels from the first one the sample covers, and their weights.
    let taps: [(offset: Int, weight: Int)]
    let sum: Int

    init(covers: Int, origin: Double) {
        if covers == 1 {
            taps = [(0, 1)]
        } else if origin == 1 {
            taps = [(-1, 1), (0, 3), (1, 3), (2, 1)]
        } else {
            taps = [(-1, 1), (0, 2), (1, 1)]
        }
        sum = taps.reduce(0) { $0 + $1.weight }
    }
}
