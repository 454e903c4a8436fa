import Compose
import LibAV
import Media
import Testing

@Suite("What passes through untouched, and what does not depend on how")
struct FrameIdentityTests {
    private let target = RenderFrames.format(160, 96)

    @Test("one opaque frame in the film's format goes through as it is, even over others")
    func passes() throws {
        let compositor = try RenderFrames.compositor(target)
        let front = RenderFrames.waves(target)
        let frame = try compositor.compose(
            Scene(layers: [
                SceneLayer(
                    picture: RenderFrames.waves(RenderFrames.format(80, 60)),
                    format: RenderFrames.format(80, 60)),
                SceneLayer(picture: front, format: target),
            ]))
        #expect(frame.sharesPixels(with: front))
        #expect(compositor.conversions == 0, "what is covered was conformed")
    }

    @Test("a frame that does not say its colours is the film's, and passes as well")
    func unstated() throws {
        var format = target
        format.color = .unspecified
        let picture = RenderFrames.waves(target)
        let frame = try RenderFrames.compositor(target).compose(
            Scene(layers: [SceneLayer(picture: picture, format: format)]))
        #expect(frame.sharesPixels(with: picture))
    }

    @Test(
        "a picture moved by whole pixels keeps its codes", arguments: [(20, 8), (-20, -8), (7, 5)])
    func moved(x: Int, y: Int) throws {
        let picture = RenderFrames.waves(target)
        let frame = try RenderFrames.compositor(target).compose(
            Scene(layers: [
                SceneLayer(
                    picture: picture, format: target,
                    transform: .translation(x: Double(x), y: Double(y)))
            ]))
        let (before, after) = (RenderFrames.codes(picture, 0), RenderFrames.codes(frame, 0))
        var wrong = 0
        for row in max(0, y)..<min(96, 96 + y) {
            for column in max(0, x)..<min(160, 160 + x) {
                wrong += after[row * 160 + column] == before[(row - y) * 160 + column - x] ? 0 : 1
            }
        }
        #expect(wrong == 0)
        #expect(after[y > 0 ? 0 : 95 * 160 + 159] == 16, "what it left is not black")
    }

    @Test("a rotated frame of whole quarters keeps its luma codes", arguments: [true, false])
    func quarters(isMirrored: Bool) throws {
        let orientation = VideoOrientation(rotation: .clockwise90, isMirrored: isMirrored)
        let format = RenderFrames.format(96, 160, orientation: orientation)
        let picture = RenderFrames.waves(format)
        let frame = try RenderFrames.compositor(target).compose(
            Scene(layers: [SceneLayer(picture: picture, format: format)]))
        let rotated = try picture.rotated(by: orientation)
        #expect(RenderFrames.codes(frame, 0) == RenderFrames.codes(rotated, 0))
    }

    @Test("two equal frames dissolve into themselves, at any opacity and depth")
    func sameOverSame() throws {
        for pixels in [PixelFormat.yuv420p, .yuv420p10le] {
            let target = RenderFrames.format(160, 96, pixels)
            let picture = RenderFrames.waves(target)
            for opacity in [0.001, 0.3, 0.5, 0.999] {
                let frame = try RenderFrames.compositor(target).compose(
                    Scene(layers: [
                        SceneLayer(picture: picture, format: target),
                        SceneLayer(picture: picture, format: target, opacity: opacity),
                    ]))
                #expect(RenderFrames.allCodes(frame) == RenderFrames.allCodes(picture))
            }
        }
    }

    @Test("any number of threads makes the same bytes", arguments: [2, 3, 7])
    func threads(count: Int) throws {
        for pixels in [PixelFormat.yuv420p, .yuv420p10le] {
            let target = RenderFrames.format(322, 614, pixels)
            let scene = Self.everything(target)
            let one = try RenderFrames.compositor(target, threads: 1).compose(scene)
            let many = try RenderFrames.compositor(target, threads: count).compose(scene)
            #expect(RenderFrames.allCodes(one) == RenderFrames.allCodes(many))
        }
    }

