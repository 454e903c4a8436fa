import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("Repair of MPEG-TS")
struct TransportRepairTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("take.ts")
    }

    @Test(
        "wherever a crash cut a take, what repair leaves are whole samples of the take",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func cuts() throws {
        let take = try CodedTake.real.get()
        let whole = folder.file("whole.ts")
        try OtherContainers.finished(take, .mpegTS, whole)
        let truth = try OtherContainers.samples(whole)
        let content = try OtherContainers.bytes(whole)
        var (torn, repaired) = (0, 0)
        for cut in stride(from: content.count / 3, to: content.count, by: 3371) {
            try OtherContainers.save(content[..<cut], path)
            let before = try OtherContainers.samples(path)
            if !isPrefix(before, of: truth) { torn += 1 }
            let report = try MovieRepair.repair(path)
            let found = try OtherContainers.samples(path)
            #expect(isPrefix(found, of: truth), "cut at \(cut)")
            // one frame at most, or the audio of one packet
            #expect(found[0].count >= before[0].count - 1)
            #expect(found[1].count >= before[1].count - 8)
            let kept = try OtherContainers.bytes(path)
            #expect(kept.elementsEqual(content[..<kept.count]) && kept.count % 188 == 0)
            if report.outcome == .endCut {
                repaired += 1
                #expect(report.losses == [.cutEnd(bytes: Int64(cut - kept.count))])
            }
            #expect(try MovieRepair.repair(path).outcome == .alreadyOrdinary)
        }
        // control: unrepaired, most cuts leave a torn frame as the last one
        #expect(torn > 3 && repaired >= torn)
    }

    private func isPrefix(
        _ found: [[OtherContainers.Sample]], of truth: [[OtherContainers.Sample]]
    ) -> Bool {
        zip(found, truth).allSatisfy { $1.starts(with: $0) }
    }

    @Test("what a power cut left of unsynced writes, zeros, is cut off")
    func zeros() throws {
        let take = try CodedTake.real.get()
        try OtherContainers.finished(take, .mpegTS, path)
        let content = try OtherContainers.bytes(path)
        try OtherContainers.save(content + [UInt8](repeating: 0, count: 10_000), path)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .endCut && report.losses == [.cutEnd(bytes: 10_000)])
        #expect(try OtherContainers.bytes(path) == content)
    }

    @Test(
        "a stream that ends well is not touched, ours or another program's",
        arguments: [true, false])
    func healthy(isOurs: Bool) throws {
        if isOurs {
            try OtherContainers.finished(try CodedTake.real.get(), .mpegTS, path)
        } else {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=25:s=160x90", path,
            ])
            #expect(made.status == 0)
        }
        let content = try OtherContainers.bytes(path)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .alreadyOrdinary && report.losses.isEmpty)
        #expect(try OtherContainers.bytes(path) == content)
    }

    @Test("what is no movie at all is refused by name and not touched")
    func noMovie() throws {
        for bytes in [[UInt8](repeating: 7, count: 2000), Array("Liebes Tagebuch".utf8)] {
            try OtherContainers.save(bytes, path)
            #expect { try MovieRepair.repair(path) } throws: {
                ($0 as? MediaError)?.code == .unsupported && "\($0)".contains("take.ts")
            }
            #expect(try OtherContainers.bytes(path) == bytes)
        }
    }
}
