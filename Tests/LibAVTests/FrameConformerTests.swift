import Media
import Testing

@testable import LibAV

@Suite("Frames brought to another format")
struct FrameConformerTests {
    private func format(
        _ pixels: PixelFormat, _ width: Int = 64, _ height: Int = 48,
        _ color: ColorDescription = .bt709
    ) -> VideoFormat {
        VideoFormat(coding: .raw(pixels), width: width, height: height, color: color)
    }

    /// A frame all of whose bytes are set by component.
    private func flat(_ pixels: PixelFormat, _ groups: [[UInt8]], _ size: (Int, Int)) -> PixelBuffer
    {
        var frame = PixelBuffer(width: size.0, height: size.1, format: pixels)
        let layouts = pixels.layout.planes
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let count = layouts[index].bytesPerRow(width: size.0)
                for y in 0..<plane.rows {
                    for x in 0..<count { plane.row(y)[x] = groups[index][x % groups[index].count] }
                }
            }
        }
        return frame
    }

    private func code(_ frame: PixelBuffer, _ plane: Int, _ x: Int, _ y: Int) -> Int {
        frame.withPlane(plane) { plane in
            frame.format.bitDepth > 8
                ? Int(plane.row(y)[2 * x]) | Int(plane.row(y)[2 * x + 1]) << 8
                : Int(plane.row(y)[x])
        }
    }

    /// Y 100, Cb 90, Cr 160 of BT.709, limited, in every format; RGB by hand.
    private static let kinds: [(PixelFormat, [[UInt8]])] = [
        (.yuv420p, [[100], [90], [160]]), (.yuv422p, [[100], [90], [160]]),
        (.yuv444p, [[100], [90], [160]]), (.yuva420p, [[100], [90], [160], [255]]),
        (.yuv420p10le, [[144, 1], [104, 1], [128, 2]]),
        (.yuv422p10le, [[144, 1], [104, 1], [128, 2]]),
        (.yuv444p10le, [[144, 1], [104, 1], [128, 2]]),
        (.yuva444p10le, [[144, 1], [104, 1], [128, 2], [255, 3]]),
        (.nv12, [[100], [90, 160]]), (.nv21, [[100], [160, 90]]), (.nv16, [[100], [90, 160]]),
        (.p010le, [[0, 100], [0, 90, 0, 160]]), (.yuyv422, [[100, 90, 100, 160]]),
        (.yvyu422, [[100, 160, 100, 90]]), (.uyvy422, [[90, 100, 160, 100]]),
        (.rgb24, [[155, 89, 18]]), (.bgr24, [[18, 89, 155]]), (.rgba, [[155, 89, 18, 255]]),
        (.bgra, [[18, 89, 155, 255]]), (.rgb48le, [[155, 155, 89, 89, 18, 18]]),
        (.rgba64le, [[155, 155, 89, 89, 18, 18, 255, 255]]),
    ]

    @Test("every format becomes planar YUV with the same colour", arguments: kinds)
    func formats(pixels: PixelFormat, groups: [[UInt8]]) throws {
        for (target, scale) in [(PixelFormat.yuv420p, 1), (.yuv420p10le, 4), (.yuv444p, 1)] {
            for size in [(64, 48), (63, 47)] {
                let conformer = try FrameConformer(
                    from: format(pixels, size.0, size.1, pixels.isRGB ? .unspecified : .bt709),
                    to: format(target, 32, 20))
                let result = try conformer.convert(flat(pixels, groups, size))
                #expect(result.alpha == nil)
                for (plane, wanted) in [100, 90, 160].enumerated() {
                    let half = plane > 0 && target != .yuv444p
                    for (x, y) in [(0, 0), (15, 9)] + (half ? [] : [(31, 19)]) {
                        let code = code(result.picture, plane, x, y)
                        #expect(
                            abs(code - wanted * scale) <= scale,
                            "\(pixels) to \(target), plane \(plane) at \(x) \(y)")
                    }
                }
            }
        }
    }

    @Test("grey is full range unless it says otherwise, and has no colour")
    func grey() throws {
        for (pixels, bytes) in [
            (PixelFormat.gray, [UInt8(128)]), (.gray10le, [2, 2]), (.gray12le, [8, 8]),
            (.gray16le, [128, 128]),
        ] {
            let conformer = try FrameConformer(
                from: format(pixels, 64, 48, .unspecified), to: format(.yuv420p, 64, 48))
            let frame = try conformer.convert(flat(pixels, [bytes], (64, 48))).picture
            #expect(abs(code(frame, 0, 5, 5) - 126) <= 1, "\(pixels)")
            #expect(code(frame, 1, 5, 5) == 128)
        }
        let limited = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .limited)
        let conformer = try FrameConformer(
            from: format(.gray, 64, 48, limited), to: format(.yuv420p, 64, 48))
        #expect(code(try conformer.convert(flat(.gray, [[128]], (64, 48))).picture, 0, 5, 5) == 128)
    }

    @Test("a side that does not state is like the other; both silent go by their lines")
    func unstated() throws {
        let same = try FrameConformer(
            from: format(.yuv420p, 64, 48, .unspecified), to: format(.yuv420p, 64, 48, .jpeg))
        let frame = flat(.yuv420p, [[100], [90], [160]], (64, 48))
        let result = try same.convert(frame).picture
        #expect([0, 1, 2].map { code(result, $0, 3, 3) } == [100, 90, 160])
        for (lines, matrix) in [(480, UInt8(6)), (720, 1)] {
            let silent = try FrameConformer(
                from: format(.yuv420p, 64, lines, .unspecified),
                to: format(.yuv420p, 64, lines, .unspecified))
            #expect(silent.output.color.matrix == matrix)
            #expect(silent.output.color.range == .limited)
        }
    }

    @Test("curves of the same display are one, so that a webcam's frame is not darkened")
    func transfer() throws {
        let conformer = try FrameConformer(
            from: format(.yuv420p, 64, 48, .jpeg), to: format(.yuv420p, 64, 48))
        let frame = try conformer.convert(flat(.yuv420p, [[128], [128], [128]], (64, 48))).picture
        // 128 of 255 is 126 of 16…235; sRGB's curve converted into BT.709's would give 115
        #expect(abs(code(frame, 0, 9, 9) - 126) <= 1)
    }

    @Test("primaries that are stated and differ are converted")
    func primaries() throws {
        let wide = ColorDescription(primaries: 9, transfer: 1, matrix: 9, range: .limited)
        let conformer = try FrameConformer(
            from: format(.yuv444p, 64, 48, wide), to: format(.yuv444p, 64, 48))
        let grey = try conformer.convert(flat(.yuv444p, [[126], [128], [128]], (64, 48))).picture
        #expect(abs(code(grey, 0, 4, 4) - 126) <= 1 && abs(code(grey, 1, 4, 4) - 128) <= 1)
        // a moderate green of BT.2020 is a stronger one of BT.709
        let green = flat(.yuv444p, [[140], [110], [110]], (64, 48))
        let result = try conformer.convert(green).picture
        #expect(code(result, 2, 4, 4) < 105)
    }

    @Test("a part of a frame fills the result, whole and between pixels")
    func region() throws {
        var frame = PixelBuffer(width: 64, height: 48, format: .yuv444p)
        frame.withMutablePlanes { planes in
            for y in 0..<48 { for x in 0..<64 { planes[0].row(y)[x] = UInt8(40 + 2 * x + y) } }
            for plane in planes[1...] {
                for y in 0..<48 { plane.row(y).update(repeating: 128, count: 64) }
            }
        }
        for shift in [0.0, 0.5, -0.25] {
            let conformer = try FrameConformer(
                from: format(.yuv444p), to: format(.yuv444p, 20, 10),
                region: .init(left: 10 + shift, top: 7, width: 20, height: 10))
            let result = try conformer.convert(frame).picture
            let wanted = 40 + 2 * (10.0 + 5 + shift) + (7 + 4)
            #expect(abs(Double(code(result, 0, 5, 4)) - wanted) <= 0.5)
        }
    }

    @Test(
        "every row of a frame that is made many times larger comes from its own place, in colour, too",
        arguments: [(20.0, PixelFormat.yuv420p), (32, .yuv420p), (48, .yuv420p), (32, .yuv444p)])
    func enlarged(times: Double, pixels: PixelFormat) throws {
        let (rows, down) = (92, pixels == .yuv420p ? 2 : 1)
        var frame = PixelBuffer(width: 16, height: rows, format: pixels)
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let step = index == 0 ? 1 : down
                for y in 0..<rows / step {
                    plane.row(y).update(repeating: UInt8(20 + 2 * y * step), count: 16 / step)
                }
            }
        }
        let height = Int(80 * times)
        let conformer = try FrameConformer(
            from: format(pixels, 16, rows), to: format(pixels, 16, height),
            region: .init(left: 0, top: 3, width: 16, height: 80))
        let result = try conformer.convert(frame).picture
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : down
            for y in 0..<height / step {
                // in rows of the plane, whose outermost ones have nothing beyond them
                let place = (3 + (Double(y * step) + Double(step) / 2) / times) / Double(step) - 0.5
                let wanted = 20 + 2 * Double(step) * max(0, place)
                let found = Double(code(result, plane, 3, y))
                #expect(abs(found - wanted) <= 1, "plane \(plane), row \(y)")
            }
        }
    }

    @Test("transparent pixels give their colour to nothing")
    func transparency() throws {
        var frame = PixelBuffer(width: 64, height: 48, format: .rgba)
        frame.withMutablePlanes { planes in
            for y in 0..<48 {
                for x in 0..<64 {
                    let pixel: [UInt8] = x < 32 ? [0, 255, 0, 0] : [200, 200, 200, 255]
                    for part in 0..<4 { planes[0].row(y)[4 * x + part] = pixel[part] }
                }
            }
        }
        let conformer = try FrameConformer(
            from: format(.rgba, 64, 48, .unspecified), to: format(.yuv444p, 16, 12))
        let result = try conformer.convert(frame)
        let alpha = try #require(result.alpha)
        #expect(code(alpha, 0, 2, 6) == 0 && code(alpha, 0, 13, 6) == 65_535)
        #expect(code(result.picture, 0, 2, 6) == 16)
        // at the border: half as opaque, grey and nothing of the green
        for x in 0..<16 { #expect(abs(code(result.picture, 1, x, 6) - 128) <= 1, "\(x)") }
    }

    @Test("strips join without a seam, and only what can be made is promised")
    func strips() throws {
        let source = format(.yuv420p, 64, 600)
        var frame = flat(.yuv420p, [[0], [90], [160]], (64, 600))
        frame.withMutablePlanes { planes in
            for y in 0..<600 { for x in 0..<64 { planes[0].row(y)[x] = UInt8(16 + y / 3) } }
        }
        let conformer = try FrameConformer(from: source, to: format(.yuv420p, 64, 800))
        let strips = try conformer.prepare(frame).strips
        #expect(strips.count == 3 && strips.first?.lowerBound == 0)
        #expect(zip(strips, strips.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(strips.last?.upperBound == 800)
        let result = try conformer.convert(frame).picture
        for y in 1..<799 {
            let step = code(result, 0, 30, y) - code(result, 0, 30, y - 1)
            #expect((0...1).contains(step), "row \(y)")
        }
        #expect(throws: MediaError.self) {
            _ = try FrameConformer(from: source, to: format(.yuv420p, 63, 47))
        }
        #expect(throws: MediaError.self) {
            _ = try FrameConformer(from: source, to: format(.rgb24, 64, 48))
        }
    }
}
