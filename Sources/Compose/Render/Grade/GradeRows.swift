internal import Media

/// Grades some rows of a frame. A pixel's chroma is interpolated between the samples around it, a sample's luma is that of
/// the pixels around it, so that nothing is graded that is not there.
struct GradeRows<Map: CodeMap, Sample: FixedWidthInteger & UnsignedInteger> {
    let map: Map
    let luma: FrameGrid.Plane
    let chroma: FrameGrid.Plane
    /// Of the frame (pixels).
    let width: Int
    let height: Int
    let sources: [PixelPlane]
    let targets: [MutablePixelPlane]

    private func row(_ plane: PixelPlane, _ y: Int) -> UnsafePointer<Sample> {
        plane.base.advanced(by: y * plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
    }

    private func row(_ plane: MutablePixelPlane, _ y: Int) -> UnsafeMutablePointer<Sample> {
        plane.base.advanced(by: y * plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
    }

    private var columns: Int { (width + chroma.across - 1) / chroma.across }
    private var chromaRows: Int { (height + chroma.down - 1) / chroma.down }

    /// - Parameter rows: of chroma, with the luma that lies over them.
    func grade(_ rows: Range<Int>) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * (width + 8)) { memory in
            memory.initialize(repeating: 0)
            guard let first = memory.baseAddress else { return }
            let second = first + width + 8
            for y in rows.lowerBound * chroma.down..<min(rows.upperBound * chroma.down, height) {
                gradeLuma(y, first, second)
            }
            for y in rows { gradeChroma(y, first) }
        }
    }

    // MARK: Luma

    /// Where a pixel lies between chroma samples: the one before it, and quarters of the way to the next.
    private func place(_ pixel: Int, _ origin: Double, _ covered: Int) -> (first: Int, part: Int32)
    {
        let place = (Double(pixel) + 0.5 - origin) / Double(covered)
        let first = place.rounded(.down)
        return (Int(first), Int32((place - first) * 4))
    }

    /// - Parameters:
    ///   - blue: memory for a row of chroma, as `red` is.
    private func gradeLuma(
        _ y: Int, _ blue: UnsafeMutablePointer<Int32>, _ red: UnsafeMutablePointer<Int32>
    ) {
        let down = place(y, chroma.originY, chroma.down)
        let limit = chromaRows - 1
        let rows = (max(0, min(limit, down.first)), max(0, min(limit, down.first + 1)))
        blend(row(sources[1], rows.0), row(sources[1], rows.1), down.part, into: blue)
        blend(row(sources[2], rows.0), row(sources[2], rows.1), down.part, into: red)
        let (source, target) = (row(sources[0], y), row(targets[0], y))
        guard chroma.across == 2 else {
            for x in 0..<width {
                let code = map.luma(Int(source[x]), Int(blue[x + 1] * 4), Int(red[x + 1] * 4))
                target[x] = Sample(truncatingIfNeeded: code)
            }
            return
        }
        gradePairs(source, target, blue + 1, red + 1, width / 2)
        guard width % 2 == 1 else { return }
        // the left one of a pair
        let last = place(width - 1, chroma.originX, 2)
        func between(_ line: UnsafePointer<Int32>) -> Int {
            Int(line[last.first + 1] * (4 - last.part) + line[last.first + 2] * last.part)
        }
        let code = map.luma(Int(source[width - 1]), between(blue), between(red))
        target[width - 1] = Sample(truncatingIfNeeded: code)
    }

    /// Two pixels for each chroma sample.
    @inline(__always)
    private func gradePairs(
        _ source: UnsafePointer<Sample>, _ target: UnsafeMutablePointer<Sample>,
        _ blue: UnsafePointer<Int32>, _ red: UnsafePointer<Int32>, _ pairs: Int
    ) {
        let (even, odd) = (place(0, chroma.originX, 2), place(1, chroma.originX, 2))
        let (map, evenRest, oddRest) = (map, 4 - even.part, 4 - odd.part)
        for x in 0..<pairs {
            let (e, o) = (x &+ even.first, x &+ odd.first)
            let u = blue[e] &* evenRest &+ blue[e &+ 1] &* even.part
            let v = red[e] &* evenRest &+ red[e &+ 1] &* even.part
            target[2 &* x] = Sample(
                truncatingIfNeeded: map.luma(
                    Int(truncatingIfNeeded: source[2 &* x]), Int(u), Int(v)))
            let nextU = blue[o] &* oddRest &+ blue[o &+ 1] &* odd.part
            let nextV = red[o] &* oddRest &+ red[o &+ 1] &* odd.part
            target[2 &* x &+ 1] = Sample(
                truncatingIfNeeded: map.luma(
                    Int(truncatingIfNeeded: source[2 &* x &+ 1]), Int(nextU), Int(nextV)))
        }
    }

    /// Between two rows of chroma, in quarters, with the ends once more beside them.
    private func blend(
        _ first: UnsafePointer<Sample>, _ second: UnsafePointer<Sample>, _ part: Int32,
        into line: UnsafeMutablePointer<Int32>
    ) {
        let rest = 4 - part
        for x in 0..<columns {
            line[x + 1] =
                Int32(truncatingIfNeeded: first[x]) &* rest
                &+ Int32(truncatingIfNeeded: second[x]) &* part
        }
        line[0] = line[1]
        line[columns + 1] = line[columns]
    }

    // MARK: Chroma

    private func gradeChroma(_ y: Int, _ line: UnsafeMutablePointer<Int32>) {
        let across = ChromaTaps(covers: chroma.across, origin: chroma.originX)
        let down = ChromaTaps(covers: chroma.down, origin: chroma.originY)
        // one pixel before the frame, and as many behind it as a tap may want
        for x in 0..<width { line[x + 1] = 0 }
        for (offset, weight) in down.taps {
            let source = row(sources[0], max(0, min(height - 1, y * chroma.down + offset)))
            let weight = Int32(weight)
            for x in 0..<width {
                line[x + 1] &+= Int32(truncatingIfNeeded: source[x]) &* weight
            }
        }
        line[0] = line[1]
        for x in width + 1..<width + 5 { line[x] = line[width] }
        // from one pixel before the first that a sample covers to the second behind it
        var weights = SIMD4<Int32>()
        for tap in across.taps { weights[tap.offset + 1] = Int32(tap.weight) }
        let (a, b, c, d) = (weights.x, weights.y, weights.z, weights.w)
        // sums are powers of two
        let shift = Int32((across.sum * down.sum).trailingZeroBitCount)
        let half = (Int32(1) << (shift - 1)) >> 4
        let step = chroma.across
        let (blueSource, redSource) = (row(sources[1], y), row(sources[2], y))
        let (blue, red) = (row(targets[1], y), row(targets[2], y))
        let map = map
        for x in 0..<columns {
            let own = line + x &* step
            let light = own[0] &* a &+ own[1] &* b &+ own[2] &* c &+ own[3] &* d
            // in sixteenths of a code
            let y = shift >= 4 ? (light &+ half) >> (shift &- 4) : light << (4 &- shift)
            let made = map.chroma(
                Int(y), Int(truncatingIfNeeded: blueSource[x]),
                Int(truncatingIfNeeded: redSource[x]))
            blue[x] = Sample(truncatingIfNeeded: made.blue)
            red[x] = Sample(truncatingIfNeeded: made.red)
        }
    }
}
