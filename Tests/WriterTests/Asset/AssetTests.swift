import FoundationEssentials
import Media
import TestSupport
import Testing

@testable import Reading

@Suite("Assets")
struct AssetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: [String]) throws -> String {
        let path = folder.file(name)
        let result = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=d=2:r=25:s=160x90", "-f", "lavfi",
                "-i", "sine=d=2:r=48000", "-c:v", "libx264", "-bf", "0", "-c:a", "libopus",
            ] + arguments + [path])
        #expect(result.status == 0, "\(result.errorText)")
        return path
    }

    @Test("a movie is known by what it holds, not by its name")
    func sniffing() throws {
        let matroska = try make("a.mp4", ["-f", "matroska"])
        let asset = try Asset.load(matroska)
        #expect(asset.container == "matroska")
        #expect(asset.tracks.map(\.sampleCount) == [50, 101])
        #expect(asset.tracks.map { $0.format?.mediaType } == [.video, .audio])
        #expect(abs(asset.duration.approximateSeconds - 2) < 0.03)
        #expect(asset.state == .ordinary)
        let movie = try make("b.mkv", ["-f", "mp4"])
        #expect(try Asset.load(movie).container == "mp4")
    }

    @Test("another program's movie states its tracks, rate and edit list")
    func foreignMovie() throws {
        let path = try make("c.mp4", ["-metadata:s:a:0", "language=fra"])
        let asset = try Asset.load(path)
        #expect(asset.tracks[0].sampleCount == 50)
        #expect(asset.tracks[0].averageRate == 25)
        #expect(asset.tracks[0].format?.video?.width == 160)
        #expect(asset.tracks[1].language == "fra")
        #expect(asset.tracks[1].format?.audio?.codec == .opus)
        // the encoder's priming is cut by the edit list
        #expect(asset.tracks[1].edits.first?.mediaTime == MediaTime(value: 312, timescale: 48_000))
        #expect(abs(asset.duration.approximateSeconds - 2) < 0.001)
    }

    @Test("a missing file and a text are refused by name")
    func refusals() throws {
        #expect { try Asset.load(folder.file("none")) } throws: {
            ($0 as? MediaError)?.code == .noSuchFile
        }
        let path = folder.file("list.mp4")
        try "#EXTM3U\n/etc/passwd\n".write(toFile: path, atomically: false, encoding: .utf8)
        #expect { try Asset.load(path) } throws: {
            ($0 as? MediaError)?.code == .unsupported && "\($0)".contains(path)
        }
    }
}
