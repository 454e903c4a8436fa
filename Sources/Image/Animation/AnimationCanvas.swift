internal import Media

/// The canvas of an animation, on which its pictures are laid one after the other. Thread-bound.
///
/// Straight (not premultiplied) RGBA of 8 bits; it begins transparent. Besides the canvas it holds the part that
/// the next picture may have to give back.
struct AnimationCanvas {
    let width: Int
    let height: Int
    private var canvas: PixelBuffer
    /// Memory of the copies, used again: getting it from the system anew for each costs as much as the copy.
    private let pool: PixelBufferPool
    /// What a picture that is to be taken back again covers.
    private var saved: PixelBuffer?
    private var latest: PicturePlacement?

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        canvas = PixelBuffer(width: width, height: height, format: .rgba)
        pool = PixelBufferPool(width: width, height: height, format: .rgba, limit: Self.copies)
        clear()
    }

    /// Copies whose memory is used again; more are made as they come.
    private static let copies = 3

    /// Begins anew.
    mutating func clear() {
        (saved, latest) = (nil, nil)
        erase(Area(x: 0, y: 0, width: width, height: height))
    }

    /// Takes away or leaves the picture before, and keeps what the next one will have to give back.
    mutating func prepare(for placement: PicturePlacement) {
        if let latest {
            let area = Area(latest, within: width, height)
            switch latest.disposal {
            case .keep: break
            case .clear: erase(area)
            case .restore: giveBack(area)
            }
        }
        saved = nil
        latest = placement
        if placement.disposal == .restore { keep(Area(placement, within: width, height)) }
    }

    /// Lays a picture of the size that was agreed.
    mutating func lay(_ patch: AnimationPatch, _ placement: PicturePlacement) {
        let area = Area(placement, within: width, height)
        guard !area.isEmpty else { return }
        let (left, top) = (area.x - placement.x, area.y - placement.y)
        canvas.withMutablePlanes { targets in
            patch.picture.withPlanes { sources in
                for row in 0..<area.height {
                    let source = sources[0].row(row + top) + 4 * left
                    let target = targets[0].row(row + area.y) + 4 * area.x
                    if placement.isBlended, patch.isCutOut {
                        Self.cover(source, over: target, area.width)
                    } else if placement.isBlended {
                        Self.blend(source, over: target, area.width)
                    } else {
                        target.update(from: source, count: 4 * area.width)
                    }
                }
            }
        }
    }

    /// A copy of what is seen.
    /// - Parameter format: rgba, or rgb24 where nothing is transparent.
    func picture(_ format: PixelFormat) -> PixelBuffer {
        var result =
            (format == .rgba ? try? pool.makeBuffer() : nil)
            ?? PixelBuffer(width: width, height: height, format: format)
        let isOpaque = format == .rgb24
        result.withMutablePlanes { targets in
            canvas.withPlanes { sources in
                for row in 0..<height {
                    let (source, target) = (sources[0].row(row), targets[0].row(row))
                    guard isOpaque else {
                        target.update(from: source, count: 4 * width)
                        continue
                    }
                    for x in 0..<width {
                        target[3 * x] = source[4 * x]
                        target[3 * x + 1] = source[4 * x + 1]
                        target[3 * x + 2] = source[4 * x + 2]
                    }
                }
            }
        }
        return result
    }

    /// A part of the canvas (pixels).
    private struct Area {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        var isEmpty: Bool { width <= 0 || height <= 0 }

        init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        init(_ placement: PicturePlacement, within width: Int, _ height: Int) {
            x = max(0, placement.x)
            y = max(0, placement.y)
            self.width = min(width, placement.x + placement.width) - x
            self.height = min(height, placement.y + placement.height) - y
        }
    }

    private mutating func erase(_ area: Area) {
        guard !area.isEmpty else { return }
        canvas.withMutablePlanes { planes in
            for row in area.y..<(area.y + area.height) {
                (planes[0].row(row) + 4 * area.x).update(repeating: 0, count: 4 * area.width)
            }
        }
    }

    private mutating func keep(_ area: Area) {
        guard !area.isEmpty else { return }
        var part = PixelBuffer(width: area.width, height: area.height, format: .rgba)
        part.withMutablePlanes { targets in
            canvas.withPlanes { sources in
                for row in 0..<area.height {
                    targets[0].row(row).update(
                        from: sources[0].row(row + area.y) + 4 * area.x, count: 4 * area.width)
                }
            }
        }
        saved = part
    }

    private mutating func giveBack(_ area: Area) {
        guard let saved, !area.isEmpty else { return }
        canvas.withMutablePlanes { targets in
            saved.withPlanes { sources in
                for row in 0..<area.height {
                    (targets[0].row(row + area.y) + 4 * area.x).update(
                        from: sources[0].row(row), count: 4 * area.width)
                }
            }
        }
    }

    /// Pixels that are there over what is there.
    private static func cover(
        _ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let pixels = UnsafeRawPointer(source).assumingMemoryBound(to: UInt32.self)
        let below = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
        for x in 0..<count {
            let pixel = pixels[x]
            below[x] = UInt32(littleEndian: pixel) >= 255 << 24 ? pixel : below[x]
        }
    }

    /// Straight alpha over straight alpha, rounded to nearest.
    private static func blend(
        _ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for x in stride(from: 0, to: 4 * count, by: 4) {
            let opacity = Int(source[x + 3])
            if opacity == 0 { continue }
            let below = Int(target[x + 3])
            if opacity == 255 || below == 0 {
                for channel in x..<(x + 4) { target[channel] = source[channel] }
                continue
            }
            // in parts of 255 · 255
            let (front, back) = (255 * opacity, below * (255 - opacity))
            let whole = front + back
            for channel in x..<(x + 3) {
                let sum = Int(source[channel]) * front + Int(target[channel]) * back
                target[channel] = UInt8((sum + whole / 2) / whole)
            }
            target[x + 3] = UInt8((whole + 127) / 255)
        }
    }
}
