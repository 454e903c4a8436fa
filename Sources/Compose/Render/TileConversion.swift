internal import Media

/// Brings premultiplied BGRA to the target's planar YUV with weights.
struct TileConversion {
    let grid: FrameGrid
    let slices: SlicePool
    /// Pixels from the result's corner to the tile's own.
    let phaseX: Int
    let phaseY: Int

    func convert(_ image: PixelBuffer) -> TileStore.Converted {
        let width = roomy(image.width + phaseX, grid.stepX)
        let height = roomy(image.height + phaseY, grid.stepY)
        var frame = PixelBuffer(width: width, height: height, format: grid.pixels)
        var luma = PixelBuffer(width: width, height: height, format: .gray16le)
        var chroma = PixelBuffer(
            width: width / grid.stepX, height: height / grid.stepY, format: .gray16le)
        let codes = ColorCodes(grid.format.color, depth: grid.pixels.bitDepth)
        let chromaRows = height / grid.stepY
        var extents = grid.planes.map { plane in
            [Range<Int>](repeating: 0..<0, count: height / plane.down)
        }
        frame.withMutablePlanes { planes in
            luma.withMutablePlanes { luma in
                chroma.withMutablePlanes { chroma in
                    image.withPlane(0) { source in
                        let reader = TileReader(
                            plane: source, width: image.width, height: image.height)
                        slices.run((chromaRows + 15) / 16) { band, _ in
                            let rows = band * 16..<min(band * 16 + 16, chromaRows)
                            if grid.bytes == 1 {
                                fill(reader, rows, width, codes, planes, luma, chroma, UInt8.self)
                            } else {
                                fill(reader, rows, width, codes, planes, luma, chroma, UInt16.self)
                            }
                        }
                    }
                    for index in grid.planes.indices {
                        let weights = index == 0 ? luma[0] : chroma[0]
                        extents[index] = (0..<weights.rows).map {
                            shown(weights, $0, index == 0 ? width : width / grid.stepX)
                        }
                    }
                }
            }
        }
        return TileStore.Converted(
            PlacedImage(frame, alpha: [luma, chroma]), extents: extents,
            bytes: width * height * (2 * grid.bytes + 3))
    }

    /// Whole chroma samples, and one more beside the tile where chroma is halved.
    private func roomy(_ size: Int, _ step: Int) -> Int {
        step == 1 ? size : (size + step - 1) / step * step + step
    }

    /// The columns from the first to the last that are not transparent.
    private func shown(_ weights: MutablePixelPlane, _ row: Int, _ columns: Int) -> Range<Int> {
        let line = weights.base.advanced(by: row * weights.bytesPerRow)
            .assumingMemoryBound(to: UInt16.self)
        guard let first = (0..<columns).first(where: { line[$0] > 0 }),
            let last = (0..<columns).last(where: { line[$0] > 0 })
        else { return 0..<0 }
        return first..<last + 1
    }

    private func fill<Sample: FixedWidthInteger & UnsignedInteger>(
        _ reader: TileReader, _ rows: Range<Int>, _ width: Int, _ codes: ColorCodes,
        _ planes: [MutablePixelPlane], _ luma: [MutablePixelPlane], _ chroma: [MutablePixelPlane],
        _: Sample.Type
    ) {
        let across = ChromaTaps(covers: grid.planes[1].across, origin: grid.planes[1].originX)
        let down = ChromaTaps(covers: grid.planes[1].down, origin: grid.planes[1].originY)
        let one = ChromaTaps(covers: 1, origin: 0.5)
        func line<Element>(_ plane: MutablePixelPlane, _ row: Int) -> UnsafeMutablePointer<Element>
        {
            plane.base.advanced(by: row * plane.bytesPerRow).assumingMemoryBound(to: Element.self)
        }
        for row in rows {
            for y in row * grid.stepY..<(row + 1) * grid.stepY {
                let target: UnsafeMutablePointer<Sample> = line(planes[0], y)
                let weights: UnsafeMutablePointer<UInt16> = line(luma[0], y)
                for x in 0..<width {
                    let color = reader.color(x - phaseX, y - phaseY, one, one)
                    weights[x] = color.weight
                    target[x] = Sample(codes.luma(color.red, color.green, color.blue).rounded())
                }
            }
            let blue: UnsafeMutablePointer<Sample> = line(planes[1], row)
            let red: UnsafeMutablePointer<Sample> = line(planes[2], row)
            let weights: UnsafeMutablePointer<UInt16> = line(chroma[0], row)
            for x in 0..<width / grid.stepX {
                let color = reader.color(
                    x * grid.stepX - phaseX, row * grid.stepY - phaseY, across, down)
                weights[x] = color.weight
                let pair = codes.chroma(color.red, color.green, color.blue)
                blue[x] = Sample(pair.blue.rounded())
                red[x] = Sample(pair.red.rounded())
            }
        }
    }
}

/// Reads filtered colours from premultiplied BGRA; beyond the edges all is transparent.
private struct TileReader {
    let plane: PixelPlane
    let width: Int
    let height: Int

    @inline(__always)
    func color(
        _ x: Int, _ y: Int, _ across: ChromaTaps, _ down: ChromaTaps
    ) -> (red: Float, green: Float, blue: Float, weight: UInt16) {
        var (blue, green, red, alpha) = (0, 0, 0, 0)
        for (dy, rowWeight) in down.taps where y + dy >= 0 && y + dy < height {
            let line = plane.row(y + dy)
            for (dx, columnWeight) in across.taps where x + dx >= 0 && x + dx < width {
                let pixel = line + 4 * (x + dx)
                let weight = rowWeight * columnWeight
                blue += Int(pixel[0]) * weight
                green += Int(pixel[1]) * weight
                red += Int(pixel[2]) * weight
                alpha += Int(pixel[3]) * weight
            }
        }
        guard alpha > 0 else { return (0, 0, 0, 0) }
        let full = across.sum * down.sum * 255
        let share = 1 / Float(alpha)
        return (
            Float(red) * share, Float(green) * share, Float(blue) * share,
            UInt16((alpha * 32_768 + full / 2) / full)
        )
    }
}
