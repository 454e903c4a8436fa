internal import LibAV
package import Media

/// Makes a GIF of pictures and the times at which they begin. Thread-bound.
///
/// Times are rounded to the 1/100 s of the format one by one, so that no errors add up. Of each picture only what
/// differs from the one before is written, in colours of its own. A picture that equals the one before lets that one
/// continue; one that begins less than 2/100 s after the one before, which browsers would show for 10/100 s, is left
/// out. The last one begins earlier where less than that would be left of it, so that the whole is as long as it
/// should be.
package final class GIFEncoder {
    /// Least time from one picture to the next (1/100 s).
    private static let leastDelay: Int64 = 2
    private static let mostDelay: Int64 = 65_535

    /// A picture on its way.
    private struct Coming {
        /// 0xAARRGGBB, wholly opaque or 0.
        var pixels: [UInt32]
        /// 1/100 s.
        var start: Int64
        var picture: PaletteFrame?
    }

    // immutable
    private let width: Int
    private let height: Int
    private let hasAlpha: Bool
    // owned by the calling thread
    private let stream: GIFStream
    private let palettes: PaletteMaker
    /// Not written yet.
    private var coming: [Coming] = []
    /// What the last picture written left on the canvas.
    private var shown: [UInt32] = []
    private var hasBegun = false
    /// Pictures in the file, and those that came too soon (counts).
    package private(set) var pictures = 0
    package private(set) var leftOut = 0

    /// - Parameters:
    ///   - width: 1…65,535.
    ///   - height: 1…65,535.
    ///   - hasAlpha: whether pictures are transparent in places; half opaque and more is opaque.
    ///   - loops: how often all is shown (count; nil: for ever).
    package init(width: Int, height: Int, hasAlpha: Bool, loops: Int?) throws(MediaError) {
        (self.width, self.height, self.hasAlpha) = (width, height, hasAlpha)
        guard (1...65_535).contains(width), (1...65_535).contains(height) else {
            throw MediaError(
                code: .overLimit, subject: "a GIF",
                message: "Cannot write a GIF of \(width)x\(height): its sides end at 65535.")
        }
        stream = try GIFStream(width: width, height: height, loops: loops)
        palettes = try PaletteMaker(width: width, height: height)
    }

    /// - Parameters:
    ///   - picture: bgra of the agreed size.
    ///   - start: rising (seconds); the first picture is shown from the beginning.
    /// - Returns: the file's next bytes.
    package func append(
        _ picture: PixelBuffer, at start: MediaTime
    ) throws(MediaError) -> [UInt8] {
        let begin = hasBegun ? start.ticks(per: 100, rounding: .nearest) : 0
        let pixels = cutOut(picture)
        if let last = coming.last {
            if last.pixels == pixels { return [] }
            guard begin - last.start >= Self.leastDelay else {
                leftOut += 1
                return []
            }
        }
        hasBegun = true
        coming.append(Coming(pixels: pixels, start: begin))
        place(try palettes.add(picture))
        try writeReady()
        return stream.take()
    }

    /// Ends the file.
    /// - Parameter end: when the last picture is no longer shown (seconds).
    package func finish(at end: MediaTime) throws(MediaError) -> [UInt8] {
        place(try palettes.finish())
        let end = end.ticks(per: 100, rounding: .nearest)
        makeRoomForLast(until: end)
        while !coming.isEmpty {
            let next = coming.removeFirst()
            let stop = coming.first?.start ?? max(next.start + Self.leastDelay, end)
            try write(next, until: stop)
        }
        try stream.finish()
        return stream.take()
    }

    /// Gives the last picture the least time there is: of the one before it, or it is left out.
    private func makeRoomForLast(until end: Int64) {
        guard coming.count > 1, let last = coming.last else { return }
        let start = min(last.start, end - Self.leastDelay)
        if start - coming[coming.count - 2].start >= Self.leastDelay {
            coming[coming.count - 1].start = start
        } else {
            coming.removeLast()
            leftOut += 1
        }
    }

    private func place(_ made: [PaletteFrame]) {
        for picture in made {
            guard let index = coming.firstIndex(where: { $0.picture == nil }) else { return }
            coming[index].picture = picture
        }
    }

    /// Writes pictures whose end is known: that of the last but one may change.
    private func writeReady() throws(MediaError) {
        while coming.count > 2, coming[0].picture != nil {
            let next = coming.removeFirst()
            try write(next, until: coming[0].start)
        }
    }

    private func write(_ next: Coming, until end: Int64) throws(MediaError) {
        guard let picture = next.picture else { return }
        var part = part(of: picture, next.pixels)
        shown = next.pixels
        pictures += 1
        // what lasts longer than the format can say is written again
        var left = end - next.start
        while left > 0 {
            var length = min(left, Self.mostDelay)
            if left > length, left - length < Self.leastDelay { length -= Self.leastDelay }
            part.delay = Int(length)
            try stream.append(part)
            left -= length
        }
    }

    /// What of a picture has to be written.
    private func part(of picture: PaletteFrame, _ pixels: [UInt32]) -> GIFStream.Picture {
        let clear = picture.transparentIndex
        guard !hasAlpha, !shown.isEmpty, let clear, let area = changed(pixels) else {
            return GIFStream.Picture(
                left: 0, top: 0, width: width, height: height, indices: picture.indices,
                palette: picture.palette, transparentIndex: clear, delay: 0, isTakenBack: hasAlpha)
        }
        var indices: [UInt8] = []
        indices.reserveCapacity(area.columns.count * area.rows.count)
        for row in area.rows {
            for place
                in (row * width + area.columns.lowerBound)..<(row * width
                + area.columns.upperBound)
            {
                indices.append(pixels[place] == shown[place] ? clear : picture.indices[place])
            }
        }
        return GIFStream.Picture(
            left: area.columns.lowerBound, top: area.rows.lowerBound, width: area.columns.count,
            height: area.rows.count, indices: indices, palette: picture.palette,
            transparentIndex: clear, delay: 0, isTakenBack: false)
    }

    /// The smallest rectangle outside of which nothing differs from what is shown; nil: there is none.
    private func changed(_ pixels: [UInt32]) -> (columns: Range<Int>, rows: Range<Int>)? {
        var (left, right, top, bottom) = (width, 0, height, 0)
        for row in 0..<height {
            let line = (row * width)..<((row + 1) * width)
            guard let first = line.first(where: { pixels[$0] != shown[$0] }),
                let last = line.last(where: { pixels[$0] != shown[$0] })
            else { continue }
            left = min(left, first - line.lowerBound)
            right = max(right, last - line.lowerBound + 1)
            top = min(top, row)
            bottom = row + 1
        }
        return left < right ? (left..<right, top..<bottom) : nil
    }

    /// Pixels as a GIF has them: opaque or not there.
    private func cutOut(_ picture: PixelBuffer) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: width * height) { buffer, filled in
            picture.withPlanes { planes in
                for row in 0..<height {
                    let source = UnsafeRawPointer(planes[0].row(row))
                    for x in 0..<width {
                        let pixel = UInt32(
                            littleEndian: source.loadUnaligned(
                                fromByteOffset: 4 &* x, as: UInt32.self))
                        buffer[row &* width &+ x] = pixel >> 31 == 0 ? 0 : pixel | 255 << 24
                    }
                }
            }
            filled = width * height
        }
    }
}
