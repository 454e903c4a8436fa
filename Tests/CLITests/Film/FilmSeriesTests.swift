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

    @Test("what a spreadsheet leaves behind is no row and no column")
    func leftovers() throws {
        let table = try DataTable("sep=;\r\nname;place;;\r\nAnna;X;;\r\n;;;\r\n;\r\n")
        #expect(table.columns == ["name", "place"])
        #expect(table.rows.map(\.values) == [["name": "Anna", "place": "X"]])
        #expect(table.rows.map(\.line) == [3])
        let carriage = try DataTable("name,place\rAnna,X\rBen,Y")
        #expect(carriage.rows.map(\.values).map { $0["name"] } == ["Anna", "Ben"])
        #expect(carriage.rows.map(\.line) == [2, 3])
        // a column with values is no leftover
        #expect(mistake("name;\nAnna;1\n").hasPrefix("1: column 2 has no name"))
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

    @Test("no row's film is written over what another row, the project or the table is read of")
    func guarded() throws {
        for (name, color) in [("Anna", "red"), ("Ben", "blue")] {
            let made = try vcap(
                "compose", "color:\(color)@..1s", "-s", "160x90", "-r", "25", "-o", "\(name).mp4",
                "-q")
            #expect(made.status == 0, "\(made.errorText)")
        }
        try write(
            "clips.vcap.json5",
            "{ variables: { clip: null }, videos: [{ file: \"{clip}\", end: 1 }] }")
        try write("clips.csv", "name,clip\nBen,Anna.mp4\nAnna,Ben.mp4\n")
        let before = try ["Anna.mp4", "Ben.mp4"].map {
            try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))
        }
        let result = try vcap(
            "export", "clips.vcap.json5", "--data", "clips.csv", "-o", "{name}.mp4", "-y")
        #expect(
            result.status == 73 && result.errorText.contains("will not write over Ben.mp4"),
            "\(result.errorText)")
        #expect(
            try ["Anna.mp4", "Ben.mp4"].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))
            } == before)
        // nor those of a row that is made another time, or of the project without any
        try write("others.csv", "name,clip\nCleo,Anna.mp4\nDan,Ben.mp4\n")
        try write("left.csv", "name,clip\nCleo,Ben.mp4\nBen,Anna.mp4\n")
        try write(
            "usual.vcap.json5",
            "{ variables: { clip: \"Ben.mp4\" }, videos: [{ file: \"{clip}\", end: 1 }] }")
        try write("usual.csv", "name,clip\nBen,Anna.mp4\n")
        for (project, table, rows) in [
            ("clips.vcap.json5", "left.csv", ["--rows", "2"]),
            ("usual.vcap.json5", "usual.csv", []),
        ] {
            let left = try Program.vcap.run(
                ["export", project, "--data", table, "-o", "{name}.mp4", "-y"] + rows,
                environment: ["HOME": folder.path], in: folder.path)
            #expect(left.status == 73, "\(left.errorText)")
            #expect(left.errorText.contains("will not write over Ben.mp4"), "\(left.errorText)")
        }
        #expect(
            try ["Anna.mp4", "Ben.mp4"].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))
            } == before)
        // the control: what no row reads is replaced
        let free = try vcap(
            "export", "clips.vcap.json5", "--data", "others.csv", "-o", "{name}.mp4", "-y", "-q")
        #expect(free.status == 0, "\(free.errorText)")
        // under names that films and projects have
        try write("table.mp4", "name,color\nAnna,#ff0000\n")
        let table = try vcap(
            "export", "invite.vcap.json5", "--data", "table.mp4", "-o", "table.mp4", "-y")
        #expect(table.status == 73, "\(table.errorText)")
        let project = try String(contentsOfFile: folder.file("invite.vcap.json5"), encoding: .utf8)
        let own = try vcap(
            "export", "invite.vcap.json5", "--set", "name=A", "--set", "color=red", "-o",
            "invite.vcap.json5", "-y")
        #expect(own.status == 73, "\(own.errorText)")
        #expect(
            try String(contentsOfFile: folder.file("invite.vcap.json5"), encoding: .utf8) == project
        )
    }

    @Test(
        "what keeps one row from being made is found before the first film",
        arguments: [
            ("name,color\nAnna,red\n\u{378},red\n", "{name}.mp4", "no installed font has"),
            ("name,color\nAnna,red\n\u{1},red\n", "{name}x.mp4", "row 2"),
            ("name,color\nAnna,red\n,red\n", "{name}.mp4", "row 2 of the table leaves nothing"),
            ("name,color\na,red\nb,red\n", "{name}/../film.mp4", "both write"),
            ("name,color\nAnna,red\nBen,red\n", "{nam}.mp4", "did you mean {name}?"),
            ("name,color\nAnna,red\nBen,red\n", "{name}.foo", "by its ending"),
        ])
    func early(table: String, output: String, reason: String) throws {
        try write("t.csv", table)
        let result = try vcap(
            "export", "invite.vcap.json5", "--data", "t.csv", "-o", output)
        #expect(result.status != 0 && result.errorText.contains(reason), "\(result.errorText)")
        #expect(!folder.contents.contains { $0.hasSuffix(".mp4") })
    }

    @Test("names of outputs have the project's own values, and the date")
    func outputValues() throws {
        try write("one.csv", "name,color\nAnna,red\n")
        let result = try vcap(
            "export", "invite.vcap.json5", "--data", "one.csv", "-o", "{place}-{name}-{date}.mp4",
            "-q")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(folder.contents.contains { $0.hasPrefix("Berlin-Anna-20") })
        let single = try vcap(
            "export", "invite.vcap.json5", "--set", "name=Ben", "--set", "color=red", "-o",
            "{place}-{name}.mp4", "-q")
        #expect(
            single.status == 0 && folder.contents.contains("Berlin-Ben.mp4"), "\(single.errorText)")
    }
}
