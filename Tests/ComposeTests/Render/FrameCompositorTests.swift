import Compose
import LibAV
import Media
import Testing

@Suite("Frames against a slow reference")
struct FrameCompositorTests {
    static let depths: [PixelFormat] = [.yuv420p, .yuv420p10le]

    private func target(_ pixels: PixelFormat, _ width: Int = 160, _ height: Int = 96)
        -> VideoFormat
    {
        RenderFrames.format(width, height, pixels)
    }

    private func layer(
        _ format: VideoFormat, seed: Double = 0, transform: Transform2D = .identity,
        crop: Rectangle? = nil, softness: Double = 0, opacity: Double = 1, fill: Fill = .none
    ) -> SceneLayer {
        SceneLayer(
            picture: RenderFrames.waves(format, seed: seed), format: format,
            transform: transform, crop: crop, softness: softness, opacity: opacity, fill: fill)
    }

    @Test("a dissolve mixes both frames at every value of its ramp", arguments: depths)
    func dissolve(pixels: PixelFormat) throws {
        let target = target(pixels)
        for opacity in [0, 0.001, 0.25, 0.5, 0.83, 0.999, 1] {
            let scene = Scene(layers: [
                layer(target, seed: 1), layer(target, seed: 3, opacity: opacity),
            ])
            let fidelity = try RenderFrames.fidelity(scene, target)
            #expect(fidelity >= 45, "opacity \(opacity)")
        }
    }

    @Test("a push moves both frames by any distance, whole or not", arguments: depths)
    func push(pixels: PixelFormat) throws {
        let target = target(pixels)
        for shift in [0.0, 2, 31, 40.4, 79.5, 159, 160] {
            let scene = Scene(
                background: .white,
                layers: [
                    layer(target, seed: 1, transform: .translation(x: -shift, y: 0)),
                    layer(target, seed: 2, transform: .translation(x: 160 - shift, y: 0)),
                ])
            let fidelity = try RenderFrames.fidelity(scene, target)
            #expect(fidelity >= 45, "shift \(shift)")
        }
    }

    @Test("a wipe's edge is soft over its softness, and hard without", arguments: depths)
    func wipe(pixels: PixelFormat) throws {
        let target = target(pixels)
        for (edge, softness) in [(0.5, 0.0), (40.3, 0), (60, 24), (150, 24), (170, 24)] {
            let scene = Scene(layers: [
                layer(target, seed: 1),
                layer(
                    target, seed: 4,
                    crop: Rectangle(x: 0, y: 0, width: edge, height: 96), softness: softness),
            ])
            let fidelity = try RenderFrames.fidelity(scene, target)
            #expect(fidelity >= 45, "edge \(edge)")
        }
    }

    @Test("a fade through a colour shows the colour behind the frame", arguments: depths)
    func fadeThroughColor(pixels: PixelFormat) throws {
        let target = target(pixels)
        let orange = Color(red: 1, green: 0.5, blue: 0.1)
        for opacity in [0.0, 0.3, 0.7] {
            let scene = Scene(background: orange, layers: [layer(target, opacity: opacity)])
            #expect(try RenderFrames.fidelity(scene, target) >= 45)
        }
    }

    @Test("every fit of a 4:3 picture in a wide frame", arguments: depths)
    func fits(pixels: PixelFormat) throws {
        let target = target(pixels)
        let source = RenderFrames.format(120, 90, .yuv420p)
        let contain = Transform2D(
            a: 96.0 / 90, b: 0, c: 0, d: 96.0 / 90, tx: 16, ty: 0)
        let cover = Transform2D(
            a: 160.0 / 120, b: 0, c: 0, d: 160.0 / 120, tx: 0, ty: -12)
        let stretch = Transform2D.scale(x: 160.0 / 120, y: 96.0 / 90)
        for (name, map) in [("contain", contain), ("cover", cover), ("stretch", stretch)] {
            let fidelity = try RenderFrames.fidelity(
                Scene(layers: [layer(source, transform: map)]), target)
            #expect(fidelity >= 45, "\(name)")
        }
        for radius in [3.0, 10, 25] {
            let fidelity = try RenderFrames.fidelity(
                Scene(layers: [layer(source, transform: contain, fill: .blurred(radius: radius))]),
                target)
            #expect(fidelity >= 45, "blurred by \(radius)")
        }
    }

    @Test("bars of a colour fade and are wiped with their frame", arguments: depths)
    func bars(pixels: PixelFormat) throws {
        let target = target(pixels)
        let source = RenderFrames.format(120, 90, .yuv420p)
        let scale = 96.0 / 90
        let map = Transform2D(a: scale, b: 0, c: 0, d: scale, tx: 16, ty: 0)
        // the frame, seen from the picture, cut at two thirds; then with a soft edge, from outside
        for (crop, softness) in [
            (Rectangle(x: -15, y: 0, width: 100, height: 90), 0.0),
            (Rectangle(x: -35, y: -20, width: 120, height: 130), 20),
        ] {
            let scene = Scene(layers: [
                layer(target, seed: 2),
                layer(
                    source, transform: map, crop: crop, softness: softness, opacity: 0.8,
                    fill: .color(Color(red: 0.2, green: 0.6, blue: 0.9))),
            ])
            #expect(try RenderFrames.fidelity(scene, target) >= 45)
        }
    }

