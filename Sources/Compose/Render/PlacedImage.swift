internal import Media

/// A picture in the target's format and how its samples lie in the frame. The pixels live as long as it.
final class PlacedImage: Sendable {
    let picture: PixelBuffer
    /// Weights (0…32,768 in gray16le), one frame for luma and one for chroma; empty: opaque.
    let alpha: [PixelBuffer]

    init(_ frame: PixelBuffer, alpha: [PixelBuffer] = []) {
        self.picture = frame
        self.alpha = alpha
    }

    var planes: [PixelPlane] { picture.withPlanes { $0 } }

    /// One plane of weights for each plane of the frame; empty: opaque.
    var alphaPlanes: [PixelPlane] {
        guard let luma = alpha.first, let chroma = alpha.last else { return [] }
        let first = luma.withPlane(0) { $0 }
        let second = chroma.withPlane(0) { $0 }
        return [first, second, second]
    }
}

/// What of a layer lies behind its frame in one plane.
enum FillRows {
    /// Rows of the frame's size.
    case picture(PixelPlane)
    case code(Int)
}

/// Where the samples of a layer's plane come from.
enum SampleRows {
    /// Rows of a plane; its sample (0, 0) lies at this column and row of the frame's plane.
    case placed(PixelPlane, column: Int, row: Int)
    case sampled(AffineSampler)

    var arePlaced: Bool {
        if case .placed = self { true } else { false }
    }
}
