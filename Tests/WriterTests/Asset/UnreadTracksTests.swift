import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite(
    "Subtitles and metadata that nobody here reads",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct UnreadTracksTests {
    /// A movie with subtitles, some of whose names are changed, as other programs' codings have.
    private func movie(
        _ footage: Footage, _ words: [String], changing names: [(String, String)]
    ) throws -> String {
        let cues = footage.folder.file("cues.srt")
        try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8)
            .write(to: URL(fileURLWithPath: cues))
        let path = footage.folder.file("a.mp4")
        let result = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x48:r=30:d=2", "-i", cues,
                "-map", "0", "-map", "1", "-c:v", "libx264", "-g", "15", "-c:s", "mov_text",
            ] + words + [path])
        #expect(result.status == 0, "\(result.errorText)")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for (old, new) in names {
            let place = bytes.indices.first { bytes[$0...].starts(with: Array(old.utf8)) }
            let at = try #require(place)
            bytes.replaceSubrange(at..<at + 4, with: Array(new.utf8))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("subtitles of an unknown coding are listed with the reason, and not passed over")
    func text() throws {
        let footage = try Footage()
        let path = try movie(footage, [], changing: [("tx3g", "stpp")])
        let asset = try Asset.load(path)
        let track = try asset.first(.text)
        #expect(track.format == nil)
        #expect(track.obstacle == "its codec \"stpp\" is none that vcap knows")
        #expect(try asset.first(.video).sampleCount == 60)
    }

    @Test(
        "a repair that makes a new index says which tracks it leaves out",
        arguments: [(MediaType.text, [("tx3g", "stpp")]), (.metadata, [("sbtl", "meta")])])
    func repair(type: MediaType, names: [(String, String)]) throws {
        let footage = try Footage()
        let path = try movie(
            footage, ["-movflags", "frag_keyframe+empty_moov"], changing: names)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .indexRebuilt)
        let code = type == .text ? "stpp" : "tx3g"
        let reason = "its codec \"\(code)\" is none that vcap knows"
        #expect(report.losses == [.unreadTrack(type, reason: reason)])
        let sentence = "a track of \(type.rawValue) was left out, because \(reason)"
        #expect(report.sentence.contains(sentence))
        #expect(try MovieOracle(path).presentationTimes().count == 60)
    }

    @Test("a repair of a movie whose tracks are all read reports no such loss")
    func complete() throws {
        let footage = try Footage()
        let path = try movie(footage, ["-movflags", "frag_keyframe+empty_moov"], changing: [])
        #expect(try MovieRepair.repair(path).losses.isEmpty)
    }
}
