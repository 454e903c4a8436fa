import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Repair")
struct MovieRepairTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func growing(_ take: CodedTake) throws -> [UInt8] {
        let io = ScriptedFileIO()
        let writer = try take.begun(DurableFile(scripted: io))
        try take.append(to: writer)
        try writer.flush()
        let content = io.content
        writer.abandon()
        return content
    }

    private func entries(_ content: [UInt8]) throws -> [BoxScanner.Entry] {
        try BoxScanner(
            ScriptedFileIO(content: content), file: "x", limits: MovieLimits()
        ).entries
    }

    @Test("a fragment whose data was damaged is left out and named; the rest keeps its place")
    func damagedData() throws {
        let take = try CodedTake.real.get()
        var content = try growing(take)
        let data = try entries(content).filter { $0.type == "mdat" }[3]
        content[Int(data.offset) + 100] ^= 0x55
        let disk = ScriptedFileIO(content: content)
        let report = try MovieRepair.repair(disk, name: "take.mp4")
        #expect(report.outcome == .indexRebuilt)
        guard case .damagedFragment(let time, let bytes) = report.losses.first else {
            Issue.record("no loss was reported: \(report.losses)")
            return
        }
        #expect(bytes == data.bodySize)
        #expect(report.losses.count == 1)
        let start = try #require(time)
        #expect(start > .milliseconds(600) && start < .seconds(1))
        #expect(report.sentence.contains("a damaged fragment of \(bytes) bytes at 0."))
        let whole = TakeTruth(take)
        let found = TakeTruth(
            try MovieFile(io: ScriptedFileIO(content: disk.content), name: "x"),
            content: disk.content)
        for (samples, truth) in zip(found.tracks, whole.tracks) {
            #expect(samples.count < truth.count && samples.count >= truth.count - 13)
            #expect(samples.allSatisfy(truth.contains))
        }
    }

    @Test("zeros in the middle, where writes were lost, do not hide what follows")
    func lostWrites() throws {
        let take = try CodedTake.real.get()
        var content = try growing(take)
        let moofs = try entries(content).filter { $0.type == "moof" }
        let hole = Int(moofs[2].offset)..<Int(moofs[4].offset)
        content.replaceSubrange(hole, with: repeatElement(0, count: hole.count))
        let path = folder.file("hole.mp4")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(content)))
        let report = try MovieRepair.repair(path)
        #expect(
            report.losses
                == [.damagedBytes(Int64(hole.lowerBound)..<Int64(hole.upperBound))])
        let asset = try Asset.load(path)
        #expect(asset.state == .ordinary)
        #expect(asset.duration > .milliseconds(1900))
        let samples = try MovieFile(path: path).tracks[0].samples
        let numbers = try MovieOracle(path).presentationTimes().count
        #expect(numbers == samples.count)
        #expect(samples.count > 40 && samples.count < 60)
    }

    @Test("fragmented movies of another program are repaired too, truncated ones included")
    func foreignFragments() throws {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let path = folder.file("foreign.mp4")
        let result = try ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=d=3:r=25:s=160x90", "-f", "lavfi", "-i",
            "sine=d=3:r=44100", "-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags",
            "frag_keyframe+empty_moov+default_base_moof", path,
        ])
        #expect(result.status == 0)
        let content = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        let whole = try MovieOracles(path: path).streams()
        // ffmpeg ends with an index of fragments; cut in the middle of the last fragment
        let last = try #require(try entries(content).last { $0.type == "mdat" })
        for cut in [content.count, Int(last.end) - 20] {
            let data = Data(content[..<cut])
            #expect(FileManager.default.createFile(atPath: path, contents: data))
            let report = try MovieRepair.repair(path)
            #expect(report.outcome == .indexRebuilt)
            #expect(report.losses.isEmpty == (cut == content.count))
            let streams = try MovieOracles(path: path).streams()
            #expect(streams.map(\.codec) == ["h264", "aac"])
            #expect(streams.map(\.packets) == report.sampleCounts)
            if cut == content.count { #expect(streams.map(\.packets) == whole.map(\.packets)) }
            #expect(try MovieOracles(path: path).complaints() == "")
            #expect(try Asset.load(path).state == .ordinary)
        }
    }

    @Test("an ordinary movie stays byte for byte what it was")
    func ordinary() throws {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let path = folder.file("plain.mp4")
        _ = try ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=25:s=160x90", path,
        ])
        let before = FileManager.default.contents(atPath: path)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .alreadyOrdinary)
        #expect(report.sampleCounts == [25])
        #expect(report.sentence.contains("nothing was changed"))
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test("what holds nothing playable is refused and not touched")
    func nothingPlayable() throws {
        for content in [[], Array("no movie at all, but long enough".utf8)] {
            let disk = ScriptedFileIO(content: content)
            #expect(throws: MediaError.self) { try MovieRepair.repair(disk, name: "x.mp4") }
            #expect(disk.calls.isEmpty)
        }
    }

    @Test("a repair on a full disk says so and leaves the take playable")
    func fullDisk() throws {
        let content = try growing(try CodedTake.real.get())
        let disk = ScriptedFileIO(content: content, capacity: Int64(content.count) + 100)
        #expect { try MovieRepair.repair(disk, name: "x.mp4") } throws: {
            ($0 as? MediaError)?.code == .diskFull
        }
        #expect(disk.content == content)
    }
}
