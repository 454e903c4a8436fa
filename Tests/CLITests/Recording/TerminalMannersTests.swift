import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Recording in a terminal that is not alone", .serialized, .tags(.realTime, .mostlyWaits))
struct TerminalMannersTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] {
        ["XDG_RUNTIME_DIR": folder.path, "TERM": "xterm", "NO_COLOR": ""]
    }

    private func words(_ more: [String]) -> [String] {
        ["record", "-c", "test:", "-a", "none", "-s", "160x120", "-r", "30", "-o"]
            + [folder.file("take.mp4"), "--session", "s"] + more
    }

    @Test("keys of a terminal that controls no session are read, as they are announced")
    func otherTerminal() throws {
        let terminal = try PseudoTerminal(
            words([]), environment: environment, isControlling: false)
        #expect(terminal.waitFor("vcap: recording"))
        #expect(terminal.waitFor("keys: p or space"))
        #expect(waitUntil { terminal.isRaw })
        terminal.type("m")
        #expect(terminal.waitFor("marker \"Marker 1\"", seconds: 5))
        terminal.type("q")
        _ = waitUntil { !terminal.isRaw }
        if terminal.isRaw {
            _ = try Program.vcap.run(["ctl", "stop"], environment: environment)
        }
        #expect(terminal.wait().status == 0)
        #expect(!terminal.isRaw)
    }

    @Test("in the background nothing is drawn over the shell and no key is taken from it")
    func background() throws {
        let terminal = try PseudoTerminal(
            words(["-t", "1s"]), environment: environment,
            wrapper: ["bash", "-c", "set -m; \"$@\" & wait $!", "-"])
        #expect(terminal.waitFor("vcap: recording"))
        #expect(!terminal.isRaw)
        #expect(terminal.wait().status == 0)
        #expect(!terminal.screen.contains("rec  00"))
        #expect(!terminal.screen.contains("keys:"))
        #expect(!terminal.screen.contains("\u{1B}"))
    }

    @Test("a recording that comes to the foreground shows its line and takes keys from then on")
    func foreground() throws {
        let terminal = try PseudoTerminal(
            words([]), environment: environment,
            wrapper: ["bash", "-c", "set -m; \"$@\" & sleep 2; fg", "-"])
        #expect(terminal.waitFor("vcap: recording"))
        #expect(!terminal.isRaw)
        #expect(terminal.waitFor("● rec"))
        #expect(terminal.waitFor("keys: p or space"))
        #expect(waitUntil { terminal.isRaw })
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        #expect(!terminal.isRaw)
    }

    @Test("the path stands on a line of its own, whatever the status line did last")
    func pathOnItsOwn() throws {
        for _ in 0..<3 {
            let terminal = try PseudoTerminal(
                words(["-t", "400ms", "-y"]), environment: environment, showsResults: true)
            #expect(terminal.wait().status == 0)
            let shown = TerminalScreen(width: 100, showing: terminal.screen).text
            #expect(shown.last == folder.file("take.mp4"), "\(shown)")
            #expect(!shown.contains { $0.contains("fps") }, "\(shown)")
        }
    }

    @Test("nothing of the status line stays behind when the terminal is made narrower")
    func narrower() throws {
        let terminal = try PseudoTerminal(words([]), environment: environment)
        #expect(terminal.waitFor("fps"))
        let wide = terminal.screen
        terminal.resize(columns: 40)
        terminal.type("m")
        #expect(terminal.waitFor("marker \"Marker 1\""))
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        var screen = TerminalScreen(width: 100, showing: wide)
        screen.width = 40
        screen.show(String(terminal.screen.dropFirst(wide.count)))
        let shown = screen.text
        #expect(!shown.contains { $0.contains("fps") || $0.contains("rec ") }, "\(shown)")
    }

    @Test("red while recording, yellow while paused; not with NO_COLOR or a dumb terminal")
    func colors() throws {
        let terminal = try PseudoTerminal(words([]), environment: environment)
        #expect(terminal.waitFor("\u{1B}[31m● rec\u{1B}[0m"))
        terminal.type("p")
        #expect(terminal.waitFor("\u{1B}[33m‖ paused 00:00:0"))
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        for plain in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let terminal = try PseudoTerminal(
                words(["-t", "700ms", "-y"]), environment: environment.merging(plain) { $1 })
            #expect(terminal.wait().status == 0)
            #expect(terminal.screen.contains("● rec"))
            #expect(!terminal.screen.contains("\u{1B}[3"))
            #expect(!terminal.screen.contains("\u{1B}") || plain["TERM"] == nil)
        }
    }

    @Test("a key without a meaning is answered, and pasted text once")
    func unknownKeys() throws {
        let terminal = try PseudoTerminal(words([]), environment: environment)
        #expect(terminal.waitFor("vcap: recording"))
        terminal.type("xyz")
        #expect(terminal.waitFor("the key x does nothing here; ? shows those that do"))
        usleep(1_100_000)
        terminal.type("\u{1B}[A")
        #expect(terminal.waitFor("the key up does nothing here"))
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        #expect(terminal.screen.ranges(of: "does nothing here").count == 2)
    }

    @Test("what others wrote into names and markers steers no terminal")
    func controlCharacters() throws {
        let evil = "a\u{1B}[2Jb\u{9B}1m\u{7}\u{202E}c\n"
        let terminal = try PseudoTerminal(words([]), environment: environment, showsResults: true)
        #expect(terminal.waitFor("vcap: recording"))
        #expect(try Program.vcap.run(["ctl", "mark", evil], environment: environment).status == 0)
        #expect(terminal.waitFor("marker \"a\\x1B[2Jb\\x9B1m\\x07\\u202Ec\\n\""))
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        let path = folder.file("\u{1B}]0;title\u{7}.mp4")
        try FileManager.default.moveItem(atPath: folder.file("take.mp4"), toPath: path)
        let probe = try PseudoTerminal(["probe", path], showsResults: true)
        #expect(probe.wait().status == 0)
        let json = try PseudoTerminal(["probe", "--json", path], showsResults: true)
        #expect(json.wait().status == 0)
        #expect(json.screen.contains("\\u001b[2J"))
        for screen in [terminal.screen, probe.screen, json.screen] {
            #expect(!screen.contains("\u{1B}]0") && !screen.contains("\u{1B}[2J"))
            #expect(!screen.contains("\u{9B}") && !screen.contains("\u{202E}"))
            #expect(!screen.contains("\u{7}"))
        }
        #expect(probe.screen.contains("\\x9B1m"))
    }
}
