internal import Media

/// Changes areas of conformed frames and makes the rest of a masked one transparent; keeps the results while the same
/// frames stay on show. Thread-bound.
final class AreaStore {
    /// What is done to a frame.
    struct Work: Hashable {
        var effects: [SceneEffect]
        var shown: FrameArea?
        /// From the picture to the upright frame (pixels of both).
        var toUpright: Transform2D
        /// Of the upright frame (pixels).
        var upright: Size

        var isNothing: Bool { effects.isEmpty && shown == nil }
    }

    private struct Entry {
        let work: Work
        let source: PlacedImage
        let result: PlacedImage
        var isUsed = true
    }

    private struct StillKey: Hashable {
        let path: String
        let size: PixelSize
    }

    // immutable
    private let grid: FrameGrid
    private let slices: SlicePool
    private let memory = FrameMemory()
    // owned by the caller's thread
    private var entries: [Entry] = []
    /// 64 MB: the lumas of sixteen pictures at 1080p, of four at 2160p.
    private var stills = RecentCache<StillKey, StillPlane>(budget: 64 << 20)

    /// Rows of chroma of a part of the work.
    private static let bandRows = 16

    init(grid: FrameGrid, slices: SlicePool) { (self.grid, self.slices) = (grid, slices) }

    func begin() {
        for index in entries.indices { entries[index].isUsed = false }
        stills.beginFrame()
    }

    func end() { entries.removeAll { !$0.isUsed } }

    /// - Parameter image: of the film's format, of any size; what is transparent in it stays so.
    /// - Throws: where a picture of an area cannot be read.
    func changed(_ image: PlacedImage, _ work: Work) throws(MediaError) -> PlacedImage {
        if work.isNothing { return image }
        let found = entries.firstIndex {
            $0.work == work && $0.source.picture.sharesPixels(with: image.picture)
        }
        if let found {
            entries[found].isUsed = true
            return entries[found].result
        }
        var result = image
        for effect in work.effects {
            guard let weights = try weights(of: effect.area ?? FrameArea(), result.picture, work)
            else { continue }
            result =
                grid.bytes == 1
                ? changed(result, effect.effect, weights, work, UInt8.self)
                : changed(result, effect.effect, weights, work, UInt16.self)
        }
        if let shown = work.shown {
            // its own luma is that of the clip, before effects
            result = masked(result, try weights(of: shown, image.picture, work))
        }
        entries.append(Entry(work: work, source: image, result: result))
        return result
    }

    private func weights(
        of area: FrameArea, _ picture: PixelBuffer, _ work: Work
    ) throws(MediaError) -> AreaWeights? {
        try AreaWeigher(
            grid: grid, slices: slices, picture: picture, toUpright: work.toUpright,
            upright: work.upright
        ).weights(of: area) { path, size throws(MediaError) in try still(path, size) }
    }

    private func still(_ path: String, _ size: PixelSize) throws(MediaError) -> StillPlane {
        let key = StillKey(path: path, size: size)
        if let kept = stills.value(for: key) { return kept }
        let plane = StillPlane(
            width: size.width, height: size.height,
            samples: try StillLuma(path: path, within: size).stretched(to: size))
        stills.insert(plane, for: key, cost: 2 * plane.samples.count)
        return plane
    }

    // MARK: Effects

