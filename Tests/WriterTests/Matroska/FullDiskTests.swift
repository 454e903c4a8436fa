import Glibc
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Matroska on a disk that fills up")
struct FullDiskTests {
    /// Writes a take until the disk refuses, and finishes it.
    /// - Returns: what the disk refused, and why finishing failed.
    private func record(
        _ take: CodedTake, _ container: MuxerContainer, _ io: ScriptedFileIO
    ) throws -> (refusal: MediaError?, finishing: MediaError?) {
        let file = DurableFile(io: io, name: "take.mkv", policy: .every(.seconds(1_000_000)))
        let writer = try LibAVContainerWriter(
            file: file, container: container, fragmentInterval: .milliseconds(250))
        for track in take.tracks { _ = try writer.addTrack(track) }
        try writer.begin(take.metadata)
        var outcome: (refusal: MediaError?, finishing: MediaError?)
        do throws(MediaError) {
            for (track, sample) in take.samples { try writer.append(sample, track: track) }
        } catch { outcome.refusal = error }
        do throws(MediaError) { _ = try writer.finish() } catch { outcome.finishing = error }
        return outcome
    }

    @Test(
        "wherever the disk refuses, the file is finished in the room that was kept: index, length, whole clusters"
    )
    func finishes() throws {
        let take = try CodedTake.real.get()
        let folder = try TemporaryFolder()
        let path = folder.file("whole.mkv")
        let whole = ScriptedFileIO()
        #expect(try record(take, .matroska, whole).finishing == nil)
        try OtherContainers.save(whole.content, path)
        let truth = try OtherContainers.samples(path)
        var refused = 0
        // below this not even the header finds room beside what is kept
        let least: Int64 = 72 << 10
        for capacity in stride(from: least, to: least + Int64(whole.content.count), by: 4099) {
            let io = ScriptedFileIO(capacity: capacity)
            let outcome = try record(take, .matroska, io)
            guard let refusal = outcome.refusal else { continue }
            refused += 1
            #expect(refusal.code == .diskFull)
            #expect(outcome.finishing == nil, "\(capacity)")
            #expect(Int64(io.content.count) <= capacity)
            let path = folder.file("\(capacity).mkv")
            try OtherContainers.save(io.content, path)
            #expect(try Asset.load(path).state == .ordinary, "\(capacity)")
            let found = try OtherContainers.samples(path)
            for (found, all) in zip(found, truth) { #expect(all.starts(with: found)) }
            #expect(found.contains { !$0.isEmpty })
        }
        #expect(refused > 5)
    }

    @Test("a disk that keeps no room leaves whole clusters, and finishing says so")
    func withoutReserve() throws {
        let take = try CodedTake.real.get()
        let folder = try TemporaryFolder()
        let io = ScriptedFileIO(capacity: 40_000) { _, call in
            if case .allocate = call { EOPNOTSUPP } else { nil }
        }
        let outcome = try record(take, .matroska, io)
        #expect(outcome.refusal?.code == .diskFull)
        #expect(outcome.finishing?.code == .diskFull)
        let path = folder.file("a.mkv")
        try OtherContainers.save(io.content, path)
        #expect(try Asset.load(path).state == .unfinished)
        #expect(try OtherContainers.samples(path).contains { !$0.isEmpty })
    }
}
