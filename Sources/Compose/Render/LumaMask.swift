internal import Media

/// The luma of a picture over each plane of the frames made: 0 black, 65,535 white.
final class FrameLuma: Sendable {
    struct Plane: Sendable {
        let columns: Int
        let rows: Int
        let samples: [UInt16]
    }

    /// In the order of the frame's; planes of one size are one memory.
    let planes: [Plane]
    /// What they take.
    let bytes: Int

    /// A picture stretched to the frame.
    init(_ picture: StillLuma, _ grid: FrameGrid) {
        let samples = picture.stretched(to: PixelSize(grid.width, grid.height))
        let full = Plane(columns: grid.width, rows: grid.height, samples: samples)
        var made: [(across: Int, down: Int, plane: Plane)] = [(1, 1, full)]
        planes = grid.planes.map { plane in
            if let same = made.first(where: { $0.across == plane.across && $0.down == plane.down })
            {
                return same.plane
            }
            let means = full.means(across: plane.across, down: plane.down)
            made.append((plane.across, plane.down, means))
            return means
        }
        bytes = made.reduce(0) { $0 + 2 * $1.plane.samples.count }
    }
}

extension FrameLuma.Plane {
    /// Of samples that cover several: the mean of what they cover of the frame.
    fileprivate func means(across: Int, down: Int) -> FrameLuma.Plane {
        let (width, height) = ((columns + across - 1) / across, (rows + down - 1) / down)
        var means: [UInt16] = []
        means.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                var (sum, count) = (0, 0)
                for row in y * down..<min(rows, (y + 1) * down) {
                    for column in x * across..<min(columns, (x + 1) * across) {
                        sum += Int(samples[row * columns + column])
                        count += 1
                    }
                }
                means.append(UInt16((2 * sum + count) / (2 * count)))
            }
        }
        return FrameLuma.Plane(columns: width, rows: height, samples: means)
    }
}

/// Where the luma of a picture lies below a threshold.
struct LumaMask: RowMask {
    private let luma: FrameLuma
    private let plane: Int
    /// `k0 + k1 · luma` is how much shows, cut to 0…1.
    private let k0: Float
    private let k1: Float
    /// Without softness: lumas below show; nil: it is soft.
    private let limit: UInt32?
    private let isInverted: Bool

    init(
        _ luma: FrameLuma, plane: Int, threshold: Double, softness: Double, isInverted: Bool
    ) {
        (self.luma, self.plane, self.isInverted) = (luma, plane, isInverted)
        // a ramp within one step of the luma is none
        let isSoft = softness > 1.0 / 65_535
        k0 = isSoft ? Float(threshold / softness) : 0
        k1 = isSoft ? Float(-1 / (softness * 65_535)) : 0
        let step = (max(0, min(1, threshold)) * 65_535).rounded(.up)
        limit = isSoft ? nil : threshold >= 1 ? 65_536 : UInt32(step)
    }

    func cut(_ weights: UnsafeMutablePointer<UInt16>, row: Int, columns: Range<Int>) {
        let plane = luma.planes[plane]
        plane.samples.withUnsafeBufferPointer { samples in
            let start = row * plane.columns + columns.lowerBound
            if let limit {
                for x in 0..<columns.count {
                    let isShown = (UInt32(samples[start + x]) < limit) != isInverted
                    weights[x] = isShown ? weights[x] : 0
                }
                return
            }
            let (base, sign): (Float, Float) = isInverted ? (1, -1) : (0, 1)
            for x in 0..<columns.count {
                let value = k0 + k1 * Float(samples[start + x])
                let share: Float = value > 0 ? (value < 1 ? value : 1) : 0
                weights[x] = BlendKernels.whole(Float(weights[x]) * (base + sign * share))
            }
        }
    }
}
