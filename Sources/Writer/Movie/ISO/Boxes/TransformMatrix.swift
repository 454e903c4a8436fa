package import Media

/// The 3x3 matrix of `tkhd` and `mvhd`: 16.16 fixed point, the last column 2.30.
package struct TransformMatrix: Sendable, Hashable {
    /// x' = a x + c y + tx; y' = b x + d y + ty.
    package var a: Int32
    package var b: Int32
    package var c: Int32
    package var d: Int32
    package var tx: Int32
    package var ty: Int32

    package init(a: Int32, b: Int32, c: Int32, d: Int32, tx: Int32, ty: Int32) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    package static let one: Int32 = 0x1_0000
    package static let identity = TransformMatrix(a: one, b: 0, c: 0, d: one, tx: 0, ty: 0)

    /// The matrix that rotates a stored frame upright, its corner staying at the origin.
    package init(_ orientation: VideoOrientation, width: Int, height: Int) {
        let one = TransformMatrix.one
        // rotation: the images of the x and y axes, clockwise with y down
        let (xAxis, yAxis): ((Int32, Int32), (Int32, Int32)) =
            switch orientation.rotation {
            case .none: ((one, 0), (0, one))
            case .clockwise90: ((0, one), (-one, 0))
            case .half: ((-one, 0), (0, -one))
            case .clockwise270: ((0, -one), (one, 0))
            }
        let sign: Int32 = orientation.isMirrored ? -1 : 1  // mirrored first: x changes sign
        (a, b) = (xAxis.0 * sign, xAxis.1 * sign)
        (c, d) = yAxis
        let (w, h) = (Int32(clamping: min(width, 0x7FFF)), Int32(clamping: min(height, 0x7FFF)))
        tx = (a < 0 ? w * one : 0) + (c < 0 ? h * one : 0)
        ty = (b < 0 ? w * one : 0) + (d < 0 ? h * one : 0)
    }

    /// The quarter turn and mirror this matrix is nearest to; upright when it is none.
    package var orientation: VideoOrientation {
        let signs = [a, b, c, d].map { $0.signum() }
        let diagonal = Int64(a.magnitude) + Int64(d.magnitude)
        let other = Int64(b.magnitude) + Int64(c.magnitude)
        let isQuarter = other > diagonal
        let x = isQuarter ? signs[1] : signs[0]
        let y = isQuarter ? signs[2] : signs[3]
        guard x != 0, y != 0 else { return .upright }
        // an even number of sign changes is a rotation, an odd one holds a mirror
        let isMirrored = isQuarter ? x == y : x != y
        let rotation: VideoOrientation.Rotation =
            if isQuarter { y < 0 ? .clockwise90 : .clockwise270 } else { y > 0 ? .none : .half }
        return VideoOrientation(rotation: rotation, isMirrored: isMirrored)
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        a = try reader.i32()
        b = try reader.i32()
        try reader.skip(4)
        c = try reader.i32()
        d = try reader.i32()
        try reader.skip(4)
        tx = try reader.i32()
        ty = try reader.i32()
        try reader.skip(4)
    }

    package func write(to builder: inout BoxBuilder) {
        for value in [a, b, 0, c, d, 0, tx, ty, 0x4000_0000] { builder.i32(value) }
    }
}
