import LibAV
import Media
import Testing

@Suite("Frames brought to straight opacity")
struct StraightConformerTests {
    /// A frame of one plane of four bytes a pixel.
    private func picture(
        _ format: PixelFormat, _ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]
    ) -> PixelBuffer {
        var picture = PixelBuffer(width: width, height: height, format: format)
        picture.withMutablePlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    for (place, byte) in pixel(x, y).enumerated() {
                        planes[0].row(y)[4 * x + place] = byte
                    }
                }
            }
        }
        return picture
    }

    private func format(_ pixels: PixelFormat, _ width: Int, _ height: Int) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height,
            color: pixels.isRGB ? .unspecified : .bt709)
    }

    private func bytes(_ frame: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
        frame.withPlane(0) { plane in (0..<4).map { Int(plane.row(y)[4 * x + $0]) } }
    }

    private func codes(_ frame: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
        frame.withPlanes { planes in
            planes.map { Int($0.row(y)[2 * x]) | Int($0.row(y)[2 * x + 1]) << 8 }
        }
    }

    @Test("every pixel is itself in another order, the invisible ones too")
    func reordered() throws {
        let source = picture(.rgba, 33, 5) { x, y in
            [UInt8(x), UInt8(50 * y), UInt8(200 - x), UInt8(x * 7)]
        }
        let conformer = try StraightConformer(
            from: format(.rgba, 33, 5), to: format(.bgra, 33, 5))
        var result = PixelBuffer(width: 33, height: 5, format: .bgra)
        try conformer.convert(source, into: &result)
        for y in 0..<5 {
            for x in 0..<33 {
                let (old, new) = (bytes(source, x, y), bytes(result, x, y))
                #expect(new == [old[2], old[1], old[0], old[3]])
            }
        }
    }

    @Test("opacity of 8 bits spreads over 10, and comes back")
    func spread() throws {
        let source = picture(.rgba, 256, 2) { x, _ in [255, 0, 0, UInt8(x)] }
        let conformer = try StraightConformer(
            from: format(.rgba, 256, 2), to: format(.yuva444p10le, 256, 2))
        var result = PixelBuffer(width: 256, height: 2, format: .yuva444p10le)
        try conformer.convert(source, into: &result)
        for x in 0..<256 {
            let code = codes(result, x, 1)
            #expect(code[3] == (x * 1023 + 127) / 255 && (code[3] * 255 + 511) / 1023 == x)
            // red of BT.709, whatever the opacity
            #expect(code[0] == 250 && code[1] == 409 && code[2] == 960, "\(code)")
        }
    }

    @Test(
        "a frame made smaller or larger takes in no colour of what is invisible",
        arguments: [PixelFormat.bgra, .yuva444p10le], [(20, 10), (150, 77)])
    func scaled(_ target: PixelFormat, _ size: (Int, Int)) throws {
        // red on black that is not to be seen
        let source = picture(.rgba, 60, 30) { x, y in
            x > 15 && x < 45 && y > 8 && y < 22 ? [255, 0, 0, 255] : [0, 0, 0, 0]
        }
        let conformer = try StraightConformer(
            from: format(.rgba, 60, 30), to: format(target, size.0, size.1))
        var result = PixelBuffer(width: size.0, height: size.1, format: target)
        try conformer.convert(source, into: &result)
        var soft = 0
        for y in 0..<size.1 {
            for x in 0..<size.0 {
                let code = target == .bgra ? bytes(result, x, y) : codes(result, x, y)
                let most = target == .bgra ? 255 : 1023
                guard code[3] > most / 64 else { continue }
                if code[3] < most { soft += 1 }
                let red = target == .bgra ? [0, 0, 255] : [250, 409, 960]
                let distance = zip(code, red).map { abs($0 - $1) }.max() ?? 0
                #expect(distance <= 1, "\(x) \(y): \(code)")
            }
        }
        #expect(soft > 0)
    }

    @Test("a picture without opacity is opaque, and a part of the frame may be filled alone")
    func part() throws {
        var source = PixelBuffer(width: 8, height: 8, format: .yuv420p)
        source.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: index == 0 ? 235 : 128,
                    count: plane.bytesPerRow * plane.rows)
            }
        }
        let conformer = try StraightConformer(
            from: format(.yuv420p, 8, 8), to: format(.bgra, 4, 4))
        var result = picture(.bgra, 10, 10) { _, _ in [1, 2, 3, 0] }
        try conformer.convert(source, into: &result, column: 3, row: 5)
        #expect(bytes(result, 3, 5) == [255, 255, 255, 255])
        #expect(bytes(result, 6, 8) == [255, 255, 255, 255])
        for (x, y) in [(2, 5), (7, 5), (3, 4), (3, 9)] {
            #expect(bytes(result, x, y) == [1, 2, 3, 0])
        }
        #expect(throws: MediaError.self) {
            try conformer.convert(source, into: &result, column: 7, row: 0)
        }
        #expect(throws: MediaError.self) {
            try StraightConformer(from: format(.rgba, 8, 8), to: format(.yuv420p, 8, 8))
        }
    }
}
