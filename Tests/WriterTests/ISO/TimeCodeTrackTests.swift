import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Time code in movies", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TimeCodeTrackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let ntsc = FrameRate(30_000, per: 1001)

    private func code(_ text: String, _ rate: FrameRate = FrameRate(30)) throws -> TimeCode {
        try #require(TimeCodeText(text)?.timeCode(at: rate))
    }

    private func take(_ code: MovieTimeCode) throws -> CodedTake {
        var take = try CodedTake.real.get()
        take.metadata.timeCode = code
        return take
    }

    private func write(
        _ take: CodedTake, _ container: MovieContainer, _ name: String = "c"
    ) throws -> String {
        let path = folder.file("\(name).\(container)")
        let file = try DurableFile(
            creating: path, existing: .replace, gapHeader: MovieFileWriter.gapHeader)
        _ = try take.write(to: file, container: container)
        return path
    }

    private struct Probed {
        var timeCode: String?
        var tag: String?
        var duration: Double
        var videoTimeCode: String?
    }

    private func probe(_ path: String) throws -> Probed {
        let json = try MovieOracles(path: path).probe(["-show_streams"])
        let streams = json["streams"] as? [[String: Any]] ?? []
        let data = streams.first { $0["codec_type"] as? String == "data" }
        let video = streams.first { $0["codec_type"] as? String == "video" }
        func timeCode(_ stream: [String: Any]?) -> String? {
            (stream?["tags"] as? [String: Any])?["timecode"] as? String
        }
        return Probed(
            timeCode: timeCode(data), tag: data?["codec_tag_string"] as? String,
            duration: Double(data?["duration"] as? String ?? "") ?? 0,
            videoTimeCode: timeCode(video))
    }

    /// When each sample of the time code begins, and its number (s).
    private func packets(_ path: String) throws -> [(time: Double, number: Int)] {
        let probe = try #require(Program.tool("ffprobe"))
        let times = try probe.run([
            "-v", "error", "-select_streams", "d:0", "-show_entries", "packet=pts_time", "-of",
            "csv=p=0", path,
        ]).outputText.split(whereSeparator: { !"0123456789.".contains($0) }).map {
            Double($0) ?? -1
        }
        let bytes = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-map", "0:d:0", "-c", "copy", "-f", "data", "-",
        ]).output
        let numbers = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        try #require(times.count == numbers.count)
        return zip(times, numbers).map { ($0, $1) }
    }

    @Test(
        "ffprobe shows the code and a track of it as long as the movie, and ffmpeg's copies keep it",
        arguments: MovieContainer.allCases, ["10:59:58:07", "00:59:59;29"])
    func shown(container: MovieContainer, text: String) throws {
        let rate = text.contains(";") ? Self.ntsc : FrameRate(30)
        let path = try write(try take(MovieTimeCode(try code(text, rate))), container)
        let found = try probe(path)
        #expect(found.timeCode == text)
        #expect(found.tag == "tmcd")
        #expect(found.videoTimeCode == text, "the video track refers to it")
        #expect((found.duration - 2).magnitude < 0.05)
        #expect(try packets(path).map(\.number) == [Int(try code(text, rate).frame)])
        #expect(try MovieOracles(path: path).complaints() == "")
        let copy = folder.file("copy.mov")
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        #expect(try ffmpeg.run(["-v", "error", "-y", "-i", path, "-c", "copy", copy]).status == 0)
        #expect(try probe(copy).timeCode == text)
        for file in [path, copy] {
            let asset = try Asset.load(file)
            let found = try #require(asset.metadata.timeCode)
            #expect(found.start.description == text && found.jumps.isEmpty, "\(file)")
            // ffmpeg counts it at the frames' rate
            let exact = try code(text, rate)
            #expect(file == copy || found.start == exact)
            #expect(asset.tracks.count == 2, "it is no track of the movie's others")
        }
    }

    @Test(
        "a code that advances in pauses has a sample for each stretch, and one that does not has one"
    )
    func pauses() throws {
        for isFree in [true, false] {
            var take = try take(MovieTimeCode(try code("10:00:00:00"), runsInPauses: isFree))
            take.annotations = [
                .pause(at: .milliseconds(500), duration: .seconds(10)),
                .pause(at: .milliseconds(1500), duration: .milliseconds(500)),
            ]
            let path = try write(take, .mov)
            let first = 36_000 * 30
            let expected = isFree ? [first, first + 315, first + 360] : [first]
            let found = try packets(path)
            #expect(found.map(\.number) == expected)
            for (packet, time) in zip(found, [0, 0.5, 1.5]) {
                #expect((packet.time - time).magnitude < 0.001)
            }
            let jumps = try #require(try Asset.load(path).metadata.timeCode?.jumps)
            #expect(
                jumps.map(\.timeCode.description) == (isFree ? ["10:00:10:15", "10:00:12:00"] : []))
        }
    }

    @Test(
        "a take that is killed keeps its code and its jumps, and so does its repair",
        arguments: MovieContainer.allCases)
    func killed(container: MovieContainer) throws {
        var take = try take(MovieTimeCode(try code("10:00:00:00"), runsInPauses: true))
        take.annotations = [.pause(at: .milliseconds(500), duration: .seconds(10))]
        let path = folder.file("k.\(container)")
        let file = try DurableFile(
            creating: path, existing: .replace, gapHeader: MovieFileWriter.gapHeader)
        let writer = try take.begun(file, container)
        try take.append(to: writer)
        try writer.flush()
        writer.abandon()
        #expect(try probe(path).timeCode == "10:00:00:00")
        for isRepaired in [false, true] {
            if isRepaired { _ = try MovieRepair.repair(path) }
            let asset = try Asset.load(path)
            #expect(asset.state == (isRepaired ? .ordinary : .unfinished))
            let found = try #require(asset.metadata.timeCode)
            #expect(found.start.description == "10:00:00:00")
            #expect(found.jumps.map(\.timeCode.description) == ["10:00:10:15"])
            #expect(found.jumps.first?.time == .milliseconds(500))
        }
        let repaired = try probe(path)
        #expect(repaired.timeCode == "10:00:00:00")
        #expect((repaired.duration - 2).magnitude < 0.1)
        #expect(try packets(path).map(\.number) == [1_080_000, 1_080_315])
    }

    @Test(
        "what ffmpeg writes is read, of QuickTime, MP4 and Matroska",
        arguments: ["mov", "mp4", "mkv"])
    func foreign(ending: String) throws {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        for (text, rate, name) in [
            ("01:00:00;02", Self.ntsc, "30000/1001"), ("23:59:59:24", FrameRate(25), "25"),
            ("10:00:00:23", FrameRate(24_000, per: 1001), "24000/1001"),
        ] {
            let path = folder.file("f.\(ending)")
            let result = try ffmpeg.run([
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x48:r=\(name):d=1", "-c:v",
                "libx264", "-timecode", text, path,
            ])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(try Asset.load(path).metadata.timeCode == MovieTimeCode(try code(text, rate)))
        }
    }

    @Test("time code that is damaged or absurd costs the movie nothing")
    func hostile() throws {
        let path = try write(try take(MovieTimeCode(try code("10:00:00:00"))), .mov)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = try MovieFile(io: ScriptedFileIO(content: bytes), name: "x.mov")
        // the second "tmcd" box is the header of the media, the entry is the last but the handler's
        let entry = try #require(place(of: "stsd", before: "tmcd", in: bytes))
        let handler = try #require(place(of: "mhlr", before: "tmcd", in: bytes)) - 12
        var changes: [(String, Int, [UInt8])] = [
            ("zero rate", entry + 16, [0, 0, 0, 0]),
            ("negative rate", entry + 16, [0xFF, 0, 0, 0]),
            ("absurd rate", entry + 16, [0x7F, 0xFF, 0xFF, 0xFF]),
            ("zero length", entry + 20, [0, 0, 0, 0]), ("counter", entry + 12, [0, 0, 0, 8]),
        ]
        for size: UInt8 in [0, 7, 8, 20, 255] {
            changes.append(("size \(size)", entry - 8, [0, 0, 0, size]))
        }
        for place in stride(from: handler - 100, to: handler + 260, by: 3) {
            changes.append(("byte \(place - handler)", place, [0xFF]))
        }
        for (name, place, value) in changes {
            var broken = bytes
            broken.replaceSubrange(place..<place + value.count, with: value)
            guard
                let movie = try? MovieFile(
                    io: ScriptedFileIO(content: broken), name: "x.mov", leavesOutDamaged: true)
            else {
                // the handler's own box, or the sizes of boxes around the track, may be anything
                #expect(!name.hasPrefix("size") && name.hasPrefix("byte"), "\(name)")
                continue
            }
            if !name.hasPrefix("byte") {
                #expect(
                    movie.tracks.map(\.samples.count) == whole.tracks.map(\.samples.count),
                    "\(name)")
                #expect(movie.metadata.timeCode == nil || name.hasPrefix("size"), "\(name)")
            }
        }
        // negative numbers count back from midnight
        let sample = try #require(whole.metadata.timeCode)
        #expect(sample.start.description == "10:00:00:00")
        let number: [UInt8] = [0, 0x10, 0x7A, 0xC0]
        let data = try #require(
            bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == number })
        var negative = bytes
        negative.replaceSubrange(data..<data + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let movie = try MovieFile(io: ScriptedFileIO(content: negative), name: "x.mov")
        #expect(movie.metadata.timeCode?.start.description == "23:59:59:29")
    }

    /// Where a box's body begins that follows another mark, in the index and not in what it replaced.
    private func place(of mark: String, before type: String, in bytes: [UInt8]) -> Int? {
        let (mark, type) = (Array(mark.utf8), Array(type.utf8))
        return bytes.indices.dropLast(4).last { index in
            guard Array(bytes[index..<index + 4]) == type, index >= 16 else { return false }
            return bytes[max(0, index - 16)..<index].indices.dropLast(3)
                .contains { Array(bytes[$0..<$0 + 4]) == mark }
        }.map { $0 + 4 }
    }
}
