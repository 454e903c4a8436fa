import Glibc
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Masks of layers")
struct LayerMaskTests {
    private static let target = RenderFrames.format(160, 96)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A layer over white, with a mask.
    private func scene(
        _ mask: LayerMask?, fill: Fill = .none, decoration: LayerDecoration = LayerDecoration(),
        background: Color = .white
    ) -> Scene {
        let format = RenderFrames.format(100, 60)
        return Scene(
            background: background,
            layers: [
                SceneLayer(
                    picture: RenderFrames.waves(format, seed: 3), format: format,
                    transform: .translation(x: 30, y: 18), fill: fill, decoration: decoration,
                    mask: mask)
            ])
    }

    /// How much shows of a rounded rectangle: its edge goes inwards.
    private func share(
        _ shape: Rectangle, _ radius: Double, _ softness: Double, _ x: Double, _ y: Double
    ) -> Double {
        let (u, v) = (
            (x - shape.x - shape.width / 2).magnitude - shape.width / 2 + radius,
            (y - shape.y - shape.height / 2).magnitude - shape.height / 2 + radius
        )
        let outside = (max(u, 0) * max(u, 0) + max(v, 0) * max(v, 0)).squareRoot()
        let distance = outside + min(max(u, v), 0) - radius
        return softness == 0 ? distance < 0 ? 1 : 0 : max(0, min(1, -distance / softness))
    }

    @Test(
        "a shape cuts the layer with its fill, border and shadow, whatever is behind",
        arguments: [0.0, 9.0], [false, true])
    func shapes(_ softness: Double, _ isInverted: Bool) throws {
        let shape = Rectangle(x: 20.5, y: 10, width: 80, height: 61)
        let mask = LayerMask(
            .shape(shape, cornerRadius: 25), softness: softness, isInverted: isInverted)
        let decoration = LayerDecoration(
            cornerRadius: 10, border: .init(width: 6, color: .black), shadow: .init(blur: 5, y: 4))
        for (fill, decoration) in [
            (Fill.none, LayerDecoration()), (.color(.black), LayerDecoration()),
            (.none, decoration),
        ] {
            let made = RenderFrames.allCodes(
                try RenderFrames.compositor(Self.target).compose(
                    scene(mask, fill: fill, decoration: decoration)))
            let reference = ReferenceCompositor(target: Self.target)
            let whole = reference.compose(scene(nil, fill: fill, decoration: decoration))
            let none = reference.compose(Scene(background: .white))
            for (index, grid) in reference.grids.enumerated() {
                var sum = 0.0
                for place in made[index].indices {
                    let (left, top) = (
                        Double(place % grid.columns) * grid.across,
                        Double(place / grid.columns) * grid.down
                    )
                    var part = 0.0
                    for step in 0..<256 {
                        part += share(
                            shape, 25, softness,
                            left + (Double(step % 16) + 0.5) / 16 * grid.across,
                            top + (Double(step / 16) + 0.5) / 16 * grid.down)
                    }
                    part = isInverted ? 1 - part / 256 : part / 256
                    let code = none[index][place] * (1 - part) + whole[index][place] * part
                    sum += (Double(made[index][place]) - code) * (Double(made[index][place]) - code)
                }
                let fidelity =
                    10
                    * log10(
                        255 * 255 * Double(made[index].count) / max(sum, 1e-9))
                // border, frame and shadow are cut one after the other, each of which lets some of the others through
                #expect(fidelity >= (decoration.isEmpty ? 45 : 33), "\(fidelity) dB")
            }
        }
    }

    @Test("a mask that leaves everything costs nothing: the frame itself is the result")
    func everything() throws {
        let picture = RenderFrames.waves(Self.target)
        let path = folder.file("none.png")
        func scene(_ mask: LayerMask?) -> Scene {
            Scene(layers: [SceneLayer(picture: picture, format: Self.target, mask: mask)])
        }
        let identity = picture.withPlane(0) { $0.base }
        for mask in [
            nil, LayerMask.circle(x: 80, y: 48, radius: 500),
            .circle(x: 80, y: 48, radius: 0, isInverted: true),
            // its picture is not even opened
            LayerMask(.picture(path: path, threshold: 0), isInverted: true),
            LayerMask(.picture(path: path, threshold: 2), softness: 1),
        ] {
            let frame = try RenderFrames.compositor(Self.target).compose(scene(mask))
            #expect(frame.withPlane(0) { $0.base } == identity)
        }
        // one that cuts is made anew
        let cut = try RenderFrames.compositor(Self.target).compose(
            scene(.circle(x: 80, y: 48, radius: 90)))
        #expect(cut.withPlane(0) { $0.base } != identity)
    }

