import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite(
    "Fragmented movies of other programs that are cut off",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CutFragmentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Frames and audio by ffmpeg, a fragment at each sync sample.
    private func movie(seconds: Int, group: Int) throws -> Data {
        let path = folder.file("whole.mp4")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=\(seconds)",
            "-f", "lavfi", "-i", "sine=d=\(seconds):r=48000", "-c:v", "libx264", "-g",
            "\(group)", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return try #require(FileManager.default.contents(atPath: path))
    }

    private func decoded(_ path: String) throws -> Int {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "quiet", "-i", path, "-map", "0:v", "-f", "framecrc", "-",
        ])
        return result.outputText.split(separator: "\n").count { !$0.hasPrefix("#") }
    }

    private func file(_ data: Data) throws -> String {
        let path = folder.file("cut.mp4")
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "every sample that is whole is kept by repair, and read before it too",
        arguments: [(6, 90, 0.95), (2, 250, 0.7), (2, 250, 0.4)])
    func kept(seconds: Int, group: Int, part: Double) throws {
        let whole = try movie(seconds: seconds, group: group)
        let path = try file(whole.prefix(Int(Double(whole.count) * part)))
        let before = try decoded(path)
        #expect(before > 20)
        let asset = try Asset.load(path)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .indexRebuilt)
        #expect(try decoded(path) >= before)
        #expect(report.sampleCounts == asset.tracks.map(\.sampleCount))
        #expect(report.sampleCounts[0] >= before)
        #expect(report.duration == asset.duration)
        let streams = try MovieOracles(path: path).streams()
        #expect(streams.map(\.packets) == report.sampleCounts)
        #expect(try MovieOracles(path: path).complaints() == "")
        guard case .cutSamples(let bytes) = report.losses.first else {
            Issue.record("\(report.losses)")
            return
        }
        #expect(bytes == asset.damagedBytes)
        #expect(!report.sentence.contains("on its way"))
        #expect(report.sentence.contains("\(bytes) bytes at the end"))
        // every sample is what it was
        let (old, new) = (try MovieFile(path: folder.file("whole.mp4")), try MovieFile(path: path))
        let now = try Data(contentsOf: URL(fileURLWithPath: path))
        for (was, kept) in zip(old.tracks, new.tracks) {
            for (a, b) in zip(was.samples, kept.samples) {
                #expect(a.size == b.size)
                let places = (Int(a.offset), Int(b.offset), Int(a.size))
                #expect(
                    whole[places.0..<places.0 + places.2] == now[places.1..<places.1 + places.2])
            }
        }
    }

    @Test("killed at any I/O call, the repair loses nothing and can be repeated")
    func killed() throws {
        let whole = try movie(seconds: 2, group: 30)
        let cut = [UInt8](whole.prefix(whole.count * 9 / 10))
        func counts(_ content: [UInt8]) throws -> [Int] {
            try MovieFile(io: ScriptedFileIO(content: content), name: "x").tracks
                .map(\.samples.count)
        }
        let expected = try counts(cut)
        let disk = ScriptedFileIO(content: cut)
        #expect(try MovieRepair.repair(disk, name: "x").sampleCounts == expected)
        var states: [[UInt8]] = []
        var content = cut
        for call in disk.calls {
            if case .write(let offset, let bytes) = call, bytes.count > 16 {
                for part in [1, bytes.count / 3, bytes.count - 1] {
                    var torn = content
                    DiskReplay.apply(
                        .write(offset: offset, bytes: Array(bytes.prefix(part))), to: &torn)
                    states.append(torn)
                }
            }
            DiskReplay.apply(call, to: &content)
            states.append(content)
        }
        for state in states {
            #expect(try counts(state) == expected)
            let again = ScriptedFileIO(content: state)
            _ = try MovieRepair.repair(again, name: "x")
            let movie = try MovieFile(io: ScriptedFileIO(content: again.content), name: "x")
            #expect(movie.layout == .ordinary)
            #expect(movie.tracks.map(\.samples.count) == expected)
        }
    }
}