    /// All kinds of layers at once.
    private static func everything(_ target: VideoFormat) -> Scene {
        let wide = RenderFrames.format(200, 90, .yuv422p10le)
        let rotated = RenderFrames.format(
            90, 80, orientation: VideoOrientation(rotation: .clockwise270))
        return Scene(
            background: .white,
            layers: [
                SceneLayer(
                    picture: RenderFrames.waves(wide), format: wide,
                    transform: Transform2D(a: 1.61, b: 0, c: 0, d: 1.61, tx: 0, ty: 200),
                    fill: .blurred(radius: 17)),
                SceneLayer(
                    picture: RenderFrames.waves(rotated, seed: 1), format: rotated,
                    transform: Transform2D(a: 3, b: 0.5, c: -0.5, d: 3, tx: 60, ty: 100),
                    opacity: 0.6),
                SceneLayer(
                    picture: RenderFrames.waves(target, seed: 2), format: target,
                    crop: Rectangle(x: 100, y: -20, width: 150, height: 700), softness: 20),
            ],
            overlays: [
                OverlayTile(identity: 7, x: 15, y: 301, image: RenderFrames.tile(201, 77))
            ])
    }

    @Test(
        "a frame that stays on show is conformed once, another one anew, and none is kept after")
    func cache() throws {
        let source = RenderFrames.format(80, 60, .yuv444p)
        let compositor = try RenderFrames.compositor(target)
        let still = SceneLayer(picture: RenderFrames.waves(source), format: source)
        let other = SceneLayer(picture: RenderFrames.waves(source, seed: 1), format: source)
        for opacity in [0.2, 0.4, 0.9] {
            var layer = still
            layer.opacity = opacity
            _ = try compositor.compose(Scene(layers: [layer]))
        }
        #expect(compositor.conversions == 1)
        _ = try compositor.compose(Scene(layers: [still, other]))
        #expect(compositor.conversions == 2)
        _ = try compositor.compose(Scene(layers: [other]))
        _ = try compositor.compose(Scene(layers: [still]))
        #expect(compositor.conversions == 3)
    }

    @Test(
        "a frame like the one before looks as it does alone, whatever of it changed",
        arguments: [(320, 300), (160, 150), (500, 400)])
    func steady(width: Int, height: Int) throws {
        let source = RenderFrames.format(320, 300, .rgba)
        let target = RenderFrames.format(width, height)
        let compositor = try RenderFrames.compositor(target)
        var plain = RenderFrames.waves(source)
        // where strips meet, at the edges, everywhere, nowhere, and once a transparent one
        let changes: [(rows: Range<Int>, opacity: UInt8)] = [
            (0..<0, 255), (10..<12, 255), (63..<64, 255), (64..<65, 255), (0..<1, 255),
            (299..<300, 255), (100..<220, 255), (0..<300, 255), (50..<60, 90), (50..<60, 255),
            (0..<0, 255), (150..<151, 255),
        ]
        for (number, change) in changes.enumerated() {
            plain = RenderFrames.changed(plain, rows: change.rows, by: number, change.opacity)
            let fill = FitMode.stretch
            let scene = Scene(layers: [
                SceneLayer(
                    picture: plain, format: source,
                    transform: fill.transform(
                        for: source, in: PixelSize(width: width, height: height)))
            ])
            let frame = try compositor.compose(scene)
            let alone = try RenderFrames.compositor(target).compose(scene)
            let most =
                zip(RenderFrames.allCodes(frame), RenderFrames.allCodes(alone))
                .flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? 256
            #expect(most == 0, "picture \(number): \(most)")
        }
    }

    @Test("a spot that moves over a still picture looks as it does alone, on any number of threads")
    func spot() throws {
        let source = RenderFrames.format(322, 200, .rgba)
        let target = RenderFrames.format(322, 200)
        let compositor = try RenderFrames.compositor(target, threads: 3)
        let still = RenderFrames.waves(source)
        for x in [0, 5, 64, 130, 255, 300, 321] {
            let picture = RenderFrames.changed(
                still, rows: (x / 2)..<(x / 2 + 9), columns: x..<min(322, x + 20), by: x % 200 + 1,
                255)
            let scene = Scene(layers: [SceneLayer(picture: picture, format: source)])
            let frame = try compositor.compose(scene)
            let alone = try RenderFrames.compositor(target).compose(scene)
            let isSame = RenderFrames.allCodes(frame) == RenderFrames.allCodes(alone)
            #expect(isSame, "at \(x)")
        }
    }