    @Test("what a mask hides altogether is not there")
    func nothing() throws {
        let path = folder.file("none.png")
        for mask in [
            LayerMask.circle(x: 80, y: 48, radius: 0),
            .circle(x: 80, y: 48, radius: 500, isInverted: true),
            LayerMask(.picture(path: path, threshold: 0)),
        ] {
            let compositor = try RenderFrames.compositor(Self.target)
            let frame = try compositor.compose(scene(mask, fill: .color(.black)))
            #expect(RenderFrames.codes(frame, 0).allSatisfy { $0 == 235 })
            #expect(compositor.conversions == 0, "not even conformed")
        }
    }

    @Test("the picture of a mask that is not there is named")
    func missing() throws {
        let path = folder.file("gone.png")
        let mask = LayerMask(.picture(path: path, threshold: 0.5))
        let error = #expect(throws: MediaError.self) {
            try RenderFrames.compositor(Self.target).compose(scene(mask))
        }
        #expect(error?.code == .noSuchFile && error?.message.contains(path) ?? false)
    }

    @Test("masks go from one to another, and no size falls below zero")
    func ramps() {
        let ramp = MaskRamp(
            timeRange: .seconds(0, 2), from: .circle(x: 10, y: 20, radius: 0, softness: 4),
            to: .circle(x: 30, y: 20, radius: 8, softness: 2),
            curve: .cubicBezier(0.5, -2, 0.5, 1))
        let layer = LayerInstruction(trackID: 1, masks: [ramp])
        #expect(layer.mask(at: .seconds(5)) == .circle(x: 30, y: 20, radius: 8, softness: 2))
        #expect(
            MaskRamp(timeRange: .seconds(0, 2), from: ramp.start, to: ramp.end)
                .value(progress: 0.5) == .circle(x: 20, y: 20, radius: 4, softness: 3))
        let early = layer.mask(at: .milliseconds(500))
        guard case .shape(let shape, let radius) = early?.area else {
            Issue.record("it is no shape")
            return
        }
        #expect(shape.width == 0 && radius == 0 && shape.x < 10, "\(shape)")
        #expect(layer.isTweening && layer.isMoving)
        let still = LayerInstruction(trackID: 1, masks: [MaskRamp(ramp.end)])
        #expect(!still.isTweening)
        let two = LayerInstruction(
            trackID: 1,
            masks: [
                MaskRamp(ramp.start), MaskRamp(ramp.end, from: .seconds(2)),
                MaskRamp(ramp.start, from: .seconds(4)),
            ])
        #expect(two.needed(in: .seconds(2, 1)).masks.map(\.start) == [ramp.end])
    }

    @Test("masks that cannot be are refused in a sentence")
    func refused() {
        func refusal(_ start: LayerMask, _ end: LayerMask? = nil) -> String {
            let ramp = MaskRamp(timeRange: .seconds(1, 2), from: start, to: end ?? start)
            let layer = LayerInstruction(trackID: 3, masks: [ramp])
            let error = #expect(throws: MediaError.self) { try layer.validate() }
            return error?.message ?? ""
        }
        let circle = LayerMask.circle(x: 0, y: 0, radius: 4)
        let kinds = refusal(circle, LayerMask(.picture(path: "a.png", threshold: 1)))
        #expect(kinds.contains("the mask of track 3 at 1 s goes from one kind to another"))
        var inverted = circle
        inverted.isInverted = true
        #expect(refusal(circle, inverted) == kinds)
        for mask in [
            LayerMask.circle(x: .nan, y: 0, radius: 4), .circle(x: 0, y: 0, radius: -1),
            .circle(x: 0, y: 0, radius: 4, softness: -1),
            LayerMask(.picture(path: "a.png", threshold: .infinity)),
            LayerMask(.picture(path: "a.png", threshold: 0.5), softness: 2),
        ] {
            #expect(refusal(mask).contains("must be finite"))
        }
    }
}
