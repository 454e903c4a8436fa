internal import Media

/// Brings masks to the target's planes; the lumas of their pictures are read and stretched once and kept within a
/// bound. Thread-bound.
final class MaskStore {
    // immutable
    private let grid: FrameGrid
    // owned by the caller's thread
    /// 64 MB: the lumas of twelve pictures at 1080p, of three at 2160p.
    private var lumas = RecentCache<String, FrameLuma>(budget: 64 << 20)

    init(grid: FrameGrid) { self.grid = grid }

    /// Pictures read and stretched so far.
    private(set) var conversions = 0

    /// Before each frame: what the last one used may go.
    func beginFrame() { lumas.beginFrame() }

    /// - Throws: where the mask's picture cannot be read.
    func mask(_ mask: LayerMask) throws(MediaError) -> FrameMask {
        switch mask.area {
        case .shape(let rectangle, let radius):
            guard let shape = LayerShape(rectangle, cornerRadius: radius) else {
                return mask.isInverted ? .everything : .nothing
            }
            if shape.holds(width: grid.width, height: grid.height, softness: mask.softness) {
                return mask.isInverted ? .nothing : .everything
            }
            return .part(
                grid.planes.map {
                    shape.mask($0, softness: mask.softness, isOutside: mask.isInverted)
                })
        case .picture(let path, let threshold):
            if threshold <= 0 { return mask.isInverted ? .everything : .nothing }
            if threshold - mask.softness >= 1 {
                return mask.isInverted ? .nothing : .everything
            }
            let luma = try luma(of: path)
            return .part(
                grid.planes.indices.map {
                    LumaMask(
                        luma, plane: $0, threshold: threshold, softness: mask.softness,
                        isInverted: mask.isInverted)
                })
        }
    }

    private func luma(of path: String) throws(MediaError) -> FrameLuma {
        if let kept = lumas.value(for: path) { return kept }
        let made = FrameLuma(try StillLuma(path: path), grid)
        conversions += 1
        lumas.insert(made, for: path, cost: made.bytes)
        return made
    }
}

/// What a mask leaves of a frame.
enum FrameMask {
    case everything
    case nothing
    /// For each plane.
    case part([any RowMask])

    /// What cuts a plane's rows.
    func rows(_ plane: Int) -> [any RowMask] {
        if case .part(let masks) = self { [masks[plane]] } else { [] }
    }
}
