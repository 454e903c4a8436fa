import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Tables of rows")
struct DataTableTests {
    private func mistake(_ text: String) -> String {
        do {
            _ = try DataTable(text)
            return ""
        } catch { return "\(error.line): \(error.message)" }
    }

    @Test("quotes, separators, line ends and a mark of the byte order")
    func forms() throws {
        let comma = try DataTable(
            "\u{FEFF}name, title\r\n\"Sommer, Anna\",\"a \"\"b\"\"\nc\"\r\n\r\nBen,\r\n")
        #expect(comma.columns == ["name", "title"])
        #expect(
            comma.rows.map(\.values) == [
                ["name": "Sommer, Anna", "title": "a \"b\"\nc"], ["name": "Ben", "title": ""],
            ])
        #expect(comma.rows.map(\.line) == [2, 5] && comma.rows.map(\.number) == [1, 2])
        let semicolon = try DataTable("a;b\n1,5;2")
        #expect(semicolon.rows[0].values == ["a": "1,5", "b": "2"])
        #expect(try DataTable("a\tb\n1\t2\n").rows[0].values == ["a": "1", "b": "2"])
        #expect(try DataTable("name\nÅsa\n").rows[0].values == ["name": "Åsa"])
    }

    @Test("what is no table is said with its line")
    func mistakes() {
        #expect(mistake("") == "1: it is empty; its first row names the columns")
        #expect(mistake("a,b\n") == "1: it has no row below the columns' names")
        #expect(mistake("a,b\n1,2\n3\n") == "3: this row has 1 value, and there are 2 columns")
        #expect(mistake("a,a\n1,2\n") == "1: two columns are called \"a\"")
        #expect(mistake("a,\n1,2\n").hasPrefix("1: column 2 has no name"))
        #expect(mistake("a,b\n\"1,2\n") == "2: a quote that opens in this row does not close")
        #expect(mistake("a,b\n\"1\"x,2\n").hasPrefix("2: there is something between"))
    }

    @Test("any bytes are a table or a sentence")
    func anything() {
        var random = SplitMix(seed: 7)
        let letters = Array("a,;\t\"\n\r é{}")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? "a"
                })
            guard let table = try? DataTable(text) else {
                #expect(!mistake(text).isEmpty)
                continue
            }
            #expect(table.rows.allSatisfy { $0.values.count == table.columns.count })
        }
    }
}

