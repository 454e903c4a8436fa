internal import Media

/// How much of each sample of a conformed picture lies in an area (0…32,768).
struct AreaWeights {
    /// Where it may be more than nothing, in whole steps of the chroma grid (pixels of the picture).
    let columns: Range<Int>
    let rows: Range<Int>
    /// Of the picture's pixels there, row by row.
    let luma: [UInt16]
    /// Of its chroma samples there.
    let chroma: [UInt16]
}

/// Finds out how much of a conformed picture's samples lies in an area. Thread-bound.
struct AreaWeigher {
    let grid: FrameGrid
    let slices: SlicePool
    let picture: PixelBuffer
    /// From the picture to the layer's upright frame (pixels of both).
    let toUpright: Transform2D
    /// Of the upright frame (pixels).
    let upright: Size

    /// Rows of a part of the work.
    private static let bandRows = 32

    /// - Parameter still: the luma of a picture file, of about so many pixels.
    /// - Returns: nil: nothing of the picture lies in it.
    func weights(
        of area: FrameArea, still: (String, PixelSize) throws(MediaError) -> StillPlane
    ) throws(MediaError) -> AreaWeights? {
        let shape = area.shape.flatMap { self.shape($0, of: area) }
        if area.shape != nil, shape == nil, !area.isInverted { return nil }
        let bounds = area.isInverted ? nil : shape?.bounds
        let columns = span(bounds?.left, bounds?.right, picture.width, grid.stepX)
        let rows = span(bounds?.top, bounds?.bottom, picture.height, grid.stepY)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        let plane = try area.picture.map { path throws(MediaError) in
            try still(path, shownSize)
        }
        let mask = shape?.mask(grid.planes[0], softness: Self.softness(area, shape))
        let isEmpty = area.shape != nil && shape == nil
        var luma = [UInt16](
            repeating: isEmpty ? 0 : BlendKernels.one, count: columns.count * rows.count)
        luma.withUnsafeMutableBufferPointer { weights in
            // each band writes rows of its own
            nonisolated(unsafe) let weights = weights
            slices.run((rows.count + Self.bandRows - 1) / Self.bandRows) { band, _ in
                let first = band * Self.bandRows
                for row in first..<min(first + Self.bandRows, rows.count) {
                    guard let line = weights.baseAddress?.advanced(by: row * columns.count) else {
                        return
                    }
                    mask?.cut(line, row: rows.lowerBound + row, columns: columns)
                    plane?.cut(line, row: rows.lowerBound + row, columns: columns, toUnit)
                    if area.usesLuma { cut(line, rows.lowerBound + row, columns, area) }
                    guard area.isInverted else { continue }
                    for x in 0..<columns.count { line[x] = BlendKernels.one - line[x] }
                }
            }
        }
        guard area.isInverted || luma.contains(where: { $0 > 0 }) else { return nil }
        return AreaWeights(
            columns: columns, rows: rows, luma: luma,
            chroma: chroma(luma, columns.count, rows.count))
    }

    /// From the picture to fractions of the upright frame.
    private var toUnit: Transform2D {
        toUpright.followed(by: .scale(x: 1 / upright.width, y: 1 / upright.height))
    }

    /// How large the upright frame is in the picture, or up to twice that (pixels).
    private var shownSize: PixelSize {
        let (across, down) = (
            max(toUpright.a.magnitude, toUpright.c.magnitude),
            max(toUpright.b.magnitude, toUpright.d.magnitude)
        )
        func side(_ length: Double, _ step: Double) -> Int {
            var side = min(length, 8192)
            while side >= 2 * length / max(step, 1e-6), side >= 2 { side /= 2 }
            return max(1, Int(side.rounded()))
        }
        return PixelSize(side(upright.width, across), side(upright.height, down))
    }

    private func span(
        _ low: Double?, _ high: Double?, _ count: Int, _ step: Int
    ) -> Range<Int> {
        let limit = Double(count)
        let first = Int(max(0, min(limit, (low ?? 0) - 1))) / step * step
        let end = (Int(max(0, min(limit, (high ?? limit) + 1)).rounded(.up)) + step - 1) / step
        let last = min(count, end * step)
        return first..<max(first, last)
    }

