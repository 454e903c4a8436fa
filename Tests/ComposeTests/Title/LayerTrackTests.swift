import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Layers that are a track of their own")
struct LayerTrackTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(width: 64, height: 48)

    init() throws { folder = try TemporaryFolder() }

    private func box(_ color: Color, x: Double, y: Double, side: Double = 16) -> Layer {
        Layer(
            contents: .solid(color), frame: Rectangle(x: x, y: y, width: side, height: side))
    }

    /// A grey clip of one second; the instruction's layers front first.
    private func film(
        _ tracks: [LayerTrack], layers: (MediaTimeRange) -> [LayerInstruction]
    ) async throws -> Film {
        let clip = try await NumberedClip(
            width: size.width, height: size.height,
            frameDuration: MediaTime(value: 1, timescale: 10), frames: 10, hasAudio: false
        ).write(to: folder.file("clip.mp4"))
        var composition = Composition()
        try composition.insert(clip, at: .zero)
        var video = try VideoComposition(propertiesOf: composition, assets: [clip])
        let all = MediaTimeRange(start: .zero, duration: composition.duration)
        video.instructions = [Instruction(timeRange: all, background: .black, layers: layers(all))]
        video.layerTracks = tracks
        return Film(composition: composition, videoComposition: video, assets: [clip])
    }

    /// Luma of a pixel of each frame.
    private func luma(_ film: Film, x: Int, y: Int) throws -> [Int] {
        let output = try VideoCompositionOutput(film: film, threads: 1)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var values: [Int] = []
        while let sample = try output.next() {
            sample.pixelBuffer?.withPlane(0) { values.append(Int($0.row(y)[x])) }
        }
        return values
    }

    @Test("a layer track lies where its instruction puts it: under a picture it is not seen")
    func order() async throws {
        let track = LayerTrack(id: 7, layer: box(.white, x: 20, y: 20))
        let over = try await film([track]) { _ in
            [LayerInstruction(trackID: 7), LayerInstruction(trackID: 1)]
        }
        #expect(try luma(over, x: 28, y: 28) == Array(repeating: 235, count: 10))
        // beside the box the clip shows
        let beside = try luma(over, x: 10, y: 40)
        var under = over
        under.videoComposition?.instructions[0].layers.reverse()
        #expect(try luma(under, x: 10, y: 40) == beside)
        #expect(try luma(under, x: 28, y: 28).dropFirst().allSatisfy { $0 < 200 })
    }

    @Test("opacity, transform and crop of its instruction hold for a layer track")
    func ramps() async throws {
        let track = LayerTrack(id: 9, layer: box(.white, x: 0, y: 0, side: 24))
        let film = try await film([track]) { all in
            var moving = LayerInstruction(trackID: 9)
            moving.transforms = [
                TransformRamp(timeRange: all, from: .identity, to: .translation(x: 20, y: 0))
            ]
            moving.opacities = [OpacityRamp(timeRange: all, from: 1, to: 0.5)]
            moving.crops = [
                CropRectangleRamp(CropRectangle(Rectangle(x: 0, y: 0, width: 24, height: 12)))
            ]
            return [moving]
        }
        // it moves by two pixels a frame over black and fades to a half
        let left = try luma(film, x: 9, y: 4)
        let right = try luma(film, x: 30, y: 4)
        #expect(left.first == 235)
        #expect(left.dropFirst(5).allSatisfy { $0 == 16 })
        #expect(right.first == 16)
        let shown = 1 - 0.5 * 0.5
        #expect(abs(try luma(film, x: 20, y: 4)[5] - Int(16 + 219 * shown)) <= 1)
        #expect(try luma(film, x: 9, y: 18).allSatisfy { $0 == 16 })
    }

    @Test("the layer's own times are the timeline's, and half opaque colours keep their tone")
    func times() async throws {
        var layer = box(Color(red: 1, green: 1, blue: 1, alpha: 0.5), x: 8, y: 8)
        layer.timeRange = MediaTimeRange(start: .milliseconds(300), duration: .milliseconds(400))
        let film = try await film([LayerTrack(id: 3, layer: layer)]) { _ in
            [LayerInstruction(trackID: 3)]
        }
        let values = try luma(film, x: 14, y: 14)
        #expect(values.prefix(3).allSatisfy { $0 == 16 })
        #expect(values[3..<7].allSatisfy { abs($0 - 126) <= 1 })
        #expect(values.suffix(3).allSatisfy { $0 == 16 })
    }

    @Test("what does not change is drawn and conformed once")
    func kept() throws {
        let pictures = try LayerFrames(box(.white, x: 4, y: 4), renderSize: size)
        let first = try #require(try pictures.picture(at: .zero)?.pixelBuffer)
        let later = try #require(try pictures.picture(at: .seconds(5))?.pixelBuffer)
        #expect(first.withPlane(0) { $0.base } == later.withPlane(0) { $0.base })
    }

    @Test("a number twice, and a track nobody knows, are refused in words")
    func refused() async throws {
        let box = box(.white, x: 0, y: 0)
        var film = try await film([LayerTrack(id: 1, layer: box)]) { _ in
            [LayerInstruction(trackID: 1)]
        }
        let twice = #expect(throws: MediaError.self) {
            try film.videoComposition?.validate(for: film.composition)
        }
        #expect(
            twice?.message
                == "the layer track 1 has the number of another track; give it one of its own")
        film.videoComposition?.layerTracks = []
        film.videoComposition?.instructions[0].layers = [LayerInstruction(trackID: 4)]
        let unknown = #expect(throws: MediaError.self) {
            try film.videoComposition?.validate(for: film.composition)
        }
        #expect(
            unknown?.message.hasSuffix(
                "shows track 4, which is no video track of the composition and no layer track")
                == true)
    }
}
