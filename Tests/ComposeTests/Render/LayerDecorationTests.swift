import Media
import Testing

@testable import Compose

@Suite("Round corners, borders and shadows against a slow reference")
struct LayerDecorationTests {
    private static let target = RenderFrames.format(160, 96, .yuv420p)

    private func scene(
        _ decoration: LayerDecoration, transform: Transform2D = placed, crop: Rectangle? = nil,
        opacity: Double = 1
    ) -> Scene {
        let format = RenderFrames.format(100, 60, .yuv420p)
        return Scene(
            background: Color(red: 0.7, green: 0.8, blue: 0.6),
            layers: [
                SceneLayer(
                    picture: RenderFrames.waves(format, seed: 2), format: format,
                    transform: transform, crop: crop, opacity: opacity, decoration: decoration)
            ])
    }

    private static let placed = Transform2D(a: 0.8, b: 0, c: 0, d: 0.8, tx: 40, ty: 20)
    private static let rotated = Transform2D.translation(x: -50, y: -30)
        .followed(by: .rotation(degrees: 20)).followed(by: .translation(x: 80, y: 48))
    private static let orange = Color(red: 1, green: 0.5, blue: 0.1)

    static let decorations: [LayerDecoration] = [
        LayerDecoration(cornerRadius: 12), LayerDecoration(cornerRadius: 500),
        LayerDecoration(border: .init(width: 3, color: orange)),
        LayerDecoration(cornerRadius: 9, border: .init(width: 4.5, color: orange)),
        // nothing of the frame is left inside of it
        LayerDecoration(cornerRadius: 9, border: .init(width: 400, color: orange)),
        LayerDecoration(shadow: .init(blur: 6, x: 4, y: 5)),
        LayerDecoration(cornerRadius: 10, shadow: .init(color: orange, blur: 0, x: 7, y: -3)),
        LayerDecoration(
            cornerRadius: 14, border: .init(width: 2), shadow: .init(blur: 8, x: 0, y: 4)),
    ]

    @Test("in its place, rotated, cropped and half opaque", arguments: decorations)
    func fidelity(decoration: LayerDecoration) throws {
        let crop = Rectangle(x: 20, y: 10, width: 60, height: 40)
        for scene in [
            scene(decoration), scene(decoration, transform: Self.rotated),
            scene(decoration, crop: crop, opacity: 0.6),
            scene(decoration, transform: Self.rotated, crop: crop),
            // out of the frame in part
            scene(decoration, transform: .translation(x: 105, y: -20)),
        ] {
            let fidelity = try RenderFrames.fidelity(scene, Self.target)
            #expect(fidelity >= 45, "\(decoration)")
        }
    }

    @Test("a control: without its decoration the frame is another one", arguments: decorations)
    func control(decoration: LayerDecoration) throws {
        let fidelity = try RenderFrames.fidelity(
            scene(LayerDecoration()), Self.target, against: scene(decoration))
        #expect(fidelity < 40)
    }

    @Test("any number of threads makes the same bytes")
    func threads() throws {
        let scene = scene(Self.decorations[7], transform: Self.rotated)
        let frames = try [1, 3].map {
            RenderFrames.allCodes(
                try RenderFrames.compositor(Self.target, threads: $0).compose(scene))
        }
        #expect(frames[0] == frames[1])
    }

    @Test("frames of half the size are the same picture")
    func scaled() {
        let full = LayerDecoration(
            cornerRadius: 12, border: .init(width: 4), shadow: .init(blur: 6, x: 2, y: -8))
        #expect(
            full.scaled(by: 0.5)
                == LayerDecoration(
                    cornerRadius: 6, border: .init(width: 2), shadow: .init(blur: 3, x: 1, y: -4)))
    }

    @Test("what cannot be drawn is refused in a sentence")
    func refused() {
        func layer(_ edit: (inout LayerInstruction) -> Void) -> LayerInstruction {
            var layer = LayerInstruction(trackID: 3)
            edit(&layer)
            return layer
        }
        for (layer, word) in [
            (layer { $0.decoration.cornerRadius = -1 }, "corner radius"),
            (layer { $0.decoration.border = .init(width: .nan) }, "border"),
            (layer { $0.decoration.shadow = .init(blur: 1e9) }, "blur"),
            (
                layer {
                    $0.decoration.cornerRadius = 3
                    $0.fill = .color(.black)
                }, "fill"
            ),
        ] {
            let error = #expect(throws: MediaError.self) { try layer.validate() }
            #expect(error?.message.contains(word) ?? false, "\(error?.message ?? "")")
        }
    }
}
