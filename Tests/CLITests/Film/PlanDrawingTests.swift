import Compose
import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("The drawing of a plan", .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clips"))
struct PlanDrawingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func clip(_ name: String, _ seconds: Int) throws {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:s=160x120:r=25:d=\(seconds)", "-f",
            "lavfi", "-i", "sine=d=\(seconds)", "-c:v", "ffv1", "-c:a", "pcm_s16le",
            folder.file(name),
        ])
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func plan(_ words: String...) throws -> Program.Result {
        try clip("a.mkv", 8)
        try clip("b & <c>.mkv", 4)
        return try Program.vcap.run(
            [
                "compose", "a.mkv", "b & <c>.mkv", "--transition", "dissolve:2s", "--overlay",
                "a.mkv@..2s,at=4s,audio=none,fade=1s", "--title", "Hello", "--chapter", "Start@0s",
                "--chapter", "End@8s", "--plan",
            ] + words, in: folder.path)
    }

    @Test("rows are the film's tracks, in front first, in proportion")
    func text() throws {
        let result = try plan()
        #expect(result.status == 0, "\(result.errorText)")
        let lines = result.outputText.split(separator: "\n").map(String.init)
        let rows = lines.suffix(8)
        let names = rows.map { String($0.prefix { $0 != "[" && $0 != "·" && $0 != "^" }) }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(
            names.dropFirst() == [
                "titles", "video 5", "video 3", "video 1", "audio 2", "audio 4", "chapters",
            ])
        // ten seconds are 64 characters
        let video = rows.map { String($0.dropFirst(10)) }
        #expect(video[rows.startIndex + 4 - rows.startIndex].hasPrefix("[a.mkv"))
        let over = Array(video[2])
        #expect(over[24] == "·" && over[25] == "[" && over[37] == "]" && over[38] == "·")
        let second = Array(video[3])
        #expect(second[38] == "[" && second[63] == "]")
        #expect(rows.allSatisfy { $0.count <= 74 })
        #expect(video[7].hasPrefix("^Start") && video[7].contains("^End"))
    }

    @Test("the picture is well-formed, has every file and line, and is never written over another")
    func picture() throws {
        let result = try plan("--plan-svg", "p.svg")
        #expect(result.status == 0, "\(result.errorText)")
        let text = try String(contentsOfFile: folder.file("p.svg"), encoding: .utf8)
        let reader = SVGReader(text)
        #expect(reader.isWellFormed)
        #expect(reader.words.contains("a.mkv") && reader.words.contains("b & <c>.mkv"))
        #expect(reader.words.contains("Hello") && reader.words.contains("End"))
        // the clip that goes and the overlay fade, and the audio of both clips
        #expect(reader.counts["polyline"] == 4, "\(reader.counts)")
        #expect(reader.counts["line"] == 3, "\(reader.counts)")
        // the guide's, made anew with VCAP_UPDATE_GOLDEN=1
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/plan.svg").standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try text.write(to: known, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: known, encoding: .utf8) == text)
        let again = try plan("--plan-svg", "p.svg")
        #expect(again.status == 73, "\(again.errorText)")
        let other = try plan("--plan-svg", "p.png")
        #expect(other.status == 64 && other.errorText.contains(".svg"), "\(other.errorText)")
    }
}

/// What stands in an SVG of ours: elements, and the text in them.
private struct SVGReader {
    var counts: [String: Int] = [:]
    var words: [String] = []
    private(set) var isWellFormed = true

    init(_ text: String) {
        var open: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            let between = String(rest[..<start])
            if !between.allSatisfy(\.isWhitespace) {
                words.append(
                    between.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                        .replacing("&amp;", with: "&"))
            }
            guard let end = rest[start...].firstIndex(of: ">") else {
                isWellFormed = false
                return
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter })
            if tag.hasPrefix("/") {
                if open.popLast() != name { isWellFormed = false }
            } else {
                counts[name, default: 0] += 1
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        if !open.isEmpty { isWellFormed = false }
    }
}