    private func changed<Sample: FixedWidthInteger & UnsignedInteger>(
        _ image: PlacedImage, _ effect: any AreaEffect, _ weights: AreaWeights, _ work: Work,
        _: Sample.Type
    ) -> PlacedImage {
        let frame = image.picture
        var result = memory.picture(frame.width, frame.height, grid.pixels)
        let own = image.alphaPlanes
        // one of luma and one of chroma
        var alpha =
            own.isEmpty
            ? []
            : [grid.planes[0], grid.planes[1]].map { plane in
                memory.picture(
                    (frame.width + plane.across - 1) / plane.across,
                    (frame.height + plane.down - 1) / plane.down, .gray16le)
            }
        var made: [MutablePixelPlane] = []
        // pictures of one's own lie still while they are held
        for index in alpha.indices { alpha[index].withMutablePlanes { made.append($0[0]) } }
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                slices.run(grid.planes.count) { index, _ in
                    let plane = AreaPlane<Sample>(
                        plane: grid.planes[index], index: index, depth: grid.pixels.bitDepth,
                        frame: frame, step: (grid.stepX, grid.stepY), source: sources[index],
                        target: targets[index], alpha: own.isEmpty ? nil : own[index],
                        newAlpha: index < made.count ? made[index] : nil)
                    plane.copy()
                    plane.change(effect, weights, work)
                }
            }
        }
        return PlacedImage(result, alpha: alpha)
    }

    // MARK: Masks

    /// Of nil nothing is left.
    private func masked(_ image: PlacedImage, _ weights: AreaWeights?) -> PlacedImage {
        let frame = image.picture
        let chroma = grid.planes[1]
        let own = image.alphaPlanes
        func plane(_ index: Int, _ across: Int, _ down: Int) -> PixelBuffer {
            let columns = (frame.width + across - 1) / across
            let rows = (frame.height + down - 1) / down
            var result = memory.picture(columns, rows, .gray16le)
            let within = weights.map {
                (
                    columns: $0.columns.lowerBound / across..<($0.columns.upperBound + across - 1)
                        / across,
                    rows: $0.rows.lowerBound / down..<($0.rows.upperBound + down - 1) / down
                )
            }
            let shares = index == 0 ? weights?.luma : weights?.chroma
            result.withMutablePlanes { targets in
                for y in 0..<rows {
                    let line = targets[0].base.advanced(by: y * targets[0].bytesPerRow)
                        .assumingMemoryBound(to: UInt16.self)
                    line.update(repeating: 0, count: columns)
                    guard let within, let shares, within.rows.contains(y) else { continue }
                    let start = (y - within.rows.lowerBound) * within.columns.count
                    for x in within.columns {
                        line[x] = shares[start + x - within.columns.lowerBound]
                    }
                    guard !own.isEmpty else { continue }
                    let kept = own[index].base.advanced(by: y * own[index].bytesPerRow)
                        .assumingMemoryBound(to: UInt16.self)
                    for x in within.columns {
                        line[x] = UInt16(
                            (UInt32(line[x]) * UInt32(kept[x]) + 16_384) / UInt32(BlendKernels.one))
                    }
                }
            }
            return result
        }
        let luma = plane(0, 1, 1)
        let colors = grid.stepX == 1 ? luma : plane(1, chroma.across, chroma.down)
        return PlacedImage(frame, alpha: [luma, colors])
    }
}

/// One plane of a frame in which an effect changes an area.
private struct AreaPlane<Sample: FixedWidthInteger & UnsignedInteger> {
    let plane: FrameGrid.Plane
    let index: Int
    let depth: Int
    let frame: PixelBuffer
    /// Of the chroma grid (pixels).
    let step: (x: Int, y: Int)
    let source: PixelPlane
    let target: MutablePixelPlane
    /// The weights of its samples (0…32,768); nil: it is opaque.
    let alpha: PixelPlane?
    /// Where those go that they become; nil: another plane has them.
    let newAlpha: MutablePixelPlane?

    private var columns: Int { (frame.width + plane.across - 1) / plane.across }
    private var rows: Int { (frame.height + plane.down - 1) / plane.down }

    func copy() {
        for y in 0..<rows {
            target.base.advanced(by: y * target.bytesPerRow).copyMemory(
                from: source.base.advanced(by: y * source.bytesPerRow),
                byteCount: columns * MemoryLayout<Sample>.size)
            guard let alpha, let newAlpha else { continue }
            newAlpha.base.advanced(by: y * newAlpha.bytesPerRow).copyMemory(
                from: alpha.base.advanced(by: y * alpha.bytesPerRow), byteCount: 2 * columns)
        }
    }

