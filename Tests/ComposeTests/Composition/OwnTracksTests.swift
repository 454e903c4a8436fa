import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

@Suite(
    "An asset's own tracks, and what instructions ask for",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct OwnTracksTests {
    private let clips: NumberedClips

    init() throws { clips = try NumberedClips() }

    // MARK: An asset's own tracks

    /// Two tracks of frames and two of audio.
    private func twice() throws -> Asset {
        _ = try clips.clip("a.mp4", tone: .init(frequency: 440))
        _ = try clips.clip("b.mp4", from: 100, luma: 60, tone: .init(frequency: 1000))
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let path = clips.folder.file("twice.mp4")
        let result = try ffmpeg.run([
            "-v", "error", "-i", clips.folder.file("a.mp4"), "-i", clips.folder.file("b.mp4"),
            "-map", "0:v",
            "-map", "1:v", "-map", "0:a", "-map", "1:a", "-c", "copy", path,
        ])
        try #require(result.status == 0, "\(result.errorText)")
        return try Asset.load(path)
    }

    @Test("a reader composes an asset's own tracks, by their own numbers")
    func ownFrames() throws {
        let asset = try twice()
        let tracks = asset.tracks(of: .video)
        #expect(try clips.numbers(VideoCompositionOutput(asset: asset)) == Array(0..<30))
        #expect(
            try clips.numbers(VideoCompositionOutput(asset: asset, tracks: [tracks[1]]))
                == Array(100..<130))
        let film = try Film(tracksOf: asset)
        #expect(film.composition.tracks.map(\.id) == asset.tracks.map(\.id))
        var video = try VideoComposition(propertiesOf: film.composition, assets: [asset])
        // the second in front, half transparent
        video.instructions[0].layers = [
            LayerInstruction(trackID: tracks[1].id, opacities: [OpacityRamp(0.5)]),
            LayerInstruction(trackID: tracks[0].id),
        ]
        let mixed = try clips.pictures(
            VideoCompositionOutput(asset: asset, videoComposition: video))
        #expect(mixed.count == 30 && mixed.allSatisfy { abs(clips.luma($0) - 90) < 4 })
    }

    @Test("a reader mixes an asset's own audio tracks")
    func ownAudio() throws {
        let asset = try twice()
        let tracks = asset.tracks(of: .audio)
        func power(_ frequency: Double, _ output: AudioMixOutput) throws -> Double {
            let reader = AssetReader()
            try reader.add(output)
            try reader.start()
            var samples: [SampleBuffer] = []
            while let sample = try output.next() { samples.append(sample) }
            let sound = FlashBeep.channel(0, of: samples)
            #expect(abs(sound.count - 48_000) <= 2048)
            var (sine, cosine) = (0.0, 0.0)
            for (frame, level) in sound[4800..<43_200].enumerated() {
                let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
                sine += Double(level) * sin(angle)
                cosine += Double(level) * cos(angle)
            }
            return (sine * sine + cosine * cosine).squareRoot() / 19_200
        }
        let both = try power(440, try AudioMixOutput(asset: asset))
        #expect(both > 0.05)
        #expect(abs(try power(1000, try AudioMixOutput(asset: asset)) - both) < both / 5)
        let mix = AudioMix(inputs: [AudioMixInput(trackID: tracks[1].id, volume: 0)])
        #expect(try power(1000, try AudioMixOutput(asset: asset, audioMix: mix)) < both / 100)
        #expect(try power(440, try AudioMixOutput(asset: asset, audioMix: mix)) > both / 1.2)
        let one = try AudioMixOutput(asset: asset, tracks: [tracks[0]])
        #expect(try power(1000, one) < both / 100)
    }

    @Test("tracks that are not the asset's, or are named twice, are refused in words")
    func foreignTracks() throws {
        let asset = try clips.clip("a.mp4")
        let track = asset.tracks[0]
        let twice = #expect(throws: MediaError.self) {
            try Film(tracksOf: asset, [track, track])
        }
        #expect(twice?.code == .invalidEdit)
        let silent = #expect(throws: MediaError.self) { try AudioMixOutput(asset: asset) }
        #expect(silent?.message.contains("no audio") == true, "\(silent?.message ?? "")")
    }

    @Test("a new track gets the number that is wanted where that is free")
    func preferredNumbers() {
        var composition = Composition()
        #expect(composition.addTrack(.video, preferredID: 7) == 7)
        #expect(composition.addTrack(.video, preferredID: 7) == 8)
        #expect(composition.addTrack(.audio, preferredID: 3) == 3)
        #expect(composition.addTrack(.audio, preferredID: 0) == 9)
        #expect(composition.addTrack(.audio, preferredID: .max) == 10)
        #expect(composition.addTrack(.text) == 11)
    }

    // MARK: Instructions

    /// Paints frames of one brightness and notes what it is given.
    private final class Painter: VideoCompositor {
        let given = Lock<[[Int]]>([])

        func compose(_ request: CompositionRequest) throws -> PixelBuffer {
            given.withLock { $0.append(request.sourceTrackIDs) }
            var frame = try request.context.makeFrame()
            let height = frame.height
            frame.withMutablePlanes { planes in
                for (index, plane) in planes.enumerated() {
                    let rows = index == 0 ? height : height / 2
                    for row in 0..<rows {
                        plane.row(row).update(
                            repeating: index == 0 ? 200 : 128, count: index == 0 ? 96 : 48)
                    }
                }
            }
            return frame
        }
    }

    @Test(
        "a custom compositor gets the tracks it requires, and is not asked for a passed-through one"
    )
    func passedThrough() throws {
        let film = try Film(tracksOf: try twice())
        let ids = film.composition.tracks(of: .video).map(\.id)
        let painter = Painter()
        var video = try VideoComposition(propertiesOf: film.composition, assets: film.assets)
        let layers = video.instructions[0].layers
        func part(_ start: Int64, _ change: (inout Instruction) -> Void) -> Instruction {
            var part = Instruction(
                timeRange: MediaTimeRange(
                    start: MediaTime(value: start, timescale: 30),
                    duration: MediaTime(value: 10, timescale: 30)))
            change(&part)
            return part
        }
        video.instructions = [
            part(0) { $0.layers = [layers[0]] },
            part(10) { ($0.layers, $0.requiredSourceTrackIDs) = ([layers[0]], [ids[1], ids[0]]) },
            part(20) { ($0.layers, $0.passthroughTrackID) = (layers, ids[1]) },
        ]
        video.compositor = painter
        var shown = film
        shown.videoComposition = video
        let frames = try clips.pictures(VideoCompositionOutput(film: shown))
        #expect(
            painter.given.withLock { $0 }
                == Array(repeating: [ids[0]], count: 10) + Array(repeating: ids, count: 10))
        #expect(frames.prefix(20).allSatisfy { clips.luma($0) == 200 })
        #expect(frames.suffix(10).map { FrameStrip.number(in: $0) } == Array(120..<130))
        video.instructions[2].passthroughTrackID = 99
        let error = #expect(throws: MediaError.self) { try video.validate(for: film.composition) }
        #expect(error?.message.contains("needs track 99") == true, "\(error?.message ?? "")")
    }

    @Test("titles lie only over instructions that allow it")
    func postProcessing() throws {
        let film = try Film(tracksOf: try clips.clip("a.mp4", luma: 60))
        var video = try VideoComposition(propertiesOf: film.composition, assets: film.assets)
        var bar = Layer(covering: video.renderSize)
        bar.contents = .solid(.white)
        video.animation = bar
        var second = video.instructions[0]
        let half = MediaTime(value: 15, timescale: 30)
        video.instructions[0].timeRange = MediaTimeRange(start: .zero, duration: half)
        second.timeRange = MediaTimeRange(start: half, duration: half)
        second.enablePostProcessing = false
        video.instructions.append(second)
        var shown = film
        shown.videoComposition = video
        let frames = try clips.pictures(VideoCompositionOutput(film: shown))
        #expect(frames.prefix(15).allSatisfy { clips.luma($0) > 230 })
        #expect(frames.suffix(15).map { FrameStrip.number(in: $0) } == Array(15..<30))
        #expect(frames.suffix(15).allSatisfy { abs(clips.luma($0) - 60) < 4 })
    }

    @Test("an instruction says whether anything in it moves")
    func tweening() {
        let all = MediaTimeRange(start: .zero, duration: .seconds(1))
        var instruction = Instruction(timeRange: all, layers: [LayerInstruction(trackID: 1)])
        #expect(!instruction.containsTweening)
        instruction.layers[0].opacities = [OpacityRamp(0.5)]
        #expect(!instruction.containsTweening)
        instruction.layers[0].opacities = [OpacityRamp(timeRange: all, from: 0, to: 1)]
        #expect(instruction.containsTweening)
        instruction.passthroughTrackID = 2
        #expect(!instruction.containsTweening)
    }

    // MARK: Clips

    @Test("a clip is trimmed where it leaves something of its source out")
    func trimmed() throws {
        let asset = try clips.clip("a.mp4")
        func isTrimmed(_ start: MediaTime, _ end: MediaTime?) -> Bool {
            VideoItem(asset.path, start: start, end: end).isTrimmed(in: asset)
        }
        #expect(!isTrimmed(.zero, nil) && !isTrimmed(.zero, asset.duration))
        #expect(isTrimmed(.milliseconds(100), nil) && isTrimmed(.zero, .milliseconds(900)))
    }
}
