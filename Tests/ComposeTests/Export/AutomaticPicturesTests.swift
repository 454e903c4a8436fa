import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite(
    "Compositions that nobody said how to compose",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct AutomaticPicturesTests {
    private let folder: TemporaryFolder
    private let film: Film

    init() throws {
        folder = try TemporaryFolder()
        var clip = GeneratedClip()
        (clip.width, clip.height) = (96, 54)
        try clip.write(to: folder.file("a.mp4"))
        var composition = Composition()
        try composition.insert(try Asset.load(folder.file("a.mp4")), at: .zero)
        film = Film(composition: composition, videoComposition: nil)
    }

    @Test("a composition without a video composition has its frames")
    func pictures() async throws {
        let path = folder.file("film.mp4")
        let session = ExportSession(film)
        #expect(try session.plan().frameCount == 12)
        let report = try await session.export(to: path)
        #expect(report.frames == 12 && report.audioFrames > 0)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<12))
        #expect(try VideoCompositionOutput(film: film).format.width == 96)
        #expect(!(try FilmStills(film).frame(at: .zero)).isEmpty)
    }

    @Test("audio only is a matter of the preset, and passthrough copies the frames too")
    func presets() async throws {
        let audio = try await ExportSession(film, settings: ExportSettings(preset: .audioOnly))
            .export(to: folder.file("sound.m4a"))
        #expect(audio.frames == 0 && audio.audioFrames > 0)
        let path = folder.file("copy.mp4")
        _ = try await ExportSession(film, settings: ExportSettings(preset: .passthrough))
            .export(to: path)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<12))
    }

    @Test("a still picture without a range can be read: it is one frame")
    func still() throws {
        let picture = folder.file("a.png")
        try Data(try FilmStills(film).frame(at: .zero)).write(to: URL(fileURLWithPath: picture))
        let asset = try Asset.load(picture)
        let output = try AssetReaderTrackOutput(
            asset: asset, track: asset.tracks[0], settings: .frames(nil))
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        let sample = try #require(try output.next())
        #expect(sample.pixelBuffer?.width == 96)
        #expect(try output.next() == nil)
    }
}