    func change(_ effect: any AreaEffect, _ weights: AreaWeights, _ work: AreaStore.Work) {
        let side = min(work.upright.width, work.upright.height)
        let map = work.toUpright
        // the picture's sides are those of the upright frame, in one order or the other
        let isTurned = map.b.magnitude > map.a.magnitude
        let across = (isTurned ? map.b : map.a) * Double(plane.across) / side
        let down = (isTurned ? map.c : map.d) * Double(plane.down) / side
        func reach(_ sample: Double, _ step: Int, _ covered: Int) -> Int {
            let samples = (effect.reach / max(sample.magnitude, 1e-9)).rounded(.up)
            let steps = step / covered
            return Int(min(samples, 20_000)) / steps * steps + steps
        }
        let inner = (
            columns: weights.columns.lowerBound
                / plane.across..<min(
                    columns, (weights.columns.upperBound + plane.across - 1) / plane.across),
            rows: weights.rows.lowerBound
                / plane.down..<min(rows, (weights.rows.upperBound + plane.down - 1) / plane.down)
        )
        let (wide, tall) = (
            reach(across, step.x, plane.across), reach(down, step.y, plane.down)
        )
        let outer = (
            columns: max(
                0, inner.columns.lowerBound - wide)..<min(columns, inner.columns.upperBound + wide),
            rows: max(0, inner.rows.lowerBound - tall)..<min(rows, inner.rows.upperBound + tall)
        )
        let corner = map.apply(
            x: Double(outer.columns.lowerBound * plane.across),
            y: Double(outer.rows.lowerBound * plane.down))
        /// From the edge at which the picture begins.
        func start(_ place: Double, _ length: Double, _ step: Double) -> Double {
            (step > 0 ? place : length - place) / side
        }
        let (width, height) = (work.upright.width, work.upright.height)
        let count = outer.columns.count * outer.rows.count
        let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
        defer { values.deallocate() }
        for y in 0..<outer.rows.count {
            let line = row(source.base, source.bytesPerRow, outer.rows.lowerBound + y)
            for x in 0..<outer.columns.count {
                values[y * outer.columns.count + x] = Float(line[outer.columns.lowerBound + x])
            }
        }
        // what is transparent has a colour that nobody sees, and that no other sample may get
        let opaque = UnsafeMutableBufferPointer<Float>.allocate(capacity: alpha == nil ? 0 : count)
        defer { opaque.deallocate() }
        if let alpha {
            for y in 0..<outer.rows.count {
                let line = alpha.base.advanced(
                    by: (outer.rows.lowerBound + y) * alpha.bytesPerRow
                ).assumingMemoryBound(to: UInt16.self)
                for x in 0..<outer.columns.count {
                    let place = y * outer.columns.count + x
                    opaque[place] = Float(line[outer.columns.lowerBound + x]) / 32_768
                    values[place] *= opaque[place]
                }
            }
        }
        for buffer in alpha == nil ? [values] : [values, opaque] {
            effect.apply(
                to: AreaSamples(
                    columns: outer.columns.count, rows: outer.rows.count,
                    across: across.magnitude, down: down.magnitude,
                    left: isTurned
                        ? start(corner.y, height, across) : start(corner.x, width, across),
                    top: isTurned ? start(corner.x, width, down) : start(corner.y, height, down),
                    columnStep: step.x / plane.across, rowStep: step.y / plane.down,
                    values: buffer))
        }
        let shares = index == 0 ? weights.luma : weights.chroma
        let most = Float(1 << depth - 1)
        for y in inner.rows {
            let line = UnsafeMutableRawPointer(target.base).advanced(by: y * target.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            let made = (y - outer.rows.lowerBound) * outer.columns.count
            let share = (y - inner.rows.lowerBound) * inner.columns.count
            for x in inner.columns {
                let weight = Float(shares[share + x - inner.columns.lowerBound]) / 32_768
                guard weight > 0 else { continue }
                let own = Float(line[x])
                let place = made + x - outer.columns.lowerBound
                var code = own + (values[place] - own) * weight
                if let alpha {
                    let before =
                        Float(
                            alpha.base.load(
                                fromByteOffset: y * alpha.bytesPerRow + 2 * x, as: UInt16.self))
                        / 32_768
                    let share = max(0, min(1, before + (opaque[place] - before) * weight))
                    let light = own * before * (1 - weight) + values[place] * weight
                    code = share > 1.0 / 32_768 ? light / share : own
                    newAlpha?.base.advanced(by: y * (newAlpha?.bytesPerRow ?? 0))
                        .assumingMemoryBound(to: UInt16.self)[x] = UInt16(share * 32_768 + 0.5)
                }
                line[x] = Sample(truncatingIfNeeded: Int(max(0, min(most, code)) + 0.5))
            }
        }
    }

    private func row(
        _ base: UnsafeRawPointer, _ bytesPerRow: Int, _ y: Int
    ) -> UnsafePointer<Sample> {
        base.advanced(by: y * bytesPerRow).assumingMemoryBound(to: Sample.self)
    }
}
