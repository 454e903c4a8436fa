import Compose
import Glibc
import LibAV
import Media
import Testing

@Suite("Scenes from instructions")
struct SceneBuilderTests {
    private func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

    private func film(compositor: (any VideoCompositor)? = nil) -> VideoComposition {
        let all = MediaTimeRange(start: .zero, duration: seconds(4))
        var result = VideoComposition(
            renderSize: PixelSize(width: 160, height: 96),
            frameDuration: MediaTime(value: 1, timescale: 25),
            instructions: [
                Instruction(
                    timeRange: all, background: .white,
                    layers: [
                        LayerInstruction(
                            trackID: 2,
                            opacities: [OpacityRamp(timeRange: all, from: 1, to: 0)]),
                        LayerInstruction(
                            trackID: 1,
                            transforms: [
                                TransformRamp(
                                    timeRange: all, from: .identity, to: .translation(x: 40, y: 8))
                            ],
                            crops: [
                                CropRectangleRamp(
                                    CropRectangle(
                                        Rectangle(x: 1, y: 2, width: 30, height: 40), softness: 3))
                            ], fill: .blurred(radius: 6)),
                        LayerInstruction(trackID: 3),
                    ])
            ])
        result.compositor = compositor
        return result
    }

    private func sample(_ seed: Double, at time: MediaTime) -> SampleBuffer {
        let format = RenderFrames.format(160, 96)
        return SampleBuffer(
            payload: .pixels(RenderFrames.waves(format, seed: seed)), format: .video(format),
            presentationTime: time)
    }

    @Test(
        "layers come back to front with their ramps' values, and a track without a frame is left out"
    )
    func values() throws {
        let scene = try SceneBuilder(film()).scene(at: seconds(1)) { track, time in
            track == 3 ? nil : sample(Double(track), at: time)
        }
        #expect(scene.background == .white)
        #expect(scene.layers.count == 2)
        let (back, front) = (scene.layers[0], scene.layers[1])
        #expect(back.transform == .translation(x: 10, y: 2))
        #expect(back.crop == Rectangle(x: 1, y: 2, width: 30, height: 40))
        #expect(back.softness == 3)
        #expect(back.fill == .blurred(radius: 6))
        #expect(front.opacity == 0.75)
    }

    @Test("another frame size scales places and blurs, but no crop, which is the frame's")
    func scaled() throws {
        let builder = SceneBuilder(film(), size: PixelSize(width: 80, height: 48))
        let scene = try builder.scene(at: seconds(2)) { track, time in
            track == 1 ? sample(1, at: time) : nil
        }
        #expect(
            scene.layers[0].transform == Transform2D(a: 0.5, b: 0, c: 0, d: 0.5, tx: 10, ty: 2))
        #expect(scene.layers[0].fill == .blurred(radius: 3))
        #expect(scene.layers[0].crop?.width == 30)
    }

    @Test(
        "a layer that has faded is not even asked for, and an instant without instruction is an error"
    )
    func unseen() throws {
        var asked: [Int] = []
        _ = try SceneBuilder(film()).scene(at: MediaTime(value: 399, timescale: 100)) { track, _ in
            asked.append(track)
            return nil
        }
        #expect(asked == [3, 1, 2])
        #expect(throws: MediaError.self) {
            _ = try SceneBuilder(film()).scene(at: seconds(5)) { _, _ in nil }
        }
    }

    @Test(
        "a frame that does not state its colours has those usual for what it does state, or for its height",
        arguments: [
            (480, ColorDescription.unspecified, PixelFormat.yuv420p, ColorDescription.bt601),
            (720, .unspecified, .yuv420p, .bt709), (480, .bt709, .yuv420p, .bt709),
            (480, .unspecified, .rgb24, .unspecified), (480, .unspecified, .gray, .unspecified),
        ])
    func colors(
        height: Int, reported: ColorDescription, pixels: PixelFormat, wanted: ColorDescription
    ) throws {
        let scene = try SceneBuilder(film()).scene(at: seconds(2)) { track, time in
            guard track == 1 else { return nil }
            var format = VideoFormat(coding: .raw(pixels), width: 640, height: height)
            format.color = reported
            return SampleBuffer(
                payload: .pixels(PixelBuffer(width: 640, height: height, format: pixels)),
                format: .video(format), presentationTime: time)
        }
        let shown = try #require(scene.layers.first).format.color
        #expect((shown.matrix, shown.primaries) == (wanted.matrix, wanted.primaries))
    }

    @Test("a custom compositor gets its pictures and makes the frames; titles still lie over them")
    func custom() throws {
        let renderer = try CompositionRenderer(
            film(compositor: Flat(level: 90)), format: RenderFrames.format(160, 96), threads: 1,
            frameLimit: 4)
        let tile = OverlayTile(identity: 1, x: 100, y: 40, image: RenderFrames.tile(40, 40))
        let frame = try renderer.frame(at: seconds(1), overlays: [tile]) { track, time in
            track == 3 ? nil : sample(1, at: time)
        }
        let codes = RenderFrames.codes(frame, 0)
        // two frames were there
        #expect(codes[0] == 92)
        #expect(codes[60 * 160 + 120] != 92)
    }

    @Test("a custom compositor that gives another size or throws ends the film with a sentence")
    func failures() throws {
        for broken in [Flat(level: 0, isSmall: true), Flat(level: -1)] {
            let renderer = try CompositionRenderer(
                film(compositor: broken), format: RenderFrames.format(160, 96), threads: 1,
                frameLimit: 4)
            let error = #expect(throws: MediaError.self) {
                _ = try renderer.frame(at: seconds(1)) { _, time in sample(1, at: time) }
            }
            #expect(error?.code == .compositorFailed)
        }
    }

    /// Frames of one level and the count of sources.
    private struct Flat: VideoCompositor {
        var level: Int
        var isSmall = false

        struct Refused: Error {}

        func compose(_ request: CompositionRequest) throws -> PixelBuffer {
            guard level >= 0 else { throw Refused() }
            guard !isSmall else { return PixelBuffer(width: 16, height: 16, format: .yuv420p) }
            var frame = try request.context.makeFrame()
            let code = UInt8(level + request.sourceTrackIDs.count)
            frame.withMutablePlanes { planes in
                for (index, plane) in planes.enumerated() {
                    for y in 0..<plane.rows {
                        plane.row(y).update(
                            repeating: index == 0 ? code : 128, count: index == 0 ? 160 : 80)
                    }
                }
            }
            return frame
        }
    }
}
