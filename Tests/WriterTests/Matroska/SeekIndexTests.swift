import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("The seek index of Matroska")
struct SeekIndexTests {
    /// The times of the cues of a finished file (ms).
    private func cues(_ path: String) throws -> [Int64] {
        let bytes = try OtherContainers.bytes(path)
        let header = try #require(EBMLElement(bytes[...], at: 0))
        let start = Int(try #require(header.end))
        let segment = try #require(EBMLElement(bytes[start...], at: Int64(start)))
        #expect(segment.id == MatroskaID.segment && segment.end == Int64(bytes.count))
        let index = children(bytes, Int(segment.bodyStart)..<bytes.count)
            .filter { $0.id == 0x1C53_BB6B }
        #expect(index.count == 1)
        return index.flatMap { children(bytes, $0.body) }.filter { $0.id == 0xBB }.compactMap {
            children(bytes, $0.body).first { $0.id == 0xB3 }.map {
                bytes[$0.body].reduce(0) { $0 << 8 | Int64($1) }
            }
        }
    }

    private func children(
        _ bytes: [UInt8], _ range: Range<Int>
    ) -> [(id: UInt32, body: Range<Int>)] {
        var found: [(UInt32, Range<Int>)] = []
        var at = range.lowerBound
        while at < range.upperBound, let element = EBMLElement(bytes[at...], at: Int64(at)),
            let end = element.end, end <= Int64(range.upperBound)
        {
            found.append((element.id, Int(element.bodyStart)..<Int(end)))
            at = Int(end)
        }
        return found
    }

    @Test(
        "of frames that are all sync samples it names about one a second; players find the others",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [VideoCodec.mjpeg, .ffv1])
    func syncFrames(codec: VideoCodec) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.mkv")
        let take = try CodedTake(
            video: VideoEncoderSettings(codec: codec), audio: nil, frames: 120)
        try OtherContainers.finished(take, .matroska, path)
        #expect(try cues(path) == [0, 900, 1800, 2700, 3600])
        #expect(try Asset.load(path).tracks[0].syncSampleCount == 120)
        let probe = try MovieOracles(path: path).probe(["-show_entries", "packet=flags"])
        let packets = probe["packets"] as? [[String: Any]] ?? []
        #expect(packets.count == 120)
        #expect(packets.allSatisfy { ($0["flags"] as? String)?.hasPrefix("K") ?? false })
        // a jump goes to the place of the index before it, and from there to the frame
        let jump = ["-read_intervals", "2.5%+#1", "-show_entries", "packet=pts_time"]
        let found = try MovieOracles(path: path).probe(jump)["packets"] as? [[String: Any]]
        #expect(found?.first?["pts_time"] as? String == "1.800000")
        #expect(try first(path, after: "2.5") == 75)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<120))
    }

    /// The number of the frame ffmpeg shows first after a jump.
    private func first(_ path: String, after time: String) throws -> Int {
        let folder = try TemporaryFolder()
        let cut = folder.file("cut.mkv")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-ss", time, "-i", path, "-frames:v", "1", "-c:v", "ffv1", cut,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return try #require(try MovieOracle(cut).frameNumbers().first)
    }

    @Test("it names every sync sample of a take that has one a second, early or late")
    func groups() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.mkv")
        let take = CodedTake.synthetic(seconds: 20, jitter: true)
        try OtherContainers.finished(take, .matroska, path)
        #expect(try cues(path).count == 20)
    }
}
