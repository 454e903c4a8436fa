internal import Media

/// Samples a plane through an affine map, bilinearly; beyond the edges the last sample continues.
struct AffineSampler {
    private let plane: PixelPlane
    private let lastColumn: Int
    private let lastRow: Int
    /// From the frame's plane to this plane's samples, in 1/2^32 of a sample.
    private let (x0, xByColumn, xByRow): (Int, Int, Int)
    private let (y0, yByColumn, yByRow): (Int, Int, Int)

    private static let one = Double(1 << 32)

    /// - Parameter map: from column and row of the frame's plane to column and row of this one.
    init(_ plane: PixelPlane, columns: Int, rows: Int, map: Transform2D) {
        self.plane = plane
        lastColumn = columns - 1
        lastRow = rows - 1
        func fixed(_ value: Double) -> Int {
            Int((max(-1e6, min(1e6, value)) * Self.one).rounded())
        }
        (x0, xByColumn, xByRow) = (fixed(map.tx), fixed(map.a), fixed(map.c))
        (y0, yByColumn, yByRow) = (fixed(map.ty), fixed(map.b), fixed(map.d))
    }

    @inline(__always)
    func row<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: Int, columns: Range<Int>, into target: UnsafeMutablePointer<Sample>
    ) {
        var x = x0 &+ xByRow &* row &+ xByColumn &* columns.lowerBound
        var y = y0 &+ yByRow &* row &+ yByColumn &* columns.lowerBound
        for index in 0..<columns.count {
            target[index] = sample(x, y)
            x &+= xByColumn
            y &+= yByColumn
        }
    }

    /// Weights of 12 bits: 16 + 12 + 12 bits fit well.
    @inline(__always)
    private func sample<Sample: FixedWidthInteger & UnsignedInteger>(_ x: Int, _ y: Int) -> Sample {
        let left = x &>> 32
        let top = y &>> 32
        let right = (x &>> 20) & 4_095
        let low = (y &>> 20) & 4_095
        let column = max(0, min(lastColumn, left))
        let next = max(0, min(lastColumn, left &+ 1))
        let first = line(max(0, min(lastRow, top)), Sample.self)
        let second = line(max(0, min(lastRow, top &+ 1)), Sample.self)
        let upper =
            Int(truncatingIfNeeded: first[column]) &* (4_096 &- right)
            &+ Int(truncatingIfNeeded: first[next]) &* right
        let lower =
            Int(truncatingIfNeeded: second[column]) &* (4_096 &- right)
            &+ Int(truncatingIfNeeded: second[next]) &* right
        let sum = upper &* (4_096 &- low) &+ lower &* low
        return Sample(truncatingIfNeeded: (sum &+ 1 << 23) &>> 24)
    }

    @inline(__always)
    private func line<Sample>(_ row: Int, _: Sample.Type) -> UnsafePointer<Sample> {
        plane.base.advanced(by: row &* plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
    }
}