@Suite("A film for each row", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmSeriesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try write(
            "invite.vcap.json5",
            """
            { size: "160x90", fps: 25, variables: { name: null, place: "Berlin" },
              title: "For {name}", videos: [{ generator: "color:{color}", end: 1 }],
              titles: [{ text: "{name}\\n{place}", style: "quote", duration: 1 }] }
            """)
        try write("guests.csv", "name,color,phone\nAnna,#ff0000,1\n\"Ben / Bo\",#0000ff,2\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func title(_ name: String) throws -> String {
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_entries", "format_tags=title", "-of", "csv=p=0",
            folder.file(name),
        ])
        return result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("each row becomes a film of its own values under a name of its own")
    func rows() throws {
        let result = try vcap(
            "export", "invite.vcap.json5", "--data", "guests.csv", "-o", "films/{name}.mp4")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("1 column of guests.csv without a place: phone"))
        #expect(
            result.outputText.split(separator: "\n") == ["films/Anna.mp4", "films/Ben - Bo.mp4"])
        #expect(try title("films/Anna.mp4") == "For Anna")
        #expect(try title("films/Ben - Bo.mp4") == "For Ben / Bo")
        // what is there is not made again, nor is any other
        let again = try vcap(
            "export", "invite.vcap.json5", "--data", "guests.csv", "-o", "films/{name}.mp4")
        #expect(again.status != 0)
        #expect(again.errorText.contains("2 of the 2 films are there already"))
        let second = try vcap(
            "export", "invite.vcap.json5", "--data", "guests.csv", "--rows", "2", "--set",
            "place=Rome", "-y", "-o", "films/{name}-{place}.mp4")
        #expect(second.status == 0, "\(second.errorText)")
        #expect(second.outputText == "films/Ben - Bo-Rome.mp4\n")
    }

    @Test("values in names of files are names, and their braces are their own")
    func names() {
        let values = ["a": "{b}", "b": "../x%", "c": String(repeating: "漢", count: 200)]
        #expect(TextParts.filled("f/{a}-{b}.mp4", with: values) == "f/{b}-_.-x%%.mp4")
        #expect(TextParts.filled("{c}", with: values).utf8.count == 120)
        #expect(TextParts.filled("{d}{", with: values) == "{d}{")
        #expect(TextParts.places(in: "{a}x{b c}{") == ["a", "b c"])
    }

    @Test(
        "with rows, too, a value for no place is refused, and so is a row that its range leaves out"
    )
    func refusedRows() throws {
        let idle = try vcap(
            "export", "invite.vcap.json5", "--data", "guests.csv", "--set", "plaec=Rome", "-o",
            "i-{name}.mp4")
        #expect(
            idle.status == 64 && idle.errorText.contains("a place {plaec}"), "\(idle.errorText)")
        let late = try vcap(
            "export", "invite.vcap.json5", "--data", "guests.csv", "--range", "5s..", "-o",
            "i-{name}.mp4")
        #expect(
            late.status == 64 && late.errorText.contains("no film is made"), "\(late.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("i-Anna.mp4")))
    }

    @Test("a template's texts are filled for one film and for rows")
    func template() throws {
        let one = try vcap(
            "compose", "bars@..1s", "--template", "invite.vcap.json5", "--set", "name=Anna",
            "--set",
            "color=#00ff00", "-o", "one.mp4")
        #expect(one.status == 0, "\(one.errorText)")
        #expect(try title("one.mp4") == "For Anna")
        let rows = try vcap(
            "compose", "bars@..1s", "--template", "invite.vcap.json5", "--data", "guests.csv", "-o",
            "r-%v.mp4")
        #expect(rows.status == 0, "\(rows.errorText)")
        #expect(try title("r-001.mp4") == "For Anna" && title("r-002.mp4") == "For Ben / Bo")
    }

    @Test("nothing is made where one of the rows cannot be")
    func wrongRow() throws {
        try write("wrong.csv", "name,color\nAnna,#ff0000\nBen,blau\n")
        let result = try vcap(
            "export", "invite.vcap.json5", "--data", "wrong.csv", "-o", "w-{name}.mp4")
        #expect(result.status != 0)
        #expect(result.errorText.contains("row 2 (wrong.csv:3) cannot be made; no film is made"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("w-Anna.mp4")))
    }

    @Test(
        "mistakes are one sentence",
        arguments: [
            (
                ["export", "invite.vcap.json5", "-o", "a.mp4"],
                "the variable \"name\" has no value"
            ),
            (
                [
                    "export", "invite.vcap.json5", "--set", "name=B", "--set", "color=red", "--set",
                    "nmae=A", "-o",
                    "a.mp4",
                ],
                "has a place {nmae}"
            ),
            (["export", "invite.vcap.json5", "--set", "name", "-o", "a.mp4"], "such as name=Anna"),
            (
                ["export", "invite.vcap.json5", "--data", "guests.csv", "-o", "a.mp4"],
                "the rows 1 and 2 both write a.mp4"
            ),
            (
                ["export", "invite.vcap.json5", "--rows", "1", "-o", "a.mp4"],
                "--rows is for the rows of --data"
            ),
            (
                [
                    "export", "invite.vcap.json5", "--data", "guests.csv", "--rows", "3", "-o",
                    "{name}.mp4",
                ],
                "--rows names row 3, and guests.csv has 2"
            ),
            (
                ["compose", "bars@..1s", "--set", "a=b", "-o", "a.mp4"],
                "--set fills the texts of a --template"
            ),
            (
                [
                    "export", "invite.vcap.json5", "--data", "guests.csv", "--progress", "p.txt",
                    "-o",
                    "{name}.mp4",
                ], "--progress p.txt is one file"
            ),
            (
                ["compose", "bars@..1s", "--data", "guests.csv", "-o", "a.mp4"],
                "--data fills the texts"
            ),
            (
                ["play", "bars@..1s", "--set", "a=b", "--display", "none"],
                "--set fills the texts of a project"
            ),
            (
                ["export", "invite.vcap.json5", "--data", "none.csv", "-o", "{name}.mp4"],
                "none.csv"
            ),
        ] as [([String], String)])
    func mistakes(_ words: [String], _ part: String) throws {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status != 0 && result.errorText.contains(part), "\(result.errorText)")
    }

    @Test("a take's film has the take's name and day")
    func take() throws {
        try write(
            "show.vcap.json5",
            "{ variables: {}, title: \"{take} {date}\", titles: [{ text: \"{take}\" }] }")
        let result = try vcap(
            "record", "-c", "test", "-a", "none", "-t", "1s", "--keys", "none", "-o", "lesson.mp4",
            "--then", "compose", "--template", "show.vcap.json5")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try title("lesson.film.mp4").wholeMatch(of: /lesson 20\d\d-\d\d-\d\d/) != nil)
        let refused = try vcap(
            "record", "-c", "test", "-a", "none", "-t", "1s", "--keys", "none", "-o", "no.mp4",
            "--then", "compose", "--set", "a=b")
        #expect(refused.status != 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("no.mp4")))
    }

    @Test("thumbnails of a project with variables")
    func thumbs() throws {
        let result = try vcap(
            "thumbs", "invite.vcap.json5", "-n", "1", "--set", "name=A", "--set", "color=red", "-o",
            "t-%04d.png")
        #expect(result.status == 0, "\(result.errorText)")
    }
}
