import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Repair of Matroska and WebM")
struct MatroskaRepairTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("take.mkv")
    }

    private func annotated(_ take: CodedTake? = nil) throws -> CodedTake {
        var take = try take ?? CodedTake.real.get()
        take.annotations = [
            .pause(at: .milliseconds(400), duration: .seconds(3)),
            .marker("hier", at: .milliseconds(900)),
        ]
        return take
    }

    @Test("wherever a crash cut a take, repair keeps every whole sample at its time")
    func cuts() throws {
        let take = try annotated()
        let whole = folder.file("whole.mkv")
        try OtherContainers.finished(take, .matroska, whole)
        let truth = try OtherContainers.samples(whole)
        let content = try OtherContainers.growing(take, .matroska, in: folder)
        var best = 0
        for cut in stride(from: content.count / 5, through: content.count, by: 7919) {
            try OtherContainers.save(content[..<cut], path)
            let report = try MovieRepair.repair(path)
            #expect(report.outcome == .remuxed)
            let found = try OtherContainers.samples(path)
            for (samples, wanted) in zip(found, truth) {
                #expect(wanted.starts(with: samples))
            }
            #expect(report.sampleCounts == found.map(\.count))
            #expect(found[0].count >= best)
            best = max(best, found[0].count)
            let asset = try Asset.load(path)
            #expect(asset.state == .ordinary)
            #expect(asset.damagedBytes == 0)
            #expect(report.duration == asset.duration, "as everybody reads it")
            #expect(try MovieRepair.repair(path).outcome == .alreadyOrdinary)
            #expect(try MovieOracles(path: path).complaints() == "")
        }
        #expect(best >= 50)
        #expect(!FileManager.default.fileExists(atPath: Replacement.path(for: path)))
    }

    @Test("a take that was killed before its first whole frame says that nothing was recorded")
    func nothingRecorded() throws {
        let take = try annotated()
        let writer = try OtherContainers.begun(take, .matroska, path)
        writer.abandon()
        let header = try OtherContainers.bytes(path).count
        let content = try OtherContainers.growing(take, .matroska, in: folder)
        // the header alone, a torn first cluster, and its first frame torn
        for cut in [header, header + 9, header + 60] {
            try OtherContainers.save(content[..<cut], path)
            for (verb, attempt) in [
                ("repair", { _ = try MovieRepair.repair(path) }),
                ("read", { _ = try Asset.load(path) }),
            ] {
                let error = #expect(throws: MediaError.self) { try attempt() }
                #expect(error?.code == .damagedFile)
                #expect(
                    error?.message
                        == "Cannot \(verb) \(path): nothing was recorded in it; it was cut off before "
                        + "its first frame and audio, and can be deleted.")
            }
            #expect(try OtherContainers.bytes(path).count == cut)
        }
    }

    @Test(
        "every codec's samples and stamps survive the copy, and what the movie says about itself",
        arguments: [
            (VideoCodec.h264, AudioCodec.opus), (.mjpeg, .pcm16), (.ffv1, .flac),
        ])
    func codecs(video: VideoCodec, audio: AudioCodec) throws {
        let take = try annotated(
            CodedTake(
                video: VideoEncoderSettings(codec: video),
                audio: AudioEncoderSettings(codec: audio)))
        try OtherContainers.save(
            try OtherContainers.growing(take, .matroska, in: folder), path)
        let truth = try OtherContainers.samples(path)
        let before = try Asset.load(path)
        #expect(before.state == .unfinished)
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .remuxed && report.losses.isEmpty)
        #expect(report.sentence.contains("nothing that had reached the disk was lost"))
        #expect(try OtherContainers.samples(path) == truth)
        let after = try Asset.load(path)
        #expect(after.pauses == before.pauses && after.pauses.count == 1)
        #expect(after.markers == before.markers && after.markers.map(\.text) == ["hier"])
        #expect(after.metadata.title == "Ein Titel")
        #expect(after.metadata.deviceNames == ["Kamera", "Mikrofon"])
        #expect(after.metadata.encoderFingerprint == take.metadata.encoderFingerprint)
        #expect(after.tracks.map(\.name) == ["Kamera", "Mikrofon"])
        #expect(after.tracks.map(\.format) == before.tracks.map(\.format))
    }

    @Test("a cluster whose bytes were damaged is left out and named; the rest keeps its place")
    func damagedCluster() throws {
        let take = try annotated()
        var content = try OtherContainers.growing(take, .matroska, in: folder)
        try OtherContainers.save(content, path)
        let truth = try OtherContainers.samples(path)
        let starts = clusters(content)
        // one with frames in it, and no tags behind it
        let number = try #require(
            (4..<starts.count - 1).max { size(starts, $0) < size(starts, $1) })
        content[starts[number] + 300] ^= 0x55
        try OtherContainers.save(content, path)
        // control: without the checksum the damaged frame would be copied
        let unchecked = try OtherContainers.samples(path)
        #expect(unchecked.map(\.count) == truth.map(\.count) && unchecked != truth)
        let report = try MovieRepair.repair(path)
        guard case .damagedFragment(let time, let bytes) = report.losses.first else {
            Issue.record("no loss was reported: \(report.losses)")
            return
        }
        #expect(report.losses.count == 1)
        #expect(bytes == Int64(size(starts, number)))
        #expect(try #require(time) > .milliseconds(500) && #require(time) < .seconds(2))
        let found = try OtherContainers.samples(path)
        #expect(found[0].count < truth[0].count)
        for (samples, wanted) in zip(found, truth) {
            #expect(samples.count <= wanted.count && samples.count > wanted.count / 2)
            #expect(samples.allSatisfy(wanted.contains))
        }
    }

    @Test("zeros in the middle, where writes were lost, do not hide what follows")
    func lostWrites() throws {
        var content = try OtherContainers.growing(try annotated(), .matroska, in: folder)
        try OtherContainers.save(content, path)
        let truth = try OtherContainers.samples(path)
        let starts = clusters(content)
        let hole = starts[2]..<starts[4]
        content.replaceSubrange(hole, with: repeatElement(0, count: hole.count))
        try OtherContainers.save(content, path)
        let report = try MovieRepair.repair(path)
        #expect(
            report.losses == [.damagedBytes(Int64(hole.lowerBound)..<Int64(hole.upperBound))])
        let found = try OtherContainers.samples(path)
        #expect(found[0].last == truth[0].last)
        #expect(found[0].allSatisfy(truth[0].contains))
    }

    @Test(
        "a finished movie is not touched, ours or another program's",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: [true, false])
    func finished(isOurs: Bool) throws {
        if isOurs {
            try OtherContainers.finished(try annotated(), .matroska, path)
        } else {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=25:s=160x90", path,
            ])
            #expect(made.status == 0)
        }
        let (content, inode) = (
            try OtherContainers.bytes(path), try OtherContainers.inode(path)
        )
        let report = try MovieRepair.repair(path)
        #expect(report.outcome == .alreadyOrdinary)
        #expect(report.sentence.contains("nothing was changed"))
        #expect(try OtherContainers.bytes(path) == content)
        #expect(try OtherContainers.inode(path) == inode)
    }

    @Test("audio only in WebM stays WebM")
    func webm() throws {
        let take = try CodedTake(
            video: nil, audio: AudioEncoderSettings(codec: .opus), frames: 60)
        let path = folder.file("take.webm")
        try OtherContainers.save(try OtherContainers.growing(take, .webm, in: folder), path)
        let truth = try OtherContainers.samples(path)
        #expect(try MovieRepair.repair(path).outcome == .remuxed)
        #expect(try OtherContainers.samples(path) == truth)
        #expect(try Asset.load(path).container == "webm")
    }

    @Test("what holds nothing playable is refused and not touched")
    func nothingPlayable() throws {
        let content = try OtherContainers.growing(try annotated(), .matroska, in: folder)
        let header = try #require(clusters(content).first)
        for bytes in [Array(content[..<header]), Array(content[..<40])] {
            try OtherContainers.save(bytes, path)
            #expect { try MovieRepair.repair(path) } throws: {
                ($0 as? MediaError)?.code == .damagedFile
            }
            #expect(try OtherContainers.bytes(path) == bytes)
            #expect(!FileManager.default.fileExists(atPath: Replacement.path(for: path)))
        }
    }

    @Test("a movie that is being written is not repaired, one that a process let go of is")
    func beingWritten() throws {
        let take = try annotated()
        let writer = try OtherContainers.begun(take, .matroska, path)
        for (track, sample) in take.samples { try writer.append(sample, track: track) }
        try writer.flush()
        #expect { try MovieRepair.repair(path) } throws: {
            ($0 as? MediaError)?.code == .inUse && "\($0)".contains("being written")
        }
        writer.abandon()
        #expect(try MovieRepair.repair(path).outcome == .remuxed)
    }

    @Test("the name, the access bits and a link to the movie stay what they were")
    func nameAndAccess() throws {
        try OtherContainers.save(
            try OtherContainers.growing(try annotated(), .matroska, in: folder), path)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let link = folder.file("link.mkv")
        try manager.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try MovieRepair.repair(link).outcome == .remuxed)
        #expect(try manager.destinationOfSymbolicLink(atPath: link) == path)
        #expect(
            try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try Asset.load(path).state == .ordinary)
    }

    private func size(_ starts: [Int], _ number: Int) -> Int { starts[number + 1] - starts[number] }

    /// Where clusters begin.
    private func clusters(_ content: [UInt8]) -> [Int] {
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        return content.indices.dropLast(4).filter {
            content[$0] == mark[0] && Array(content[$0..<$0 + 4]) == mark
        }
    }
}
