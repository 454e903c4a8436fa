internal import Media

/// Parts premultiplied colours into plain ones and weights, the form in which layers are mixed.
struct Transparency {
    private let grid: FrameGrid

    init(_ grid: FrameGrid) { self.grid = grid }

    /// - Parameters:
    ///   - picture: of the target's format, colours `black + opacity · (code − black)`.
    ///   - opacity: 0…65,535 for each pixel.
    func separate(_ frame: PixelBuffer, opacity: PixelBuffer) -> PlacedImage {
        let luma = weights(opacity, grid.planes[0])
        let chroma = grid.stepX == 1 ? luma : weights(opacity, grid.planes[1])
        var result = PixelBuffer(
            width: frame.width, height: frame.height, format: frame.format)
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for (index, plane) in grid.planes.enumerated() {
                    let columns = (frame.width + plane.across - 1) / plane.across
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
        return PlacedImage(result, alpha: [luma, chroma])
    }

    private func divide<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: PixelPlane, _ weights: PixelPlane, _ target: MutablePixelPlane, _ columns: Int,
        _ black: Int, _: Sample.Type
    ) {
        let most = Float(1 << grid.pixels.bitDepth - 1)
        for y in 0..<target.rows {
            let from = source.base.advanced(by: y * source.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            let weight = weights.base.advanced(by: y * weights.bytesPerRow)
                .assumingMemoryBound(to: UInt16.self)
            let line = target.base.advanced(by: y * target.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            for x in 0..<columns {
                guard weight[x] != BlendKernels.one else {
                    line[x] = from[x]
                    continue
                }
                let light = Float(Int(truncatingIfNeeded: from[x]) - black)
                let code = weight[x] == 0 ? 0 : light * 32_768 / Float(weight[x])
                let clamped = max(0, min(most, Float(black) + code))
                line[x] = Sample(truncatingIfNeeded: Int(clamped + 0.5))
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
        let whole = Int32(across.sum * down.sum * 65_535)
        var filtered = [Int32](repeating: 0, count: columns * plane.across + 3)
        result.withMutablePlanes { targets in
            opacity.withPlane(0) { source in
                filtered.withUnsafeMutableBufferPointer { row in
                    for y in 0..<targets[0].rows {
                        down.filter(source, opacity, around: y * plane.down, into: row)
                        let line = targets[0].base.advanced(by: y * targets[0].bytesPerRow)
                            .assumingMemoryBound(to: UInt16.self)
                        for x in 0..<columns {
                            let sum = across.sum(row, x * plane.across)
                            line[x] = sum == whole ? BlendKernels.one : Self.weight(sum, of: whole)
                        }
                    }
                }
            }
        }
        return result
    }

    @inline(__always)
    private static func weight(_ sum: Int32, of whole: Int32) -> UInt16 {
        guard sum > 0 else { return 0 }
        let (sum, whole) = (Int(sum), Int(whole))
        return UInt16(truncatingIfNeeded: (sum * Int(BlendKernels.one) + whole / 2) / whole)
    }
}

/// The linear filter that makes a chroma sample of pixels, in one direction.
struct ChromaTaps {
    /// Pixels from the first one the sample covers, and their weights.
    let taps: [(offset: Int, weight: Int)]
    let sum: Int
    /// The same from one pixel before on.
    private let weights: SIMD4<Int32>

    init(covers: Int, origin: Double) {
        if covers == 1 {
            taps = [(0, 1)]
        } else if origin == 1 {
            taps = [(-1, 1), (0, 3), (1, 3), (2, 1)]
        } else {
            taps = [(-1, 1), (0, 2), (1, 1)]
        }
        sum = taps.reduce(0) { $0 + $1.weight }
        weights = taps.reduce(into: .zero) { $0[$1.offset + 1] = Int32($1.weight) }
    }

    /// Filters pixels of 16 bits from above and below.
    /// - Parameter row: one pixel left of the frame, then its width, then the last pixel again to the end.
    fileprivate func filter(
        _ source: PixelPlane, _ frame: PixelBuffer, around y: Int,
        into row: UnsafeMutableBufferPointer<Int32>
    ) {
        let pixels = UnsafeMutableBufferPointer(rebasing: row.dropFirst().prefix(frame.width))
        pixels.update(repeating: 0)
        for (offset, weight) in taps {
            let line = max(0, min(frame.height - 1, y + offset))
            let values = source.base.advanced(by: line * source.bytesPerRow)
                .assumingMemoryBound(to: UInt16.self)
            let weight = Int32(weight)
            for x in 0..<pixels.count { pixels[x] &+= Int32(values[x]) &* weight }
        }
        row[0] = row[1]
        for x in (frame.width + 1)..<row.count { row[x] = row[frame.width] }
    }

    /// - Parameter x: of the first pixel that the sample covers.
    @inline(__always)
    fileprivate func sum(_ row: UnsafeMutableBufferPointer<Int32>, _ x: Int) -> Int32 {
        (SIMD4(row[x], row[x + 1], row[x + 2], row[x + 3]) &* weights).wrappedSum()
    }
}
