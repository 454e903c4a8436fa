package import Media

/// Where the chroma samples of a subsampled frame lie among its luma samples; the numbers are those
/// of H.264, H.265 and zimg.
package enum ChromaSiting: UInt32, Sendable, Hashable {
    /// On the even columns, between the rows: MPEG-2, H.264, HEVC and cameras' packed formats.
    case left = 0
    /// Between columns and rows: JPEG.
    case center = 1
    /// On the even columns and rows: BT.2020's frames of high dynamic range.
    case topLeft = 2
    /// Between the columns, on the even rows.
    case top = 3
    /// On the even columns, on the odd rows.
    case bottomLeft = 4
    /// Between the columns, on the odd rows.
    case bottom = 5

    /// What a format's samples follow. No description says so; the colours say which world a
    /// picture is from: full-range BT.601 is JPEG's, PQ and HLG are BT.2100's, all else is MPEG's.
    package init(of color: ColorDescription) {
        switch (color.transfer, color.matrix, color.range) {
        case (16, 9, _), (18, 9, _): self = .topLeft
        case (13, 5, .full), (13, 6, .full): self = .center
        default: self = .left
        }
    }

    /// Where chroma lies before a rotation, so that it lies here after it, in frames of even size; nil where none of
    /// these places is it.
    package func before(_ rotation: VideoOrientation) -> ChromaSiting? {
        switch (self, rotation.rotation, rotation.isMirrored) {
        case (_, .none, false): self
        case (.center, _, _): .center
        // of even rows the outermost one counts down from an odd one
        case (.left, .clockwise90, false): .bottom
        case (.left, .clockwise270, false): .top
        default: nil
        }
    }
}
