import Media
import TestSupport
import Testing

@testable import Detect

@Suite("mattes, and what lies behind them")
struct MatteTests {
    private static let (width, height) = (160, 96)

    /// A bright box that moves over a textured scene.
    private func frame(_ number: Int, noise: Int = 0) -> SampleBuffer {
        var random = SplitMix(seed: UInt64(number + 1))
        let box = box(number)
        let luma = (0..<Self.width * Self.height).map { place -> UInt8 in
            let (x, y) = (place % Self.width, place / Self.width)
            let shift = noise > 0 ? Int(random.next() % UInt64(2 * noise + 1)) - noise : 0
            let isBox = box.x.contains(x) && box.y.contains(y)
            return UInt8(max(0, min(255, (isBox ? 200 : 60 + (x / 8 + y / 8) % 2 * 20) + shift)))
        }
        return .planar(
            luma, width: Self.width, height: Self.height,
            at: MediaTime(value: Int64(number), timescale: 30))
    }

    /// The frame with which it comes into view, after a second.
    private static let first = 35

    private func box(_ number: Int) -> (x: Range<Int>, y: Range<Int>) {
        let left = 10 + (number - Self.first) * 3
        return number < Self.first ? (0..<0, 0..<0) : (left..<left + 40, 30..<70)
    }

    private func overlap(_ values: [UInt8], _ number: Int) -> Double {
        let box = box(number)
        var (both, either) = (0, 0)
        for place in values.indices {
            let isBox = box.x.contains(place % Self.width) && box.y.contains(place / Self.width)
            let isFound = values[place] > 127
            both += isBox && isFound ? 1 : 0
            either += isBox || isFound ? 1 : 0
        }
        return either == 0 ? 1 : Double(both) / Double(either)
    }

    @Test(
        "a flash, or a frame that is black, makes nobody who is in view part of the scene",
        arguments: [UInt8(16), 235])
    func flash(_ level: UInt8) throws {
        let generator = try MotionMatte()
        for number in 0..<Self.first + 20 {
            let isFlash = number == Self.first + 8
            let luma = [UInt8](repeating: level, count: Self.width * Self.height)
            let shown =
                isFlash
                ? SampleBuffer.planar(
                    luma, width: Self.width, height: Self.height,
                    at: MediaTime(value: Int64(number), timescale: 30))
                : frame(number, noise: 0)
            let values = try generator.matte(of: shown)
                .scaled(width: Self.width, height: Self.height)
            if isFlash {
                #expect(values.allSatisfy { $0 < 128 })
            } else if number >= Self.first {
                #expect(overlap(values, number) > 0.85, "\(number): \(overlap(values, number))")
            }
        }
    }

    @Test("what moves over a still scene is foreground, with noise and without", arguments: [0, 4])
    func motion(noise: Int) throws {
        let generator = try MotionMatte()
        for number in 0..<Self.first + 20 {
            let matte = try generator.matte(of: frame(number, noise: noise))
            let values = matte.scaled(width: Self.width, height: Self.height)
            if number < Self.first {
                #expect(values.filter { $0 > 127 }.count < 40, "\(number)")
            } else {
                #expect(overlap(values, number) > 0.85, "\(number): \(overlap(values, number))")
            }
        }
    }

    @Test(
        "neither a camera that wakes with a black frame nor a light that is switched makes the scene foreground"
    )
    func otherScene() throws {
        let generator = try MotionMatte()
        for number in 0..<Self.first {
            var luma = try #require(frame(number).pixelBuffer).luma
            if number == 0 { luma = luma.map { _ in 16 } }
            if number >= 20 { luma = luma.map { $0 + 80 } }
            let matte = try generator.matte(
                of: .planar(
                    luma, width: Self.width, height: Self.height,
                    at: frame(number).presentationTime))
            let values = matte.scaled(width: Self.width, height: Self.height)
            #expect(values.filter { $0 > 127 }.count < 40, "\(number)")
        }
    }

