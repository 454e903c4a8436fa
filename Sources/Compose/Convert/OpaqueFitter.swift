internal import Media

/// Brings RGB pictures upright into a frame of a size over a colour and leaves them RGB: where nothing is scaled
/// or transparent, every sample stays as it is. Thread-bound.
final class OpaqueFitter: FrameFitting {
    /// Pictures that wait, that the encoder holds, and the one being made.
    private static let busyFrames = 14

    // immutable
    let target: VideoFormat
    private let fitter: TransparentFitter
    private let background: Color
    private let pool: PixelBufferPool

    // owned by the calling thread
    /// What a still picture was made into, for as long as it is shown.
    private var last: (source: PixelBuffer, result: PixelBuffer)?

    /// - Parameter target: raw `rgb24` or `rgb48le`, upright, square pixels.
    init(
        _ target: VideoFormat, fit: FitMode, natural: PixelSize?, background: Color, waiting: Int
    ) {
        self.target = target
        self.background = background
        let isDeep = target.pixelFormat == .rgb48le
        var seen = target
        seen.coding = .raw(isDeep ? .rgba64le : .bgra)
        fitter = TransparentFitter(seen, fit: fit, natural: natural, waiting: 0)
        pool = PixelBufferPool(
            width: target.width, height: target.height, format: isDeep ? .rgb48le : .rgb24,
            limit: waiting + Self.busyFrames)
    }

    func fitted(
        _ picture: PixelBuffer, _ format: VideoFormat, share: Double
    ) throws(MediaError) -> PixelBuffer {
        let seen = try fitter.fitted(picture, format)
        if let last, last.source.sharesPixels(with: seen) { return last.result }
        var result = made()
        if target.pixelFormat == .rgb48le {
            flatten(seen, [0, 1, 2], into: &result, UInt16.self)
        } else {
            flatten(seen, [2, 1, 0], into: &result, UInt8.self)
        }
        last = (seen, result)
        return result
    }

    private func made() -> PixelBuffer {
        do { return try pool.makeBuffer() } catch {
            return PixelBuffer(
                width: target.width, height: target.height, format: target.pixelFormat ?? .rgb24)
        }
    }

    /// Each pixel over the colour by its opacity, which lies in the fourth component.
    /// - Parameter order: places of red, green and blue in the source.
    private func flatten<Level: FixedWidthInteger & UnsignedInteger>(
        _ source: PixelBuffer, _ order: [Int], into target: inout PixelBuffer, _: Level.Type
    ) {
        let (width, height) = (source.width, source.height)
        let full = UInt64(Level.max)
        let behind = [background.red, background.green, background.blue].map {
            UInt64((max(0, min(1, $0)) * Double(full)).rounded())
        }
        source.withPlane(0) { plane in
            target.withMutablePlanes { planes in
                for row in 0..<height {
                    let from = UnsafeRawPointer(plane.row(row)).assumingMemoryBound(to: Level.self)
                    let to = UnsafeMutableRawPointer(planes[0].row(row))
                        .assumingMemoryBound(to: Level.self)
                    for pixel in 0..<width {
                        let opacity = UInt64(from[4 * pixel + 3])
                        for part in 0..<3 {
                            let level = UInt64(from[4 * pixel + order[part]]) * opacity
                            let mixed = level + behind[part] * (full - opacity) + full / 2
                            to[3 * pixel + part] = Level(truncatingIfNeeded: mixed / full)
                        }
                    }
                }
            }
        }
    }
}