    /// Nil where it has no size.
    private func shape(_ shape: FrameArea.Shape, of area: FrameArea) -> LayerShape? {
        let (width, height) = (area.width * upright.width, area.height * upright.height)
        guard width > 0, height > 0, let back = toUpright.inverse else { return nil }
        let middle = Point(x: area.x * upright.width, y: area.y * upright.height)
        let rotation = Transform2D.rotation(degrees: area.rotation)
        let bounds = LayerPlacement.bounds(
            of: .init(left: -width / 2, top: -height / 2, right: width / 2, bottom: height / 2),
            rotation.followed(by: .translation(x: middle.x, y: middle.y)).followed(by: back))
        let toMiddle = toUpright.followed(by: .translation(x: -middle.x, y: -middle.y))
            .followed(by: .rotation(degrees: -area.rotation))
        switch shape {
        case .rectangle:
            return LayerShape(
                map: toMiddle, halfWidth: width / 2, halfHeight: height / 2,
                radius: area.cornerRadius * min(width, height), bounds: bounds)
        case .ellipse:
            // a circle, looked at from aside
            let radius = min(width, height) / 2
            return LayerShape(
                map: toMiddle.followed(by: .scale(x: 2 * radius / width, y: 2 * radius / height)),
                halfWidth: radius, halfHeight: radius, radius: radius, bounds: bounds)
        }
    }

    /// In the shape's own pixels.
    private static func softness(_ area: FrameArea, _ shape: LayerShape?) -> Double {
        area.softness * (shape?.reach ?? 0)
    }

    /// By the picture's own luma.
    private func cut(
        _ weights: UnsafeMutablePointer<UInt16>, _ row: Int, _ columns: Range<Int>,
        _ area: FrameArea
    ) {
        let depth = grid.pixels.bitDepth
        let black = Float(grid.planes[0].black)
        let white =
            grid.format.color.range == .full
            ? Float(1 << depth - 1) : Float(235 << (depth - 8))
        let scale = 1 / (white - black)
        let steep = 1 / Float(max(area.lumaSoftness, 1.0 / 4096))
        func share(_ distance: Float) -> Float { max(0, min(1, 0.5 + distance * steep)) }
        picture.withPlane(0) { plane in
            let line = plane.base.advanced(by: row * plane.bytesPerRow)
            for x in columns {
                let code =
                    grid.bytes == 1
                    ? Float(line.load(fromByteOffset: x, as: UInt8.self))
                    : Float(line.load(fromByteOffset: 2 * x, as: UInt16.self))
                let luma = (code - black) * scale
                var part: Float = 1
                // from black on, or up to white, is all
                if let above = area.above, above > 0 { part *= share(luma - Float(above)) }
                if let below = area.below, below < 1 { part *= share(Float(below) - luma) }
                let index = x - columns.lowerBound
                weights[index] = UInt16(Float(weights[index]) * part + 0.5)
            }
        }
    }

    /// Means of what chroma samples cover.
    private func chroma(_ luma: [UInt16], _ width: Int, _ height: Int) -> [UInt16] {
        let (across, down) = (grid.stepX, grid.stepY)
        if across == 1, down == 1 { return luma }
        let (columns, rows) = ((width + across - 1) / across, (height + down - 1) / down)
        return luma.withUnsafeBufferPointer { luma in
            [UInt16](unsafeUninitializedCapacity: columns * rows) { target, count in
                for y in 0..<rows {
                    let covered = y * down..<min(height, (y + 1) * down)
                    for x in 0..<columns {
                        let wide = x * across..<min(width, (x + 1) * across)
                        var sum = 0
                        for row in covered {
                            for column in wide { sum += Int(luma[row * width + column]) }
                        }
                        let samples = covered.count * wide.count
                        target[y * columns + x] = UInt16((2 * sum + samples) / (2 * samples))
                    }
                }
                count = columns * rows
            }
        }
    }
}

/// The luma of a picture file in some size, stretched over a layer's upright frame.
struct StillPlane: Sendable {
    let width: Int
    let height: Int
    let samples: [UInt16]

    /// Multiplies the weights of a row's pixels.
    /// - Parameter toUnit: from the pixels to fractions of what it is stretched over.
    func cut(
        _ weights: UnsafeMutablePointer<UInt16>, row: Int, columns: Range<Int>,
        _ toUnit: Transform2D
    ) {
        samples.withUnsafeBufferPointer { samples in
            for x in columns {
                let place = toUnit.apply(x: Double(x) + 0.5, y: Double(row) + 0.5)
                let (u, v) = (
                    place.x * Double(width) - 0.5, place.y * Double(height) - 0.5
                )
                let (left, top) = (u.rounded(.down), v.rounded(.down))
                func sample(_ column: Int, _ row: Int) -> Float {
                    let inside = (max(0, min(width - 1, column)), max(0, min(height - 1, row)))
                    return Float(samples[inside.1 * width + inside.0])
                }
                let (across, down) = (Float(u - left), Float(v - top))
                let (column, line) = (Int(left), Int(top))
                let above = sample(column, line).mixed(sample(column + 1, line), across)
                let below = sample(column, line + 1).mixed(sample(column + 1, line + 1), across)
                let share = above.mixed(below, down) / 65_535
                let index = x - columns.lowerBound
                weights[index] = UInt16(Float(weights[index]) * share + 0.5)
            }
        }
    }
}

extension Float {
    @inline(__always)
    fileprivate func mixed(_ other: Float, _ part: Float) -> Float { self + (other - self) * part }
}
