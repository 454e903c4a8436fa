internal import Media

/// Keys conformed frames, and keeps the results while the same frames stay on show. Thread-bound.
final class KeyStore {
    private struct Entry {
        let key: ChromaKey
        let source: PlacedImage
        let result: PlacedImage
        var isUsed = true
    }

    // immutable
    private let grid: FrameGrid
    private let slices: SlicePool
    private let memory: FrameMemory
    // owned by the caller's thread
    private var entries: [Entry] = []

    /// Rows of a part of the work.
    private static let bandRows = 16

    init(grid: FrameGrid, slices: SlicePool, memory: FrameMemory) {
        (self.grid, self.slices, self.memory) = (grid, slices, memory)
    }

    func begin() {
        for index in entries.indices { entries[index].isUsed = false }
    }

    func end() { entries.removeAll { !$0.isUsed } }

    /// - Parameter image: of the film's format, of any size; what is transparent in it stays so.
    func keyed(_ image: PlacedImage, _ key: ChromaKey) -> PlacedImage {
        let found = entries.firstIndex {
            $0.key == key && $0.source.picture.sharesPixels(with: image.picture)
        }
        if let found {
            entries[found].isUsed = true
            return entries[found].result
        }
        let function = KeyFunction(key, color: grid.format.color, depth: grid.pixels.bitDepth)
        let result =
            grid.bytes == 1
            ? keyed(image, function, UInt8.self) : keyed(image, function, UInt16.self)
        entries.append(Entry(key: key, source: image, result: result))
        return result
    }

    private func keyed<Sample: FixedWidthInteger & UnsignedInteger>(
        _ image: PlacedImage, _ function: KeyFunction, _: Sample.Type
    ) -> PlacedImage {
        let frame = image.picture
        let chroma = grid.planes[1]
        let size = PixelSize(
            width: (frame.width + chroma.across - 1) / chroma.across,
            height: (frame.height + chroma.down - 1) / chroma.down)
        var result = memory.picture(frame.width, frame.height, grid.pixels)
        var luma = memory.picture(frame.width, frame.height, .gray16le)
        var colors = memory.picture(size.width, size.height, .gray16le)
        let differences = UnsafeMutablePointer<Float>.allocate(capacity: size.width * size.height)
        defer { differences.deallocate() }
        let own = image.alphaPlanes
        result.withMutablePlanes { targets in
            luma.withMutablePlanes { lumaWeights in
                colors.withMutablePlanes { chromaWeights in
                    frame.withPlanes { sources in
                        let work = KeyRows<Sample>(
                            function: function, chroma: chroma, width: frame.width,
                            height: frame.height, columns: size.width, rows: size.height,
                            sources: sources, targets: targets,
                            weights: [
                                lumaWeights[0], chromaWeights[0],
                            ], own: own, differences: differences)
                        slices.run(Self.bands(size.height)) { band, _ in
                            work.keyChroma(Self.rows(band, of: size.height))
                        }
                        slices.run(Self.bands(frame.height)) { band, _ in
                            work.keyLuma(Self.rows(band, of: frame.height))
                        }
                    }
                }
            }
        }
        return PlacedImage(result, alpha: [luma, colors])
    }

    private static func bands(_ rows: Int) -> Int { (rows + bandRows - 1) / bandRows }

    private static func rows(_ band: Int, of rows: Int) -> Range<Int> {
        band * bandRows..<min((band + 1) * bandRows, rows)
    }
}

/// Keys some rows of a frame: those of chroma first, whose differences luma's then lie between.
struct KeyRows<Sample: FixedWidthInteger & UnsignedInteger> {
    let function: KeyFunction
    let chroma: FrameGrid.Plane
    /// Of the frame (pixels).
    let width: Int
    let height: Int
    /// Of chroma (samples).
    let columns: Int
    let rows: Int
    let sources: [PixelPlane]
    let targets: [MutablePixelPlane]
    /// Of luma and chroma.
    let weights: [MutablePixelPlane]
    /// The frame's own weights; empty: opaque.
    let own: [PixelPlane]
    let differences: UnsafeMutablePointer<Float>

