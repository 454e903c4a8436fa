import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Compose

/// Pictures that stand for a whole file: kept where the new one has a place for them, else reported.
@Suite("Cover art of conversions", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CoverArtTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["cover.jpeg", "cover.png"] {
            try ffmpeg(
                ["-f", "lavfi", "-i", "testsrc=s=96x80", "-frames:v", "1", folder.file(name)])
        }
    }

    private func ffmpeg(_ arguments: [String]) throws {
        let result = try #require(Program.tool("ffmpeg")).run(["-v", "error", "-y"] + arguments)
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// A second of sound under a cover.
    private func make(_ ending: String, _ kind: String) throws -> Asset {
        let path = folder.file("in.\(ending)")
        let cover = folder.file("cover.\(kind)")
        let sound = ["-f", "lavfi", "-i", "sine=d=1"]
        if ending == "mka" {
            try ffmpeg(
                sound + ["-attach", cover, "-metadata:s:t", "mimetype=image/\(kind)", path])
        } else {
            try ffmpeg(
                sound + ["-i", cover, "-map", "0", "-map", "1", "-c:v", "copy"]
                    + ["-disposition:v", "attached_pic", path])
        }
        return try Asset.load(path)
    }

    private func convert(_ asset: Asset, _ name: String) async throws -> [String] {
        try await ConversionSession(Conversion(asset)).convert(to: folder.file(name)).notes
    }

    @Test(
        "a cover is in the new file byte for byte, and the sound as long as it was",
        arguments: [
            ("mp3", "jpeg"), ("mp3", "png"), ("m4a", "jpeg"), ("flac", "png"), ("mka", "jpeg"),
        ],
        ["mp3", "m4a", "mp4", "mov", "flac", "mkv"])
    func kept(_ source: (ending: String, kind: String), _ ending: String) async throws {
        let asset = try make(source.ending, source.kind)
        let cover = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: folder.file("cover.\(source.kind)"))))
        #expect(asset.metadata.covers == [CoverArt(cover)])
        #expect(asset.metadata.covers.first?.width == 96)
        #expect(asset.metadata.covers.first?.height == 80)
        #expect(try await convert(asset, "out.\(ending)").isEmpty)
        let made = try Asset.load(folder.file("out.\(ending)"))
        #expect(made.metadata.covers.map(\.bytes) == [cover])
        #expect(made.tracks.map(\.mediaType) == [.audio])
        #expect(abs(made.duration.approximateSeconds - 1) < 0.08)
        // ffmpeg knows no covers among QuickTime's keys
        guard ending != "mov" else { return }
        try ffmpeg([
            "-i", made.path, "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-frames:v", "1",
            folder.file("seen"),
        ])
        let seen = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("seen"))))
        #expect(seen == cover)
    }

    @Test(
        "a cover that has no place is reported by the plan and by the report",
        arguments: [OutputContainer.wav, .ogg, .mpegTS])
    func reported(_ container: OutputContainer) async throws {
        let asset = try make("mp3", "jpeg")
        let losses = try ConversionSession(Conversion(asset)).plan(for: container).losses
        #expect(losses.count == 1)
        #expect(losses.first?.hasPrefix("Cover art of \(asset.path) is left out") == true)
        #expect(try await convert(asset, "out.\(container.rawValue)") == losses)
        #expect(try ConversionSession(Conversion(asset)).plan(for: .m4a).losses.isEmpty)
    }

    @Test("a film says that a clip's cover is no part of it")
    func film() throws {
        let path = folder.file("in.m4v")
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-i", folder.file("cover.jpeg"),
            "-map", "0", "-map", "1", "-c:v:0", "libx264", "-c:v:1", "copy",
            "-disposition:v:1", "attached_pic", "-f", "mp4", path,
        ])
        let asset = try Asset.load(path)
        #expect(asset.tracks.map(\.mediaType) == [.video])
        let film = try TimelineBuilder(
            Timeline(videos: [VideoItem(asset.path)]), assets: [asset]
        ).film()
        #expect(film.warnings.contains { $0.contains("cover art is left out") })
    }
}
