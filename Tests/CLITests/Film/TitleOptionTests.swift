import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Titles that compose adds", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TitleOptionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func compose(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["compose", "color:#808080@..6s", "-s", "320x180", "-r", "25"] + words,
            environment: ["HOME": folder.path], in: folder.path)
    }

    /// Grey values of a frame of the film (320x180).
    private func frame(_ words: [String], at time: String) throws -> [UInt8] {
        let made = try Program.vcap.run(
            ["compose", "color:#808080@..6s", "-s", "320x180", "-r", "25"] + words
                + ["--still", time, "-y", "-o", "still.png"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
        let read = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("still.png"), "-f", "rawvideo", "-pix_fmt", "gray",
            "-",
        ])
        return Array(read.output)
    }

    /// Pixels that are not the clip's, by thirds of the height.
    private func drawn(_ frame: [UInt8]) -> [Int] {
        (0..<3).map { third in
            frame[(third * 60 * 320)..<((third + 1) * 60 * 320)]
                .filter { abs(Int($0) - 0x80) > 8 }.count
        }
    }

    @Test("each title is in its style, at its time and place")
    func several() throws {
        let titles = [
            "--add-title", "Anna, of Berlin\\nResearch,style=lower-third-line,at=1s,duration=2s",
            "--add-title", "Lake,style=place,at=4s,duration=2s",
        ]
        #expect(drawn(try frame(titles, at: "0.5s")) == [0, 0, 0])
        let lower = drawn(try frame(titles, at: "2s"))
        #expect(lower[0] == 0 && lower[1] == 0 && lower[2] > 1000)
        #expect(drawn(try frame(titles, at: "3.5s")) == [0, 0, 0])
        let upper = drawn(try frame(titles, at: "5s"))
        #expect(upper[0] > 500 && upper[1] == 0 && upper[2] == 0)
        let moved = drawn(
            try frame(
                ["--add-title", "Lake,style=place,y=0.5,duration=2s"], at: "1s"))
        #expect(moved[0] == 0 && moved[1] + moved[2] > 500)
    }

    @Test("a theme changes the colours of all titles that say none")
    func theme() throws {
        let title = ["--add-title", "Anna,style=lower-third-card"]
        let dark = try frame(title + ["--title-theme", "studio"], at: "2s")
        let light = try frame(title + ["--title-theme", "paper"], at: "2s")
        #expect(dark.filter { $0 < 50 }.count > 1000 && light.filter { $0 > 220 }.count > 1000)
        let own = try frame(
            ["--add-title", "Anna,style=lower-third-card,color=black", "--title-theme", "studio"],
            at: "2s")
        // black letters need a light card
        #expect(own.filter { $0 > 220 }.count > 1000)
    }

    @Test("a comma and an equals sign of a text are its own")
    func words() throws {
        let value = try #require(
            ValueKind<TitleValue>.addedTitle.parse("Berlin, x = 3\\nMay,at=2s"))
        #expect(value.words == "Berlin, x = 3\nMay")
        #expect(value.keys == [KeyText(typed: "at=2s")])
        #expect(try #require(ValueKind<TitleValue>.addedTitle.parse("a,b")).words == "a,b")
        let escaped = try #require(
            ValueKind<TitleValue>.addedTitle.parse("C:\\\\new\\,x=1 \\x, at=2s"))
        #expect(escaped.words == "C:\\new,x=1 \\x" && escaped.keys.map(\.name) == ["at"])
    }

    @Test(
        "a mistake is named with what is possible",
        arguments: [
            ("Anna,stile=place", "no key \"stile\"; did you mean \"style\"?"),
            ("Anna,style=lowerthird", "style must be one of plain, fade"),
            ("Anna,at=x", "at must be"), ("Anna,at=1s,at=2s", "at is there twice"),
            (",style=place", "it is empty"), (" \\n ,style=quote", "it is empty"),
            ("Anna,image=none.png", "cannot read the image none.png"),
            ("Wait,style=countdown,duration=11m", "a countdown counts 600 s at most"),
        ])
    func mistakes(_ title: String, _ words: String) throws {
        let result = try compose("--add-title", title, "-o", "film.mp4")
        #expect(result.status != 0)
        #expect(result.errorText.contains(words), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("film.mp4")))
    }

    @Test("a countdown and a frame need no text; titles for audio alone are reported")
    func idle() throws {
        #expect(drawn(try frame(["--add-title", ",style=countdown"], at: "2s"))[1] > 500)
        #expect(drawn(try frame(["--add-title", ",style=frame"], at: "2s"))[0] > 500)
        let plan = try Program.vcap.run(
            [
                "compose", "counter@..2s", "--add-title", "Anna", "--title-theme", "paper",
                "--preset", "audio", "-o", "a.m4a",
            ], in: folder.path)
        #expect(plan.errorText.contains("--add-title does nothing"), "\(plan.errorText)")
        #expect(plan.errorText.contains("--title-theme does nothing"))
    }

    @Test("a project has the theme in a word or in parts, and is written as it was read")
    func project() throws {
        for (theme, written) in [
            ("\"paper\"", "theme: paper"),
            ("{ like: \"studio\", accent: \"#ff0000\" }", "accent: red"),
        ] {
            let text = """
                { size: "320x180", fps: 25, theme: \(theme), videos: ["color:#808080@..4s"],
                  titles: [{ text: "Anna", style: "quote" }] }
                """
            try text.replacing(
                "\"color:#808080@..4s\"", with: "{ generator: \"color:#808080\", end: 4 }"
            )
            .write(toFile: folder.file("a.vcap.json5"), atomically: true, encoding: .utf8)
            let copied = try Program.vcap.run(
                ["export", "a.vcap.json5", "-y", "-o", "b.vcap.json5"], in: folder.path)
            #expect(copied.status == 0, "\(copied.errorText)")
            let copy = try String(contentsOfFile: folder.file("b.vcap.json5"), encoding: .utf8)
            #expect(copy.replacing("\"", with: "").contains(written), "\(copy)")
            #expect(copy.contains("quote"))
        }
        let wrong = "{ videos: [{ generator: \"bars\", end: 1 }], theme: \"papr\" }"
        try wrong.write(toFile: folder.file("c.vcap.json5"), atomically: true, encoding: .utf8)
        let refused = try Program.vcap.run(
            ["export", "c.vcap.json5", "-o", "c.mp4"], in: folder.path)
        #expect(
            refused.status != 0 && refused.errorText.contains("\"theme\""), "\(refused.errorText)")
    }

    @Test("guides lie 3.5 and 5 % inside the frame of a still, and nowhere else")
    func guides() throws {
        let plain = try frame([], at: "1s")
        let guided = try frame(["--guides"], at: "1s")
        #expect(drawn(plain) == [0, 0, 0])
        // a row above the middle, from the left: the outlines of both areas
        let row = Array(guided[(60 * 320)..<(60 * 320 + 160)])
        let light = row.indices.filter { row[$0] > 0xC0 }
        #expect(light.allSatisfy { (10...12).contains($0) || (15...17).contains($0) })
        #expect(light.contains { $0 < 13 } && light.contains { $0 > 13 })
        let cross = guided[90 * 320 + 160]
        #expect(cross > 0xC0)
        let refused = try compose("--guides", "-o", "film.mp4")
        #expect(refused.status == 64 && refused.errorText.contains("--guides are drawn over"))
    }
}