    @Test("colour bars are within one code after conforming and blending", arguments: [8, 10])
    func bars(depth: Int) throws {
        let pixels: PixelFormat = depth == 8 ? .yuv420p : .yuv420p10le
        let target = RenderFrames.format(160, 96, pixels)
        let source = RenderFrames.format(
            320, 192, .yuv422p,
            color: ColorDescription(primaries: 1, transfer: 1, matrix: 6, range: .full))
        let bars = ColorBars.picture(source)
        let frame = try RenderFrames.compositor(target).compose(
            Scene(layers: [
                SceneLayer(
                    picture: bars, format: source, transform: .scale(x: 0.5, y: 0.5)),
                SceneLayer(
                    picture: bars, format: source, transform: .scale(x: 0.5, y: 0.5),
                    opacity: 0.37),
            ]))
        let colors = ReferenceColor(target)
        for (index, bar) in ColorBars.colors.enumerated() {
            let wanted = colors.codes(red: bar.0, green: bar.1, blue: bar.2)
            for plane in 0..<3 {
                let columns = plane == 0 ? 160 : 80
                let code = RenderFrames.codes(frame, plane)[
                    columns * 20 + (2 * index + 1) * columns / 16]
                // the 8-bit codes of the source are half a code off themselves
                let tolerance = depth == 8 ? 1.0 : 4
                #expect(
                    abs(Double(code) - wanted[plane]) <= tolerance, "bar \(index) plane \(plane)")
            }
        }
    }

    @Test("a frame that shrinks to nothing, flies off or has a senseless place never fails")
    func extremes() throws {
        let format = RenderFrames.format(320, 200, .yuv422p)
        let frame = RenderFrames.waves(format)
        let maps = [1, 1e-2, 1e-4, 1e-7, 0, 3e2, 1e5].flatMap { scale in
            [
                Transform2D(a: scale, b: 0, c: 0, d: scale, tx: 80, ty: 48),
                Transform2D(a: 0, b: scale, c: -scale, d: 0, tx: 80, ty: 48),
                Transform2D(a: scale, b: scale, c: -scale, d: scale, tx: 80, ty: 48),
                Transform2D(a: scale, b: 0, c: 0, d: scale, tx: -900_000, ty: .nan),
                Transform2D(a: 1, b: 0, c: 0, d: scale, tx: -400, ty: 0),
            ]
        }
        let crops = [
            nil, Rectangle(x: 0, y: 0, width: 0, height: 9),
            Rectangle(x: -.infinity, y: 0, width: .infinity, height: 9),
            Rectangle(x: -1e7, y: 3, width: 1e8, height: 9),
        ]
        let compositor = try RenderFrames.compositor(target)
        for map in maps {
            for crop in crops {
                for fill in [Fill.none, .color(.white), .blurred(radius: 900)] {
                    _ = try compositor.compose(
                        Scene(layers: [
                            SceneLayer(
                                picture: frame, format: format, transform: map, crop: crop,
                                softness: 3, fill: fill)
                        ]))
                }
            }
        }
    }

    @Test("a frame that is not what its description says is refused")
    func refused() throws {
        #expect(throws: MediaError.self) {
            _ = try RenderFrames.compositor(target).compose(
                Scene(layers: [
                    SceneLayer(
                        picture: RenderFrames.waves(RenderFrames.format(80, 60)),
                        format: target)
                ]))
        }
    }
}

/// Eight bars of 75 % from white to black.
enum ColorBars {
    static let colors: [(Double, Double, Double)] = (0..<8).map { index in
        (
            index & 2 == 0 ? 0.75 : 0, index & 4 == 0 ? 0.75 : 0, index & 1 == 0 ? 0.75 : 0
        )
    }

    static func picture(_ format: VideoFormat) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        var picture = PixelBuffer(width: format.width, height: format.height, format: pixels)
        let codes = ReferenceColor(format)
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let columns = format.width / pixels.layout.planes[index].pixelsPerGroup
                for y in 0..<plane.rows {
                    for x in 0..<columns {
                        let bar = colors[x * 8 / columns]
                        let code = codes.codes(red: bar.0, green: bar.1, blue: bar.2)
                        RenderFrames.store(
                            code[index], plane, x, y, isWide: pixels.bitDepth > 8)
                    }
                }
            }
        }
        return picture
    }
}
