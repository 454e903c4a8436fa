import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Chapters as a text track", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ChapterTrackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(
        _ markers: [(String, MediaTime)], _ container: MovieContainer = .mp4
    ) throws -> String {
        var take = try CodedTake.real.get()
        take.annotations = markers.map { .marker($0.0, at: $0.1) }
        let path = folder.file("c.\(container)")
        let file = try DurableFile(
            creating: path, existing: .replace, gapHeader: MovieFileWriter.gapHeader)
        _ = try take.write(to: file, container: container)
        return path
    }

    private struct Chapter: Equatable {
        var start: String
        var end: String
        var title: String
    }

    private func chapters(_ path: String) throws -> [Chapter] {
        let json = try MovieOracles(path: path).probe(["-show_chapters"])
        return (json["chapters"] as? [[String: Any]] ?? []).map { entry in
            let tags = entry["tags"] as? [String: Any]
            return Chapter(
                start: entry["start_time"] as? String ?? "",
                end: entry["end_time"] as? String ?? "",
                title: tags?["title"] as? String ?? "")
        }
    }

    /// The movie with `chpl` hidden, so that only the text track has them.
    private func withoutNeroChapters(_ path: String) throws -> String {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let mark = Array("chpl".utf8)
        let at = try #require(
            bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == mark })
        bytes.replaceSubrange(at..<at + 4, with: Array("skip".utf8))
        let copy = folder.file("only-text.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: copy))
        return copy
    }

    @Test(
        "ffprobe shows each chapter once, with its end, from either list",
        arguments: MovieContainer.allCases)
    func shownOnce(container: MovieContainer) throws {
        let path = try write(
            [("Anfang ✂", .milliseconds(250)), ("Mitte", .milliseconds(1000))], container)
        let wanted = [
            Chapter(start: "0.250000", end: "1.000000", title: "Anfang ✂"),
            Chapter(start: "1.000000", end: "2.000000", title: "Mitte"),
        ]
        #expect(try chapters(path) == wanted)
        #expect(try chapters(try withoutNeroChapters(path)) == wanted)
    }

    @Test("the track is no user's track: not for our reader, and players play what they did")
    func notATrack() throws {
        let path = try write([("a", .zero), ("b", .seconds(1))])
        let asset = try Asset.load(path)
        #expect(asset.tracks.map(\.mediaType) == [.video, .audio])
        #expect(asset.markers.map(\.text) == ["a", "b"])
        #expect(asset.duration == .seconds(2))
        let oracles = MovieOracles(path: path)
        #expect(try oracles.complaints() == "")
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
        #expect(try oracles.qtdemuxBuffers("video") == 60)
        #expect(abs(try oracles.discoveredDuration() - 2) < 0.001)
        // a list of streams names it as what it is: text
        let streams = try oracles.probe(["-show_streams"])["streams"] as? [[String: Any]] ?? []
        #expect(streams.map { $0["codec_tag_string"] as? String } == ["avc1", "mp4a", "text"])
        let disposition = streams.last?["disposition"] as? [String: Int]
        #expect(disposition?["default"] == 0)
    }

    @Test("chapters at zero, at one instant, past 255 and with long texts are all there")
    func unusual() throws {
        let long = String(repeating: "ä", count: 40_000)
        var markers: [(String, MediaTime)] = [("zero", .zero), ("twin", .zero), (long, .zero)]
        for number in 0..<300 {
            markers.append(("\(number)", .milliseconds(Int64(300 + number * 5))))
        }
        let path = try write(markers)
        let found = try chapters(path)
        #expect(found.count == 303)
        #expect(found.prefix(2).map(\.title) == ["zero", "twin"])
        #expect(found.first?.start == "0.000000" && found.last?.end == "2.000000")
        #expect(found.last?.title == "299" && found.last?.start == "1.795000")
        #expect(try MovieOracles(path: path).complaints() == "")
    }

    @Test("a take repaired after a crash has them too")
    func repaired() throws {
        var take = try CodedTake.real.get()
        take.annotations = [.marker("vor dem Sturz", at: .milliseconds(700))]
        let path = folder.file("crash.mp4")
        let writer = try take.begun(
            try DurableFile(
                creating: path, existing: .refuse, gapHeader: MovieFileWriter.gapHeader))
        try take.append(to: writer)
        try writer.flush()
        writer.abandon()
        #expect(try MovieRepair.repair(path).outcome == .indexRebuilt)
        #expect(try chapters(path).map(\.title) == ["vor dem Sturz"])
        #expect(try chapters(try withoutNeroChapters(path)).map(\.start) == ["0.700000"])
        #expect(try MovieRepair.repair(path).outcome == .alreadyOrdinary)
    }

    @Test("a disk that is full at the end still takes the chapters: their room was kept")
    func fullDisk() throws {
        var take = CodedTake.synthetic(seconds: 2)
        take.annotations = (0..<200).map {
            .marker(String(repeating: "x", count: 2000), at: .milliseconds(Int64($0) * 8))
        }
        let whole = ScriptedFileIO()
        try take.write(to: DurableFile(scripted: whole))
        var finished = 0
        for missing in stride(from: 0, to: Int64(whole.content.count), by: 40_009) {
            let io = ScriptedFileIO(capacity: Int64(whole.content.count) - missing)
            let writer = try take.begun(DurableFile(scripted: io))
            try? take.append(to: writer)
            guard (try? writer.finish()) != nil else { continue }
            finished += 1
            let movie = try MovieFile(io: ScriptedFileIO(content: io.content), name: "x")
            #expect(movie.layout == .ordinary)
            #expect(movie.chapters.count == min(255, movie.annotations.count))
        }
        #expect(finished > 3)
    }
}