    @Test("a frame of any kind comes out in the film's colours", arguments: depths)
    func sources(pixels: PixelFormat) throws {
        let target = target(pixels)
        let mixed = ColorDescription(primaries: 1, transfer: 1, matrix: 6, range: .limited)
        let kinds: [(PixelFormat, ColorDescription)] = [
            (.yuv420p, .bt709), (.yuv422p, .bt709), (.yuv444p, .bt709), (.yuv420p10le, .bt709),
            (.yuv444p10le, mixed), (.yuv420p, mixed), (.yuv420p, .jpeg), (.yuv422p, .jpeg),
            (.rgb24, .unspecified), (.bgra, .unspecified),
        ]
        for (kind, color) in kinds {
            let source = RenderFrames.format(120, 90, kind, color: color)
            let map = Transform2D(a: 1.3, b: 0, c: 0, d: 1.05, tx: 1.5, ty: -3)
            let fidelity = try RenderFrames.fidelity(
                Scene(layers: [layer(source, transform: map)]), target)
            #expect(fidelity >= 45, "\(kind) \(color)")
        }
    }

    @Test("odd sizes, odd places and pixels that are no squares", arguments: depths)
    func oddities(pixels: PixelFormat) throws {
        let target = target(pixels, 161, 97)
        let odd = RenderFrames.format(
            75, 61, .yuv420p, orientation: VideoOrientation(rotation: .clockwise90),
            aspect: PixelAspect(16, 11))
        let scene = Scene(layers: [
            layer(target, seed: 1),
            layer(odd, seed: 2, transform: .translation(x: 33, y: 1), opacity: 0.7),
            layer(
                RenderFrames.format(31, 33), seed: 3, transform: .translation(x: 99, y: 65)),
        ])
        #expect(try RenderFrames.fidelity(scene, target) >= 45)
    }

    @Test("what is transparent in a frame shows what is behind it", arguments: depths)
    func transparent(pixels: PixelFormat) throws {
        let target = target(pixels)
        let source = RenderFrames.format(80, 60, .bgra, color: .unspecified)
        var frame = RenderFrames.waves(source)
        frame.withMutablePlanes { planes in
            for y in 0..<60 {
                for x in 0..<80 {
                    planes[0].row(y)[4 * x + 3] = UInt8(max(0, min(255, (x - 20) * 8)))
                }
            }
        }
        for map in [
            Transform2D(a: 1.5, b: 0, c: 0, d: 1.5, tx: 20, ty: 3),
            Transform2D(a: 0.9, b: 0.4, c: -0.4, d: 0.9, tx: 60, ty: 3),
        ] {
            let scene = Scene(layers: [
                layer(target, seed: 1),
                SceneLayer(picture: frame, format: source, transform: map, opacity: 0.9),
            ])
            #expect(try RenderFrames.fidelity(scene, target) >= 45)
        }
    }

    @Test("tiles lie over everything, at any place, in part outside", arguments: depths)
    func tiles(pixels: PixelFormat) throws {
        let target = target(pixels)
        let tile = RenderFrames.tile(50, 31)
        let places = [(10, 10), (31, 41), (-20, 60), (130, -13), (-49, 95), (300, 0)]
        for opacity in [1, 0.4] {
            let scene = Scene(
                layers: [layer(target, seed: 1)],
                overlays: places.enumerated().map { index, place in
                    OverlayTile(
                        identity: 1, x: place.0, y: place.1, image: tile, opacity: opacity)
                })
            #expect(try RenderFrames.fidelity(scene, target) >= 45)
        }
    }

    @Test(
        "all eight orientations, in a frame of another shape",
        arguments: VideoOrientation.Rotation.allCases, [false, true])
    func orientations(rotation: VideoOrientation.Rotation, isMirrored: Bool) throws {
        for pixels in Self.depths {
            let target = target(pixels)
            let source = RenderFrames.format(
                130, 70, .yuv420p,
                orientation: VideoOrientation(rotation: rotation, isMirrored: isMirrored))
            let size = source.uprightSize
            let scale = min(160 / size.width, 96 / size.height)
            let map = Transform2D(
                a: scale, b: 0, c: 0, d: scale, tx: (160 - size.width * scale) / 2,
                ty: (96 - size.height * scale) / 2)
            let fidelity = try RenderFrames.fidelity(
                Scene(layers: [layer(source, transform: map)]), target)
            #expect(fidelity >= 45)
        }
    }

    @Test("a rotated and a sheared frame, larger and smaller", arguments: depths)
    func rotated(pixels: PixelFormat) throws {
        let target = target(pixels)
        let source = RenderFrames.format(120, 90, .yuv420p)
        let maps = [
            Transform2D(a: 0.8, b: 0.3, c: -0.3, d: 0.8, tx: 40, ty: 0),
            Transform2D(a: 1.2, b: 0.1, c: 0.5, d: 1.1, tx: -20, ty: 3),
            Transform2D(a: 0.3, b: 0.2, c: -0.2, d: 0.3, tx: 60, ty: 20),
        ]
        for map in maps {
            let fidelity = try RenderFrames.fidelity(
                Scene(layers: [layer(source, transform: map, opacity: 0.9)]), target)
            #expect(fidelity >= 45, "\(map)")
        }
    }
}
