import Foundation
import TestSupport
import Testing

@Suite(
    "Subtitles through the program", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SubtitleTests {
    typealias Line = SubtitledClip.Line
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private struct Report: Decodable {
        struct Text: Decodable, Equatable {
            var language: String?
            var cues: Int
        }

        var textTracks: [Text]
        var notes: [String]
    }

    private struct Probe: Decodable {
        struct Track: Decodable {
            var type: String
            var codec: String
            var language: String?
        }

        var tracks: [Track]
    }

    @Test("compose carries subtitles of its clips and says so, probe lists them")
    func carried() throws {
        let lines = [Line(500, 1500, "Hello"), Line(2000, 3500, "again")]
        try SubtitledClip([.init("eng", lines)]).write(to: folder.file("a.mp4"))
        var other = SubtitledClip([.init("eng", lines), .init("fra", lines)])
        other.coding = "srt"
        try other.write(to: folder.file("b.mkv"))
        let result = try run([
            "compose", "a.mp4@..1s", "b.mkv@1s..3s", "--preset", "540p", "-o", "film.mp4",
            "--json",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let report = try decoder.decode(Report.self, from: Data(result.output))
        #expect(
            report.textTracks == [
                .init(language: "eng", cues: 3), .init(language: "fra", cues: 2),
            ])
        #expect(
            report.notes.contains("clip 1 (a.mp4): its subtitles (eng) are carried as plain text"))
        #expect(result.errorText.contains("3 subtitles (eng) carried"))
        let film = MovieOracle(folder.file("film.mp4"))
        #expect(
            try film.subtitles() == [
                Line(500, 1000, "Hello"), Line(1000, 1500, "Hello"), Line(2000, 3000, "again"),
            ])
        #expect(
            try film.subtitles(track: 1) == [Line(1000, 1500, "Hello"), Line(2000, 3000, "again")])
        let probe = try run(["probe", "film.mp4", "--json"])
        let tracks = try JSONDecoder().decode(Probe.self, from: Data(probe.output)).tracks
            .filter { $0.type == "text" }
        #expect(tracks.map(\.language) == ["eng", "fra"])
        #expect(tracks.map(\.codec) == ["mov_text", "mov_text"])
        let text = try run(["probe", "b.mkv"]).outputText
        #expect(text.contains("subrip") && text.contains("text, fra"))
    }
}
