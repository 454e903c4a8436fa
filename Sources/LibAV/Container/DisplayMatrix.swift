package import Media

extension VideoOrientation {
    /// The orientation nearest to a display matrix (ISO/IEC 14496-12, 6.2.2: nine numbers, of which a,
    /// b, c and d in 16.16 turn and mirror). A matrix that maps the frame onto a line, as broken
    /// files have, is taken for upright; every other one is snapped to a quarter turn.
    package init(displayMatrix matrix: [Int32]) {
        guard matrix.count == 9 else {
            self = .upright
            return
        }
        let (a, b) = (Int64(matrix[0]), Int64(matrix[1]))
        let (c, d) = (Int64(matrix[3]), Int64(matrix[4]))
        let determinant = Int128(a) * Int128(d) - Int128(b) * Int128(c)
        guard determinant != 0 else {
            self = .upright
            return
        }
        let isMirrored = determinant < 0
        // where the frame's right goes, before a mirror moved it
        let (x, y) = isMirrored ? (-a, -b) : (a, b)
        let rotation: Rotation
        if x.magnitude >= y.magnitude {
            rotation = x > 0 ? .none : .half
        } else {
            rotation = y > 0 ? .clockwise90 : .clockwise270
        }
        self.init(rotation: rotation, isMirrored: isMirrored)
    }
}
