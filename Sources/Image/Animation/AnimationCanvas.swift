internal import Media

/// The canvas of an animation, on which its pictures are laid one after the other. Thread-bound.
///
/// Straight (not premultiplied) RGBA of 8 bits; it begins transparent. Besides the canvas it holds the part that
/// the next picture may have to give back, and the copies it handed out last: one that nobody looks at any more is
/// brought up to date where the canvas has changed since, and handed out again.
struct AnimationCanvas {
    let width: Int
    let height: Int
    /// Of the copies: rgba, or rgb24 where nothing is transparent.
    private let format: PixelFormat
    private var canvas: PixelBuffer
    private var copies: [Copy] = []
    /// What changed since the last copy was handed out.
    private var changed: Area
    private var change: PixelChange?
    /// What a picture that is to be taken back again covers.
    private var saved: PixelBuffer?
    private var latest: PicturePlacement?

    /// A copy that was handed out, and where it does not show what the canvas does.
    private struct Copy {
        var picture: PixelBuffer
        var stale: Area
    }

    /// Copies remembered (pictures).
    private static let mostCopies = 3

    init(width: Int, height: Int, format: PixelFormat) {
        (self.width, self.height, self.format) = (width, height, format)
        canvas = PixelBuffer(width: width, height: height, format: .rgba)
        changed = .none
        clear()
    }

    /// Begins anew.
    mutating func clear() {
        (saved, latest) = (nil, nil)
        erase(whole)
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
        touch(area)
        switch patch.pixels {
        case .straight(let picture): lay(picture, placement, area)
        case .indexed(let picture): lay(picture, placement, area)
        }
    }

    private mutating func lay(
        _ picture: PixelBuffer, _ placement: PicturePlacement, _ area: Area
    ) {
        let (left, top) = (area.x - placement.x, area.y - placement.y)
        canvas.withMutablePlanes { targets in
            picture.withPlane(0) { plane in
                for row in 0..<area.height {
                    let source = plane.row(row + top) + 4 * left
                    let target = targets[0].row(row + area.y) + 4 * area.x
                    if placement.isBlended {
                        Self.blend(source, over: target, area.width)
                    } else {
                        target.update(from: source, count: 4 * area.width)
                    }
                }
            }
        }
    }

    private mutating func lay(
        _ picture: IndexedPicture, _ placement: PicturePlacement, _ area: Area
    ) {
        let (left, top) = (area.x - placement.x, area.y - placement.y)
        canvas.withMutablePlanes { targets in
            picture.indices.withUnsafeBufferPointer { indices in
                picture.palette.withUnsafeBufferPointer { palette in
                    guard let indices = indices.baseAddress, let palette = palette.baseAddress
                    else { return }
                    for (place, row) in picture.rows.enumerated()
                    where (top..<(top + area.height)).contains(row) {
                        let start = place * picture.width + left
                        let target = targets[0].row(row - top + area.y) + 4 * area.x
                        Self.cover(
                            indices + start, palette, over: target,
                            max(0, min(area.width, picture.indices.count - start)))
                    }
                }
            }
        }
    }

    /// Colours that are there over what is there.
    private static func cover(
        _ indices: UnsafePointer<UInt8>, _ palette: UnsafePointer<UInt32>,
        over target: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let pixels = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
        for x in 0..<count {
            let color = palette[Int(indices[x])]
            pixels[x] = color == 0 ? pixels[x] : color
        }
    }

    /// What is seen, for reading.
    mutating func picture() -> PixelBuffer {
        let found = copies.indices.first { copies[$0].picture.isUniquelyHeld() }
        // one holder only while it is written
        var copy =
            found.map { copies.remove(at: $0) }
            ?? Copy(
                picture: PixelBuffer(width: width, height: height, format: format), stale: whole)
        update(&copy.picture, in: copy.stale)
        copy.stale = .none
        let rows = changed.isEmpty ? 0..<0 : changed.y..<(changed.y + changed.height)
        change = change?.next(rows: rows) ?? .first(rows: height)
        copy.picture.change = change
        changed = .none
        copies.append(copy)
        if copies.count > Self.mostCopies { copies.removeFirst() }
        return copy.picture
    }

    private func update(_ copy: inout PixelBuffer, in area: Area) {
        guard !area.isEmpty else { return }
        let isOpaque = format == .rgb24
        copy.withMutablePlanes { targets in
            canvas.withPlane(0) { plane in
                for row in area.y..<(area.y + area.height) {
                    let source = plane.row(row) + 4 * area.x
                    guard isOpaque else {
                        (targets[0].row(row) + 4 * area.x).update(
                            from: source, count: 4 * area.width)
                        continue
                    }
                    let target = targets[0].row(row) + 3 * area.x
                    for x in 0..<area.width {
                        target[3 * x] = source[4 * x]
                        target[3 * x + 1] = source[4 * x + 1]
                        target[3 * x + 2] = source[4 * x + 2]
                    }
                }
            }
        }
    }

    /// Notes what is about to change.
    private mutating func touch(_ area: Area) {
        changed.formUnion(area)
        for index in copies.indices { copies[index].stale.formUnion(area) }
    }

    private var whole: Area { Area(x: 0, y: 0, width: width, height: height) }

    /// A part of the canvas (pixels).
    private struct Area {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        static let none = Area(x: 0, y: 0, width: 0, height: 0)

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

        /// The smallest area that holds both.
        mutating func formUnion(_ other: Area) {
            guard !other.isEmpty else { return }
            guard !isEmpty else {
                self = other
                return
            }
            let (right, bottom) = (
                max(x + width, other.x + other.width), max(y + height, other.y + other.height)
            )
            (x, y) = (min(x, other.x), min(y, other.y))
            (width, height) = (right - x, bottom - y)
        }
    }

    private mutating func erase(_ area: Area) {
        guard !area.isEmpty else { return }
        touch(area)
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
        touch(area)
        canvas.withMutablePlanes { targets in
            saved.withPlanes { sources in
                for row in 0..<area.height {
                    (targets[0].row(row + area.y) + 4 * area.x).update(
                        from: sources[0].row(row), count: 4 * area.width)
                }
            }
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