    @Test("what is there in the first second is scene, also where the first frame did not show it")
    func firstSecond() throws {
        let generator = try MotionMatte()
        var last: [UInt8] = []
        for number in 0..<60 {
            // a box that is there from the second frame on
            var luma = try #require(frame(0).pixelBuffer).luma
            for row in 20..<60 where number > 0 {
                for column in 20..<60 { luma[row * Self.width + column] = 110 }
            }
            let matte = try generator.matte(
                of: .planar(
                    luma, width: Self.width, height: Self.height,
                    at: MediaTime(value: Int64(number), timescale: 30)))
            last = matte.scaled(width: Self.width, height: Self.height)
            if number == 1 { #expect(last.filter { $0 > 127 }.count > 1000) }
        }
        #expect(last.filter { $0 > 127 }.count < 40)
    }

    @Test("a colour takes the background's place, and the foreground is the frame's own")
    func color() throws {
        let filter = MatteFilter(
            try MotionMatte(), behind: .color(red: 255, green: 255, blue: 255), isLive: false)
        #expect(filter.fallback == .black && filter.name == "matte=motion")
        var made: PixelBuffer?
        for number in 0..<45 { made = try filter.process(frame(number)) }
        let pixels = try #require(made)
        let (luma, own) = (pixels.luma, try #require(frame(44).pixelBuffer).luma)
        let box = box(44)
        for y in box.y.lowerBound + 4..<box.y.upperBound - 4 {
            for x in box.x.lowerBound + 4..<box.x.upperBound - 4 {
                #expect(luma[y * Self.width + x] == own[y * Self.width + x])
            }
        }
        // white of limited range, a way from the box
        #expect(luma[10 * Self.width + 10] == 235 && luma[90 * Self.width + 150] == 235)
    }

    @Test(
        "a blurred background shows no texture, and a title lies behind the foreground and before the background"
    )
    func behind() throws {
        let blurred = MatteFilter(try MotionMatte(), behind: .blur, isLive: false)
        let title = MatteFilter(
            try MotionMatte(),
            behind: .picture(isOpaque: false) { size in
                // an opaque white bar across the frame, and nothing elsewhere
                var picture = PixelBuffer(width: size.width, height: size.height, format: .bgra)
                picture.withMutablePlanes { planes in
                    for row in 0..<size.height {
                        let isBar = (40..<60).contains(row)
                        planes[0].row(row).update(
                            repeating: isBar ? 255 : 0, count: size.width * 4)
                    }
                }
                return picture
            }, isLive: false)
        #expect(title.fallback == .unprocessed)
        var results: (blur: PixelBuffer, title: PixelBuffer)?
        for number in 0..<45 {
            results = (try blurred.process(frame(number)), try title.process(frame(number)))
        }
        let made = try #require(results)
        let own = try #require(frame(44).pixelBuffer).luma
        let box = box(44)
        let middle = 50 * Self.width + (box.x.lowerBound + box.x.upperBound) / 2
        // the foreground is before the bar, the bar before the scene, and beside it the scene is itself
        #expect(made.title.luma[middle] == own[middle])
        #expect(made.title.luma[50 * Self.width + 8] == 235)
        #expect(made.title.luma[10 * Self.width + 8] == own[10 * Self.width + 8])
        // control: without a foreground the bar is before everything
        let empty = try MatteFilter(
            EmptyMatte(), behind: title.background, isLive: false
        ).process(frame(44))
        #expect(empty.luma[middle] == 235)
        let line = (0..<140).map { Int(made.blur.luma[5 * Self.width + $0]) }
        let texture = zip(line, line.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        let before = (0..<140).map { Int(own[5 * Self.width + $0]) }
        #expect(
            texture <= 12 && zip(before, before.dropFirst()).map { abs($0 - $1) }.max() == 20,
            "\(texture)")
    }

    private struct EmptyMatte: MatteGenerator {
        let name = "empty"
        func matte(of frame: SampleBuffer) -> Matte {
            Matte([UInt8](repeating: 0, count: 4), width: 2, height: 2)
        }
    }

    @Test("what is between two distances is foreground, of the map that is nearest in time")
    func depth() throws {
        let generator = try DepthMatte(0.5...1.5)
        let frame = frame(0)
        #expect(throws: MediaError.self) { try generator.matte(of: frame) }
        let steps = (0..<16 * 8).map {
            UInt16([0, 400, 500, 1000, 1500, 1600, 9000, 65535][$0 % 8])
        }
        let data = try DepthData(
            map: PixelBuffer(steps: steps, width: 16, height: 8), format: DepthFormat())
        generator.add(data, at: .nanoseconds(20_000_000))
        let row = try generator.matte(of: frame).values.prefix(8)
        #expect(Array(row) == [0, 0, 255, 255, 255, 0, 0, 0])
        generator.add(
            try DepthData(
                map: PixelBuffer(
                    steps: [UInt16](repeating: 700, count: 128), width: 16, height: 8),
                format: DepthFormat()), at: .nanoseconds(10_000_000))
        #expect(try generator.matte(of: frame).values.allSatisfy { $0 == 255 })
        var late = frame
        late.presentationTime = .seconds(1)
        #expect(throws: MediaError.self) { try generator.matte(of: late) }
        #expect(throws: MediaError.self) { try DepthMatte(-1...2) }
    }
}
