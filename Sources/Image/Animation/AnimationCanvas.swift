internal import Media

/// The canvas of an animation, on which its pictures are drawn one after the other. Thread-bound.
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
    private var changed: RowSpans
    private var change: PixelChange?
    /// What a picture that is to be taken back again covers.
    private var saved: PixelBuffer?
    private var latest: PicturePlacement?

    /// A copy that was handed out, and where it does not show what the canvas does.
    private struct Copy {
        var picture: PixelBuffer
        var stale: RowSpans
    }

    /// Copies remembered (pictures).
    private static let mostCopies = 3

    init(width: Int, height: Int, format: PixelFormat) {
        (self.width, self.height, self.format) = (width, height, format)
        canvas = PixelBuffer(width: width, height: height, format: .rgba)
        changed = RowSpans(rows: height)
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
    mutating func compose(_ patch: AnimationPatch, _ placement: PicturePlacement) {
        let area = Area(placement, within: width, height)
        guard !area.isEmpty else { return }
        switch patch.pixels {
        case .straight(let picture):
            touch(area)
            compose(picture, placement, area)
        case .indexed(let picture): compose(picture, placement, area)
        }
    }

    private mutating func compose(
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

    private mutating func compose(
        _ picture: IndexedPicture, _ placement: PicturePlacement, _ area: Area
    ) {
        let (left, top) = (area.x - placement.x, area.y - placement.y)
        let paints = picture.palette.map { UInt64($0) | ($0 == 0 ? UInt64(UInt32.max) << 32 : 0) }
        canvas.withMutablePlanes { targets in
            picture.indices.withUnsafeBufferPointer { indices in
                paints.withUnsafeBufferPointer { paints in
                    guard let indices = indices.baseAddress, let paints = paints.baseAddress
                    else { return }
                    for (place, row) in picture.rows.enumerated()
                    where (top..<(top + area.height)).contains(row) {
                        let start = place * picture.width + left
                        let count = max(0, min(area.width, picture.indices.count - start))
                        let target = row - top + area.y
                        let painted = Self.cover(
                            indices + start, count, paints, but: picture.clear,
                            over: targets[0].row(target) + 4 * area.x)
                        changed.formUnion(
                            area.x + painted.lowerBound..<area.x + painted.upperBound, row: target)
                    }
                }
            }
        }
    }

    /// Colours that are there over what is there.
    /// - Parameter paints: of each index the colour, and above it the bits that stay as they are.
    /// - Returns: outside these nothing was painted.
    private static func cover(
        _ indices: UnsafePointer<UInt8>, _ count: Int, _ paints: UnsafePointer<UInt64>,
        but clear: UInt8?, over target: UnsafeMutablePointer<UInt8>
    ) -> Range<Int> {
        let pixels = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
        // no branches: films have no order in what stays
        func paint(_ x: Int, _ index: Int) {
            let paint = paints[index]
            pixels[x] =
                pixels[x] & UInt32(truncatingIfNeeded: paint &>> 32)
                | UInt32(truncatingIfNeeded: paint)
        }
        // most of a film is often as it was
        let nothing = SIMD4<UInt64>(repeating: UInt64(clear ?? 0) &* 0x0101_0101_0101_0101)
        let bytes = UnsafeRawPointer(indices)
        var (first, end, x) = (count, 0, 0)
        while x &+ 8 <= count {
            if clear != nil, x &+ 32 <= count,
                bytes.loadUnaligned(fromByteOffset: x, as: SIMD4<UInt64>.self) == nothing
            {
                x &+= 32
                continue
            }
            let eight = bytes.loadUnaligned(fromByteOffset: x, as: UInt64.self)
            if eight != nothing[0] || clear == nil {
                var rest = UInt64(littleEndian: eight)
                for place in 0..<8 {
                    paint(x &+ place, Int(truncatingIfNeeded: rest & 255))
                    rest &>>= 8
                }
                first = min(first, x)
                end = x &+ 8
            }
            x &+= 8
        }
        if x < count {
            for place in x..<count { paint(place, Int(indices[place])) }
            (first, end) = (min(first, x), count)
        }
        return first < end ? first..<end : 0..<0
    }

    /// What is seen, for reading.
    mutating func picture() -> PixelBuffer {
        for index in copies.indices { copies[index].stale.formUnion(changed) }
        // the youngest lacks least
        let found = copies.indices.last { copies[$0].picture.isUniquelyHeld() }
        // one holder only while it is written
        var copy =
            found.map { copies.remove(at: $0) }
            ?? Copy(
                picture: PixelBuffer(width: width, height: height, format: format),
                stale: RowSpans(width: width, height: height))
        update(&copy.picture, in: copy.stale)
        change = change?.next(changed) ?? .first(width: width, height: height)
        copy.picture.change = change
        changed = RowSpans(rows: height)
        copy.stale = changed
        copies.append(copy)
        if copies.count > Self.mostCopies { copies.removeFirst() }
        return copy.picture
    }

    private func update(_ copy: inout PixelBuffer, in spans: RowSpans) {
        let isOpaque = format == .rgb24
        copy.withMutablePlanes { targets in
            canvas.withPlane(0) { plane in
                for row in spans.rows where !spans[row].isEmpty {
                    let (start, count) = (spans[row].lowerBound, spans[row].count)
                    let source = plane.row(row) + 4 * start
                    guard isOpaque else {
                        (targets[0].row(row) + 4 * start).update(from: source, count: 4 * count)
                        continue
                    }
                    let target = targets[0].row(row) + 3 * start
                    for x in 0..<count {
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
        for row in area.y..<(area.y + area.height) {
            changed.formUnion(area.x..<(area.x + area.width), row: row)
        }
    }

    private var whole: Area { Area(x: 0, y: 0, width: width, height: height) }

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
