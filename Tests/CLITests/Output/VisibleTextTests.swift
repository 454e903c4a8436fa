import Media
import Testing

@testable import vcap

@Suite("Words of others on a terminal")
struct VisibleTextTests {
    @Test("what steers a terminal or breaks a line is written out")
    func escapes() {
        #expect(VisibleText.line("a\u{1B}[31mb") == "a\\x1B[31mb")
        #expect(VisibleText.line("a\nb\r\tc\0") == "a\\nb\\r\\tc\\x00")
        #expect(VisibleText.line("\u{9B}1m\u{7F}") == "\\x9B1m\\x7F")
        #expect(VisibleText.line("\u{202E}\u{2066}\u{2028}") == "\\u202E\\u2066\\u2028")
        #expect(VisibleText.lines("a\n\tb\u{1B}") == "a\n\tb\\x1B")
    }

    @Test("words of any language stay as they are")
    func languages() {
        for text in ["Größe ✓ 🎬", "日本語 العربية עברית", "e\u{301}", "\u{A0}\u{AD}", "👩‍👩‍👧"] {
            #expect(VisibleText.line(text) == text)
        }
    }

    @Test("JSON escapes what a terminal would obey, and reads as before")
    func json() throws {
        let text = "\u{9B}2J\u{1B}\u{202E}ü"
        let written = JSONValue.string(text).compact
        #expect(written == "\"\\u009b2J\\u001b\\u202eü\"")
        #expect(try JSONParser.parse(Array(written.utf8), as: .json) == .string(text))
    }

    @Test("a title with a line feed breaks no row of a table")
    func table() {
        var table = Table("NAME", "TEXT")
        table.add("a\nb", "\u{1B}[1m")
        #expect(table.text == "NAME  TEXT\na\\nb  \\x1B[1m\n")
    }

    @Test("nothing of a line remains that was drawn before its terminal was made narrower")
    func narrower() {
        let line = String(repeating: "x", count: 95)
        for (draw, leaves) in [
            (TerminalLook.plain.drawing(line), false), (line, true),
        ] {
            var screen = TerminalScreen(width: 100)
            screen.show("first\n" + draw)
            screen.width = 40
            screen.show(
                (leaves ? "\r\u{1B}[K" : TerminalLook.plain.erasing(width: 95)) + "second\n")
            #expect((screen.text == ["first", "second"]) == !leaves, "\(screen.text)")
        }
    }

    @Test("a terminal without escape sequences gets none, and still one line in place of another")
    func dumb() {
        let look = TerminalLook { $0 == "TERM" ? "dumb" : nil }
        #expect(!look.takesSequences && !look.showsColor)
        var screen = TerminalScreen(width: 40)
        screen.show(look.drawing("a long line") + look.erasing(width: 11) + look.drawing("short"))
        #expect(screen.text == ["short"])
        #expect(!(look.drawing("x") + look.erasing(width: 3)).contains("\u{1B}"))
    }

    @Test("colours where there are some and nobody has refused them")
    func colors() {
        func look(_ environment: [String: String]) -> TerminalLook {
            TerminalLook { environment[$0] }
        }
        #expect(look(["TERM": "xterm"]).showsColor)
        #expect(look(["TERM": "xterm", "NO_COLOR": ""]).showsColor)
        #expect(!look(["TERM": "xterm", "NO_COLOR": "1"]).showsColor)
        #expect(!look([:]).showsColor)
        #expect(look(["TERM": "xterm"]).painted("a", .red) == "\u{1B}[31ma\u{1B}[0m")
        #expect(look(["TERM": "dumb"]).painted("a", .red) == "a")
    }
}
