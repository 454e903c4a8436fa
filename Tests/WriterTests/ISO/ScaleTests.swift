import FoundationEssentials
import Glibc
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Long and large takes", .serialized)
struct ScaleTests {
    @Test("an hour of frames and audio is closed with few calls and megabytes")
    func hour() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("hour.mp4")
        let take = CodedTake.synthetic(seconds: 3600, videoBytes: 40, audioBytes: 8, jitter: true)
        let io = CountingFileIO(try SystemFileIO(creating: path, existing: .refuse))
        let file = DurableFile(io: io, name: path, gapHeader: MovieFileWriter.gapHeader)
        let writer = try take.begun(file)
        try take.append(to: writer)
        // 108,000 frames each with a duration of its own, 168,751 audio samples
        #expect(writer.indexMemory < 3_000_000)
        let clock = HostClock()
        let before = io.counts
        let start = clock.now()
        // the last fragment, what was not synced yet, the index, the barrier, the overwrite
        let summary = try writer.finish()
        let elapsed = clock.now() - start
        // bench/finish.sh reads this line and asserts 300 ms
        print("stop to closed: \(elapsed.approximateSeconds) s")
        let after = io.counts
        #expect(after.writes - before.writes <= 4)
        #expect(after.bytes - before.bytes < 3_200_000)
        #expect(3...4 ~= after.syncs - before.syncs)
        #expect(summary.tracks.map(\.sampleCount) == [108_000, 168_751])
        let asset = try Asset.load(path)
        #expect(asset.tracks.map(\.sampleCount) == [108_000, 168_751])
        #expect(abs(asset.duration.approximateSeconds - 3600) < 0.03)
    }

    @Test("a take past 4 GiB keeps every sample's place")
    func past4GiB() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("large.mp4")
        let take = CodedTake.synthetic(seconds: 8)
        let file = try DurableFile(creating: path, existing: .refuse)
        let writer = try take.begun(file)
        let half = take.samples.count / 2
        for (track, sample) in take.samples[..<half] { try writer.append(sample, track: track) }
        // three gaps of 2 GiB, as a disk that failed three times would leave; the file is sparse
        for _ in 0..<3 {
            let gap: Int64 = 2 << 30
            let start = file.size
            try file.overwrite(MovieFileWriter.gapHeader(gap), at: start)
            try file.overwrite([0], at: start + gap - 1)
        }
        for (track, sample) in take.samples[half...] { try writer.append(sample, track: track) }
        let summary = try writer.finish()
        #expect(summary.fileBytes > 6 << 30)

        let movie = try MovieFile(path: path)
        #expect(movie.layout == .ordinary)
        #expect((movie.tracks[0].samples.last?.offset ?? 0) > 6 << 30)
        let io = try SystemFileIO(opening: path, writable: false)
        defer { io.close() }
        for (track, wanted) in zip(movie.tracks, TakeTruth(take).tracks) {
            #expect(track.samples.count == wanted.count)
            for (sample, truth) in zip(track.samples, wanted) {
                let bytes = try io.readAll(Int(sample.size), at: sample.offset)
                let hash = bytes.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }
                #expect(hash == truth.hash)
            }
        }
        let streams = try MovieOracles(path: path).probe(["-count_packets", "-show_streams"])
        let counts = (streams["streams"] as? [[String: Any]])?.map {
            $0["nb_read_packets"] as? String
        }
        #expect(counts == summary.tracks.map { "\($0.sampleCount)" })
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .alreadyOrdinary)
    }
}
