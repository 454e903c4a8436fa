import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Pictures of a movie", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ThumbsVerbTests {
    private let folder: TemporaryFolder

    /// Three seconds, ninety numbered frames.
    init() throws {
        folder = try TemporaryFolder()
        var clip = GeneratedClip()
        clip.frames = 90
        try clip.write(to: folder.file("clip.mp4"))
    }

    private func thumbs(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["thumbs"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func numbers(_ names: [String]) throws -> [Int] {
        try names.flatMap { try MovieOracle(folder.file($0)).frameNumbers() }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }

    @Test("each picture is the frame that is on show at its time")
    func pictures() throws {
        let every = try thumbs("clip.mp4", "--every", "500ms", "-o", "e/%03d.png")
        #expect(every.status == 0, "\(every.errorText)")
        let names = lines(every.outputText)
        #expect(names == (1...6).map { "e/00\($0).png" })
        #expect(try numbers(names) == [0, 15, 30, 45, 60, 75])
        // a tenth of three seconds, and names of the program's
        let usual = try thumbs("clip.mp4", "-q")
        #expect(usual.status == 0 && usual.errorText.isEmpty, "\(usual.errorText)")
        #expect(lines(usual.outputText).count == 10 && usual.outputText.hasPrefix("clip-0001.jpg"))
        #expect(try numbers(lines(usual.outputText)) == (0..<10).map { $0 * 9 })
        let middles = try thumbs(
            "clip.mp4", "-n", "3", "--range", "1s..2500ms", "-o", "m%01d.png", "-s", "96x96")
        #expect(try numbers(lines(middles.outputText)) == [37, 52, 67])
        let header = try Data(contentsOf: URL(fileURLWithPath: folder.file("m1.png"))).prefix(24)
        #expect(header[16..<24].elementsEqual([0, 0, 0, 96, 0, 0, 0, 54]))
        let at = try thumbs(
            "clip.mp4", "--at", "2s", "--at", "100ms", "--json", "-o", "at-%02d.jpg")
        let document = try JSONSerialization.jsonObject(with: Data(at.output)) as? [String: Any]
        let listed = document?["pictures"] as? [[String: String]] ?? []
        #expect(listed.map { $0["time"] } == ["1/10", "2/1"] || listed.count == 2, "\(listed)")
        #expect(try numbers(listed.compactMap { $0["path"] }) == [3, 60])
    }

    @Test("a storyboard's cues name the places of their frames, without a hole")
    func storyboard() throws {
        let made = try thumbs("clip.mp4", "--every", "100ms", "-o", "web/my board.vtt", "--json")
        #expect(made.status == 0, "\(made.errorText)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
        #expect(document["path"] as? String == "web/my board.vtt")
        #expect(
            document["sheets"] as? [String] == ["web/my board-001.jpg", "web/my board-002.jpg"])
        let text = try String(contentsOfFile: folder.file("web/my board.vtt"), encoding: .utf8)
        let cues = text.components(separatedBy: "\n\n").dropFirst().map(lines)
            .filter { !$0.isEmpty }
        #expect(text.hasPrefix("WEBVTT\n\n") && cues.count == 30)
        #expect(cues[0][0] == "00:00:00.000 --> 00:00:00.100")
        #expect(cues[29][0] == "00:00:02.900 --> 00:00:03.000")
        for (index, cue) in cues.enumerated() {
            let parts = cue[1].components(separatedBy: "#xywh=")
            let place = parts[1].split(separator: ",").compactMap { Int($0) }
            let sheet = "web/" + (parts[0].removingPercentEncoding ?? "")
            #expect(place[2] == 160 && place[3] == 90)
            let cut = try #require(Program.tool("ffmpeg")).run(
                [
                    "-v", "error", "-y", "-i", folder.file(sheet), "-vf",
                    "crop=\(place[2]):\(place[3]):\(place[0]):\(place[1])", folder.file("t.png"),
                ])
            #expect(cut.status == 0, "\(cut.errorText)")
            #expect(try numbers(["t.png"]) == [index * 3])
        }
    }

    @Test(
        "a storyboard's sheets are never written over what is read, nor into a film's own pictures")
    func sheetsBesideInputs() throws {
        let still = try Program.vcap.run(
            ["compose", "clip.mp4", "--still", "0s", "-o", "trip-001.jpg"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(still.status == 0, "\(still.errorText)")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("trip-001.jpg")))
        let over = try thumbs("trip-001.jpg", "-y", "-o", "trip.vtt")
        #expect(over.status == ExitCode.cannotCreate.rawValue, "\(over.errorText)")
        #expect(over.errorText.contains("one of the inputs"), "\(over.errorText)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("trip-001.jpg"))) == before)
        let project = try Program.vcap.run(
            ["compose", "trip-%03d.jpg@1fps", "-o", "trip.vcap.json5"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(project.status == 0, "\(project.errorText)")
        let beside = try thumbs("trip.vcap.json5", "-y", "-o", "trip.vtt")
        #expect(beside.status == ExitCode.cannotCreate.rawValue, "\(beside.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("trip.vtt")))
    }

    @Test("of a project the film's frames are shown, titles and cuts and all")
    func project() throws {
        let project = try Program.vcap.run(
            ["compose", "clip.mp4@1s..2s", "clip.mp4@0s..1s", "-o", "film.vcap.json5"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(project.status == 0, "\(project.errorText)")
        let made = try thumbs("film.vcap.json5", "--every", "500ms", "-o", "f%01d.png")
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try numbers(lines(made.outputText)) == [30, 45, 0, 15])
    }

    @Test("what is there stays, unless it is to be replaced, and a counter goes past it")
    func names() throws {
        #expect(try thumbs("clip.mp4", "-n", "2", "-o", "p-%v-%02d.jpg").status == 0)
        let second = try thumbs("clip.mp4", "-n", "1", "-o", "p-%v-%02d.jpg")
        #expect(second.outputText == "p-002-01.jpg\n", "\(second.outputText)\(second.errorText)")
        #expect(try thumbs("clip.mp4", "-o", "b.vtt").status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("b-001.jpg")))
        for name in ["p-001-%02d.jpg", "b.vtt", "b-%03d.jpg"] {
            let refused = try thumbs("clip.mp4", "--at", "1s", "-o", name)
            #expect(refused.status == ExitCode.cannotCreate.rawValue, "\(refused.errorText)")
            #expect(refused.errorText.contains("-y"), "\(refused.errorText)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("b-001.jpg"))) == before)
        #expect(try thumbs("clip.mp4", "--at", "1s", "-y", "-o", "b.vtt").status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("b-001.jpg"))) != before)
    }

    @Test(
        "what cannot be made is refused in a sentence, and nothing is there",
        arguments: [
            (["clip.mp4", "-o", "a.jpg"], 64, "%04d"),
            (["clip.mp4", "-o", "a-%02d.bmp"], 64, "use .jpg, .png, or .vtt"),
            (["clip.mp4", "-n", "2", "--every", "1s"], 64, "exclude each other"),
            (["clip.mp4", "--at", "1s", "--range", "0s..2s"], 64, "nothing to act on"),
            (["clip.mp4", "--at", "3s"], 64, "after the end"),
            (["clip.mp4", "--range", "9s.."], 64, "after the end"),
            (["clip.mp4", "--every", "100us"], 64, "more than 10000"),
            (["clip.mp4", "--media-root", "."], 64, "is none"),
            (["missing.mp4"], 66, "missing.mp4"),
        ])
    func refused(_ words: [String], _ code: Int32, _ sentence: String) throws {
        let result = try Program.vcap.run(
            ["thumbs"] + words, environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status == code, "\(result.errorText)")
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(folder.contents == ["clip.mp4"])
    }
}
