import Media
import TestSupport
import Testing

@testable import Compose
@testable import LibAV

/// A picture that moves is brought to the film's colours once; nobody may see that it is.
@Suite("Still pictures that move")
struct MovingStillTests {
    private let target = RenderFrames.format(160, 90)

    private func layer(
        _ format: VideoFormat, _ transform: Transform2D, isMoving: Bool,
        _ edit: (inout SceneLayer) -> Void = { _ in }
    ) -> SceneLayer {
        var layer = SceneLayer(
            picture: RenderFrames.waves(format), format: format, transform: transform,
            isMovingStill: isMoving)
        edit(&layer)
        return layer
    }

    static let formats: [VideoFormat] = [
        RenderFrames.format(640, 480, .bgra),
        RenderFrames.format(640, 480, color: .jpeg),
        RenderFrames.format(322, 242, .rgb24),
        RenderFrames.format(
            320, 640, .rgb24, orientation: VideoOrientation(rotation: .clockwise90)),
        RenderFrames.format(640, 960, .rgb24, aspect: PixelAspect(2, 1)),
    ]

    @Test("every view of it is that of a picture that is converted anew", arguments: formats)
    func fidelity(_ format: VideoFormat) throws {
        let opaque = format.pixelFormat == .bgra ? RenderFrames.format(640, 480, .rgb24) : format
        for (number, zoom) in [0.25, 0.4, 0.7, 1.3].enumerated() {
            let map = Transform2D.scale(x: zoom, y: zoom).followed(
                by: .translation(x: -3.3 - 7 * Double(number), y: -1.7))
            let crop = Rectangle(x: 20, y: 10, width: 300, height: 200)
            let edit: (inout SceneLayer) -> Void = {
                ($0.crop, $0.softness) = (crop, 12)
                $0.decoration = LayerDecoration(cornerRadius: 9)
            }
            for edited in [false, true] {
                let direct = Scene(layers: [
                    layer(opaque, map, isMoving: false, edited ? edit : { _ in })
                ])
                let moving = Scene(layers: [
                    layer(opaque, map, isMoving: true, edited ? edit : { _ in })
                ])
                let fidelity = try RenderFrames.fidelity(moving, target)
                let other = try RenderFrames.fidelity(direct, target)
                #expect(
                    fidelity > 44 && fidelity > other - 3, "\(zoom) \(edited): \(fidelity) \(other)"
                )
            }
        }
    }

    @Test("it is converted once for all views, and again only where it comes much nearer")
    func conversions() throws {
        let format = RenderFrames.format(640, 480, .rgb24)
        let frame = RenderFrames.waves(format)
        let compositor = try RenderFrames.compositor(target)
        func show(_ zoom: Double, isMoving: Bool) throws -> Int {
            let before = compositor.conversions
            let map = Transform2D.scale(x: zoom, y: zoom)
            _ = try compositor.compose(
                Scene(layers: [
                    SceneLayer(
                        picture: frame, format: format, transform: map, isMovingStill: isMoving)
                ]))
            return compositor.conversions - before
        }
        #expect(try show(0.3, isMoving: true) == 2)
        for zoom in [0.301, 0.302, 0.303] { #expect(try show(zoom, isMoving: true) == 1) }
        #expect(try show(0.9, isMoving: true) == 2)
        // a control: one that does not move is converted whole each time it lies elsewhere
        #expect(try show(0.9, isMoving: false) == 1)
    }

    @Test("a frame is the same whatever was shown before it")
    func instants() throws {
        let format = RenderFrames.format(640, 480, .rgb24)
        let maps = [0.3, 0.5, 0.32].map { Transform2D.scale(x: $0, y: $0) }
        let scenes = maps.map { Scene(layers: [layer(format, $0, isMoving: true)]) }
        let running = try RenderFrames.compositor(target)
        for scene in scenes {
            let alone = try RenderFrames.compositor(target, threads: 3).compose(scene)
            #expect(
                try RenderFrames.allCodes(running.compose(scene)) == RenderFrames.allCodes(alone))
        }
    }

    @Test("transparent pictures, and those of the film's own form and size, are left as they are")
    func others() throws {
        let map = Transform2D.scale(x: 1.1, y: 1.1)
        for format in [RenderFrames.format(160, 90), RenderFrames.format(160, 90, .bgra)] {
            let compositor = try RenderFrames.compositor(target)
            _ = try compositor.compose(Scene(layers: [layer(format, map, isMoving: true)]))
            #expect(compositor.conversions == 1)
        }
    }

    @Test("its grade is that of the picture, and one on its way is that of each frame")
    func graded() throws {
        let format = RenderFrames.format(640, 480, .rgb24)
        let map = Transform2D.scale(x: 0.3, y: 0.3)
        var grade = ColorGrade()
        grade.saturation = 0
        for isChanging in [false, true] {
            let scene = Scene(layers: [
                layer(format, map, isMoving: true) {
                    ($0.grade, $0.isGradeChanging) = (grade, isChanging)
                }
            ])
            let codes = RenderFrames.allCodes(try RenderFrames.compositor(target).compose(scene))
            #expect(codes[1].allSatisfy { $0 == 128 } && Set(codes[0]).count > 40)
        }
    }
}