    private func row<Value>(_ plane: PixelPlane, _ y: Int, _: Value.Type) -> UnsafePointer<Value> {
        plane.base.advanced(by: y * plane.bytesPerRow).assumingMemoryBound(to: Value.self)
    }

    private func row<Value>(
        _ plane: MutablePixelPlane, _ y: Int, _: Value.Type
    ) -> UnsafeMutablePointer<Value> {
        plane.base.advanced(by: y * plane.bytesPerRow).assumingMemoryBound(to: Value.self)
    }

    @inline(__always)
    private func code(_ value: Float) -> Sample {
        Sample(truncatingIfNeeded: Int(max(0, min(function.most, value)) + 0.5))
    }

    /// What shows at a difference.
    @inline(__always)
    private func weight(_ difference: Float, _ own: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: Int((1 - function.screen(difference)) * Float(own) + 0.5))
    }

    func keyChroma(_ band: Range<Int>) {
        for y in band {
            let (u, v) = (row(sources[1], y, Sample.self), row(sources[2], y, Sample.self))
            let (newU, newV) = (row(targets[1], y, Sample.self), row(targets[2], y, Sample.self))
            let line = differences + y * columns
            let target = row(weights[1], y, UInt16.self)
            let own = own.isEmpty ? nil : row(own[1], y, UInt16.self)
            for x in 0..<columns {
                let (blue, red) = (Float(Int(u[x])), Float(Int(v[x])))
                let difference = function.difference(blue, red)
                line[x] = difference
                target[x] = weight(difference, own?[x] ?? BlendKernels.one)
                let made = function.chroma(blue, red, difference)
                (newU[x], newV[x]) = (code(made.0), code(made.1))
            }
        }
    }

    /// Where a pixel lies between chroma samples: the ones around it, and the way from the first.
    private func place(
        _ pixel: Int, _ origin: Double, _ covered: Int, _ count: Int
    ) -> (first: Int, second: Int, part: Float) {
        let place = (Double(pixel) + 0.5 - origin) / Double(covered)
        let first = place.rounded(.down)
        return (
            max(0, min(count - 1, Int(first))), max(0, min(count - 1, Int(first) + 1)),
            Float(place - first)
        )
    }

    func keyLuma(_ band: Range<Int>) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { memory in
            guard let between = memory.baseAddress else { return }
            // a pixel's way between samples is one of two
            let places = (0..<2).map { place($0, chroma.originX, chroma.across, .max) }
            let begin = (0..<2).map {
                Int(
                    ((Double($0) + 0.5 - chroma.originX) / Double(chroma.across)).rounded(.down))
            }
            for y in band {
                let down = place(y, chroma.originY, chroma.down, rows)
                let (first, second) = (
                    differences + down.first * columns, differences + down.second * columns
                )
                for x in 0..<columns {
                    between[x] = first[x] + (second[x] - first[x]) * down.part
                }
                let source = row(sources[0], y, Sample.self)
                let target = row(targets[0], y, Sample.self)
                let weights = row(weights[0], y, UInt16.self)
                let own = own.isEmpty ? nil : row(own[0], y, UInt16.self)
                for x in 0..<width {
                    let phase = chroma.across == 2 ? x & 1 : 0
                    let sample = begin[phase] + (chroma.across == 2 ? x >> 1 : x)
                    let (left, right) = (
                        between[max(0, min(columns - 1, sample))],
                        between[max(0, min(columns - 1, sample + 1))]
                    )
                    let difference = left + (right - left) * places[phase].part
                    target[x] = code(function.luma(Float(Int(source[x])), difference))
                    weights[x] = weight(difference, own?[x] ?? BlendKernels.one)
                }
            }
        }
    }
}
