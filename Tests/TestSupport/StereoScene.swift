package import Media

/// A wall and a box before it, of fine texture, as two cameras see them: every distance is known.
package struct StereoScene: Sendable {
    package let width = 320
    package let height = 160
    package let calibration = DepthCalibration(focalLength: 400, baseline: 0.06)
    /// Of wall and box (pixels): 24 px × m, so that they are 2 m and 1 m away.
    package let wall = 12
    package let box = 24
    private let texture: [UInt8]

    package init() {
        var random = SplitMix(seed: 77)
        texture = (0..<512 * 160).map { _ in UInt8(random.next() % 200 + 28) }
    }

    /// The box as the left camera sees it.
    package func isBox(_ x: Int, _ y: Int) -> Bool {
        (150..<240).contains(x) && (50..<110).contains(y)
    }

    /// How far a point of the left frame is shifted in the right one.
    package func disparity(_ x: Int, _ y: Int) -> Int { isBox(x, y) ? box : wall }

    private func wallLuma(_ x: Int, _ y: Int) -> UInt8 { texture[y * 512 + x + 64] }
    private func boxLuma(_ x: Int, _ y: Int) -> UInt8 { texture[y * 512 + (x + 301) % 512] }

    package var left: PixelBuffer { frame { isBox($0, $1) ? boxLuma($0, $1) : wallLuma($0, $1) } }

    package var right: PixelBuffer {
        frame { x, y in
            isBox(x + box, y) ? boxLuma(x + box, y) : wallLuma(x + wall, y)
        }
    }

    private func frame(_ luma: (Int, Int) -> UInt8) -> PixelBuffer {
        var frame = PixelBuffer(width: width, height: height, format: .gray)
        frame.withMutablePlanes { planes in
            for y in 0..<height {
                for x in 0..<width { planes[0].row(y)[x] = luma(x, y) }
            }
        }
        return frame
    }
}
