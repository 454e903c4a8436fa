import Media
import TestSupport
import Testing

@testable import LibAV

@Suite("Frames made in strips, and only what changed of them")
struct ConformerStripTests {
    private func format(_ pixels: PixelFormat, _ width: Int, _ height: Int) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height,
            color: pixels.isRGB ? .unspecified : .bt709)
    }

    private func bytes(of pixels: PixelFormat) -> Int {
        pixels.layout.planes[0].bytesPerGroup / pixels.layout.planes[0].pixelsPerGroup
    }

    /// A copy (of nothing, or of a frame) with pixels of no order in an area, so that whatever is filtered wrongly
    /// shows. Opaque, but for `opacity`.
    private func noise(
        _ format: VideoFormat, rows: Range<Int>, columns: Range<Int>,
        over picture: PixelBuffer? = nil,
        opacity: UInt8 = 255, using random: inout SplitMix
    ) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .rgba
        let size = bytes(of: pixels)
        var result = PixelBuffer(width: format.width, height: format.height, format: pixels)
        result.withMutablePlanes { targets in
            picture?.withPlane(0) { plane in
                for y in 0..<format.height {
                    targets[0].row(y).update(from: plane.row(y), count: size * format.width)
                }
            }
            for plane in targets.dropFirst() {
                for y in 0..<plane.rows {
                    for byte in 0..<plane.bytesPerRow {
                        plane.row(y)[byte] = code(at: byte, pixels, opacity, &random)
                    }
                }
            }
            for y in rows {
                for byte in (size * columns.lowerBound)..<(size * columns.upperBound) {
                    targets[0].row(y)[byte] = code(at: byte, pixels, opacity, &random)
                }
            }
        }
        return result
    }

    private func code(
        at byte: Int, _ pixels: PixelFormat, _ opacity: UInt8, _ random: inout SplitMix
    ) -> UInt8 {
        let code = UInt8.random(in: 0...255, using: &random)
        switch pixels {
        case .rgba, .bgra: return byte % 4 == 3 ? opacity : code
        case .rgba64le: return byte % 8 >= 6 ? opacity : code
        default: return pixels.bitDepth == 10 && byte % 2 == 1 ? code & 3 : code
        }
    }

    private func noise(_ format: VideoFormat, using random: inout SplitMix) -> PixelBuffer {
        noise(format, rows: 0..<format.height, columns: 0..<format.width, using: &random)
    }

    /// All bytes that mean something, plane by plane.
    private func bytes(_ frame: PixelBuffer) -> [[UInt8]] {
        frame.withPlanes { planes in
            zip(planes, frame.format.layout.planes).map { plane, layout in
                (0..<layout.rows(height: frame.height)).flatMap { row in
                    Array(
                        UnsafeBufferPointer(
                            start: plane.row(row), count: layout.bytesPerRow(width: frame.width)))
                }
            }
        }
    }

    /// Sources whose chroma is filtered where their size is kept, and for which it is not.
    private static let filtered: [(PixelFormat, PixelFormat, UInt8)] = [
        (.rgba, .yuv420p, 1), (.yuv420p, .yuv420p, 6), (.yuv420p, .yuv420p, 1),
        (.yuv422p, .yuv420p, 1), (.yuv420p, .yuv444p, 6), (.yuv444p, .yuv420p, 6),
        (.yuv422p10le, .yuv420p, 1), (.nv12, .yuv422p10le, 1),
    ]

    @Test("strips join without a seam where the size is kept", arguments: filtered)
    func kept(from: PixelFormat, to: PixelFormat, matrix: UInt8) throws {
        var random = SplitMix(seed: 1)
        let width = 240
        func source(_ height: Int) -> VideoFormat {
            var result = format(from, width, height)
            if !from.isRGB { result.color.matrix = matrix }
            return result
        }
        let frame = noise(source(600), using: &random)
        let conformer = try FrameConformer(from: source(600), to: format(to, width, 600))
        #expect(try conformer.prepare(frame).strips == [0..<304, 304..<600])
        let result = bytes(try conformer.convert(frame).picture)
        // the rows where they meet, of a frame of a single strip
        let (first, height) = (260, 100)
        var part = PixelBuffer(width: width, height: height, format: from)
        part.withMutablePlanes { targets in
            frame.withPlanes { planes in
                for (index, layout) in from.layout.planes.enumerated() {
                    for y in 0..<(height / layout.rowsPerRow) {
                        targets[index].row(y).update(
                            from: planes[index].row(first / layout.rowsPerRow + y),
                            count: layout.bytesPerRow(width: width))
                    }
                }
            }
        }
        let single = try FrameConformer(from: source(height), to: format(to, width, height))
        #expect(try single.prepare(part).strips.count == 1)
        let wanted = bytes(try single.convert(part).picture)
        for (plane, layout) in to.layout.planes.enumerated() {
            let (bytes, down) = (layout.bytesPerRow(width: width), layout.rowsPerRow)
            // but for the edges of the small one
            let rows = (8 / down)..<((height - 8) / down)
            let there = result[plane][
                ((rows.lowerBound + first / down) * bytes)..<((rows.upperBound + first / down)
                    * bytes)]
            let isSame = there.elementsEqual(
                wanted[plane][(rows.lowerBound * bytes)..<(rows.upperBound * bytes)])
            #expect(isSame, "plane \(plane)")
        }
    }

    @Test("strips of enlarged RGB are filtered alike, however many rows they have")
    func enlarged() throws {
        // rows that alternate, twice as many of them: everything comes again every four rows
        let (source, target) = (format(.rgba, 64, 276), format(.yuv420p, 128, 552))
        var random = SplitMix(seed: 2)
        let two = noise(format(.rgba, 64, 2), using: &random)
        var frame = PixelBuffer(width: 64, height: 276, format: .rgba)
        frame.withMutablePlanes { targets in
            two.withPlane(0) { plane in
                for y in 0..<276 { targets[0].row(y).update(from: plane.row(y % 2), count: 256) }
            }
        }
        let conformer = try FrameConformer(from: source, to: target)
        let strips = try conformer.prepare(frame).strips.map(\.count)
        #expect(strips.count == 2 && strips[0] != strips[1])
        let result = bytes(try conformer.convert(frame).picture)
        for plane in 1...2 {
            for y in 6..<270 {
                let (row, next) = (result[plane][(64 * y)...], result[plane][(64 * (y + 2))...])
                let most = zip(row.prefix(64), next.prefix(64)).map { abs(Int($0) - Int($1)) }.max()
                #expect(most ?? 256 <= 1, "plane \(plane) row \(y)")
            }
        }
    }

    private static let kinds: [(PixelFormat, PixelFormat, Int, Int)] = [
        (.rgba, .yuv420p, 322, 210), (.rgb24, .yuv420p, 1000, 130), (.rgb24, .yuv444p, 131, 75),
        (.bgr24, .yuv422p, 90, 300), (.rgb48le, .yuv420p10le, 700, 98),
        (.rgba, .yuv444p10le, 33, 600), (.rgb24, .yuv420p10le, 322, 98),
        (.bgr24, .yuv422p10le, 130, 90),
        (.rgba64le, .yuv420p, 480, 66), (.bgra, .yuv420p, 854, 40), (.rgba, .yuv420p, 640, 400),
    ]

    @Test("a frame of which only a part changed looks as it does alone", arguments: kinds)
    func parts(from: PixelFormat, to: PixelFormat, width: Int, height: Int) throws {
        var random = SplitMix(seed: UInt64(width))
        let (source, target) = (format(from, width, height), format(to, width, height))
        let maker = try FrameConformer(from: source, to: target, isSteady: true)
        var frame = noise(source, using: &random)
        // what an encoder would hold, so that memory of different age is used again
        var held: [PixelBuffer] = []
        for number in 0..<40 {
            let (result, alpha) = try maker.convert(frame)
            held.append(result)
            held.removeFirst(Int.random(in: held.count / 2...held.count, using: &random))
            let alone = try FrameConformer(from: source, to: target).convert(frame)
            #expect((alpha == nil) == (alone.alpha == nil))
            let isSame = bytes(result) == bytes(alone.picture)
            #expect(isSame, "picture \(number)")
            // small and large ones, and every seventh along an edge
            let most = number % 3 == 0 ? (4, 4) : (width, height)
            var columns = 0..<Int.random(in: 1...most.0, using: &random)
            var rows = 0..<Int.random(in: 1...most.1, using: &random)
            let across = Int.random(in: 0...(width - columns.count), using: &random)
            let down = Int.random(in: 0...(height - rows.count), using: &random)
            columns = columns.lowerBound + across..<columns.upperBound + across
            if number % 7 != 0 { rows = rows.lowerBound + down..<rows.upperBound + down }
            frame = noise(
                source, rows: rows, columns: columns, over: frame,
                opacity: number == 20 ? 90 : 255, using: &random)
            // what was transparent becomes opaque again
            if number == 21 { frame = noise(source, using: &random) }
        }
    }

    /// Which pixels a conformer makes anew of the next frame, over black: rows and columns of luma, and the same of
    /// chroma.
    private func made(
        _ maker: FrameConformer, _ frame: PixelBuffer
    ) throws -> (luma: [Set<Int>], chroma: [Set<Int>]) {
        let output = maker.output
        var black = PixelBuffer(
            width: output.width, height: output.height, format: .yuv420p)
        black.withMutablePlanes { planes in
            for plane in planes {
                for row in 0..<plane.rows {
                    plane.row(row).update(repeating: 0, count: plane.bytesPerRow)
                }
            }
        }
        let prepared = try maker.prepare(frame)
        let changed = prepared.changed ?? RowSpans(width: output.width, height: output.height)
        try black.withMutablePlanes { planes in
            for rows in prepared.strips {
                try prepared.colors.make(rows, of: changed, into: planes)
            }
        }
        let planes = bytes(black)
        func places(_ plane: Int, _ width: Int) -> [Set<Int>] {
            let found = planes[plane].indices.filter { planes[plane][$0] != 0 }
            return [Set(found.map { $0 / width }), Set(found.map { $0 % width })]
        }
        return (places(0, output.width), places(1, output.width / 2))
    }

    @Test("only what changed is made anew, and what is near enough to be filtered with it")
    func changed() throws {
        var random = SplitMix(seed: 3)
        let (source, target) = (format(.rgba, 300, 128), format(.yuv420p, 300, 128))
        let maker = try FrameConformer(from: source, to: target, isSteady: true)
        let first = noise(source, using: &random)
        func isAll(_ made: (luma: [Set<Int>], chroma: [Set<Int>])) -> Bool {
            made.luma.map(\.count) == [128, 300] && made.chroma.map(\.count) == [64, 150]
        }
        // the first is kept by nobody: a view that moves is a conformer's only one
        #expect(isAll(try made(maker, first)) && !maker.steady.isComparing)
        #expect(isAll(try made(maker, first)) && maker.steady.isComparing)
        #expect(try maker.prepare(first).changed?.isEmpty ?? false)
        func spot(_ row: Int, _ column: Int, opacity: UInt8 = 255) -> PixelBuffer {
            noise(
                source, rows: row..<(row + 1), columns: column..<(column + 1), over: first,
                opacity: opacity, using: &random)
        }
        // found in blocks of 64 bytes; half of the chroma rows take rows above and below their own
        let even = try made(maker, spot(16, 150))
        #expect(even.luma[0] == [16] && even.chroma[0] == [7, 8])
        #expect(even.luma[1].contains(150) && even.luma[1].count < 50)
        #expect(even.chroma[1].contains(75) && even.chroma[1].count < 30)
        // that is put back, and there is another one
        let both = try made(maker, spot(63, 10))
        #expect(both.luma[0] == [16, 63] && both.chroma[0] == [7, 8, 31, 32])
        // a transparent one is made otherwise, and so is all of the next
        #expect(isAll(try made(maker, spot(100, 100, opacity: 0))))
        #expect(isAll(try made(maker, first)))
        #expect(try maker.prepare(first).changed?.isEmpty ?? false)
    }

    @Test(
        "where the source says what changed nothing else is looked at, unless frames are missing"
    )
    func reported() throws {
        var random = SplitMix(seed: 4)
        let (source, target) = (format(.rgba, 64, 128), format(.yuv420p, 64, 128))
        let maker = try FrameConformer(from: source, to: target, isSteady: true)
        var first = noise(source, using: &random)
        let start = PixelChange.first(width: 64, height: 128)
        first.change = start
        _ = try maker.prepare(first)
        _ = try maker.prepare(first)
        // it states the truth of the upper rows only
        let upper = noise(source, rows: 5..<6, columns: 0..<64, over: first, using: &random)
        var both = noise(source, rows: 110..<111, columns: 0..<64, over: upper, using: &random)
        var spans = RowSpans(rows: 128)
        spans.formUnion(0..<64, row: 5)
        let next = start.next(spans)
        both.change = next
        #expect(try made(maker, both).luma[0] == [5])
        // after a frame of another number, or of another source, all is compared
        let other = PixelChange.first(width: 64, height: 128)
        for change in [start, other, next.next(RowSpans(rows: 128)).next(spans)] {
            _ = try maker.prepare(first)
            both.change = change
            #expect(try made(maker, both).luma[0] == [5, 110])
        }
    }
}
