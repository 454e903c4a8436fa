import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Recording in a terminal", .serialized, .tags(.realTime, .mostlyWaits))
struct TerminalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ more: String...) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            [
                "record", "-c", "test:", "-a", "none", "-s", "160x120", "-r", "30", "-o",
                folder.file("take.mp4"),
            ] + more, environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(terminal.waitFor("vcap: recording"))
        return terminal
    }

    private var report: ReportedTake {
        get throws { try ReportedTake(movie: folder.file("take.mp4")) }
    }

    @Test("keys come raw while recording, and q ends it with the terminal as it was")
    func stopKey() throws {
        let terminal = try start()
        #expect(terminal.isRaw)
        terminal.type("m")
        #expect(terminal.waitFor("marker \"Marker 1\""))
        #expect(terminal.waitFor("● rec"))
        terminal.type("?")
        terminal.type("q")
        let result = terminal.wait()
        #expect(result.status == 0)
        #expect(result.output == folder.file("take.mp4") + "\n")
        #expect(!terminal.isRaw)
        #expect(terminal.screen.contains("keys: p or space pause or resume"))
        #expect(terminal.screen.contains("q or Ctrl-C  stop and finish the movie"))
        #expect(terminal.screen.contains("● rec"))
        #expect(try report.state == "finished")
    }

    @Test(
        "the terminal is given back however the recording is ended",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2])
    func signals(number: Int32) throws {
        let terminal = try start()
        let before = terminal.isRaw
        kill(terminal.foreground, number)
        #expect(terminal.wait().status == 0)
        #expect(before && !terminal.isRaw)
        #expect(try report.state == "finished")
    }

    @Test("a terminal nobody reads holds neither keys, pauses, the movie nor the end")
    func frozenTerminal() throws {
        let terminal = try PseudoTerminal(
            [
                "record", "-c", "test:", "-a", "none", "-s", "160x120", "-r", "30", "-o",
                folder.file("take.mp4"),
            ], environment: ["XDG_RUNTIME_DIR": folder.path], frozenAfter: "vcap: recording")
        #expect(terminal.waitFor("vcap: recording"))
        // help fills all that a terminal and its driver hold
        for _ in 0..<40 {
            terminal.type(String(repeating: "?", count: 60))
            usleep(20_000)
        }
        let asked = HostClock().now().approximateSeconds
        terminal.type("p")
        usleep(700_000)
        terminal.type("p")
        usleep(700_000)
        terminal.type("q")
        let result = terminal.wait()
        let took = HostClock().now().approximateSeconds - asked
        #expect(result.status == 0)
        #expect(result.output == folder.file("take.mp4") + "\n")
        #expect(took < 20)
        #expect(try report.pauses.count == 1)
        let pause = try #require(try report.pauses.first)
        #expect(pause.start > asked - 0.001 && pause.start < asked + 3)
        #expect((pause.length ?? 0) > 0.3)
        #expect(try report.verdict == "good")
    }

    @Test("Ctrl-C is a stop, not a death")
    func controlC() throws {
        let terminal = try start()
        terminal.type("\u{3}")
        #expect(terminal.wait().status == 0)
        #expect(!terminal.isRaw)
        #expect(try report.state == "finished")
    }

    @Test("a crash gives the terminal back before the process dies", arguments: [SIGSEGV, SIGABRT])
    func crash(number: Int32) throws {
        let terminal = try start()
        #expect(terminal.isRaw)
        kill(terminal.foreground, number)
        #expect(terminal.wait().status != 0)
        #expect(!terminal.isRaw)
    }

    @Test("Ctrl-Z pauses, gives the terminal back and stops; continuing resumes movie and keys")
    func suspend() throws {
        let terminal = try start()
        let recorder = terminal.foreground
        usleep(500_000)
        terminal.type("\u{1A}")
        #expect(waitUntil { self.processState(recorder) == "T" })
        #expect(!terminal.isRaw)
        usleep(500_000)
        kill(recorder, SIGCONT)
        #expect(waitUntil { terminal.isRaw })
        usleep(500_000)
        terminal.type("q")
        #expect(terminal.wait().status == 0)
        let pauses = try report.pauses
        #expect(pauses.count == 1)
        #expect((pauses.first?.length ?? 0) >= 0.4)
    }

    @Test("a terminal that goes away stops nothing but the keys")
    func lostTerminal() throws {
        let terminal = try PseudoTerminal(
            [
                "record", "-c", "test:", "-a", "none", "-s", "160x120", "-r", "30", "-o",
                folder.file("take.mp4"),
            ], environment: ["XDG_RUNTIME_DIR": folder.path],
            wrapper: ["bash", "-c", "trap '' HUP; exec \"$@\"", "-"])
        #expect(terminal.waitFor("vcap: recording"))
        let recorder = terminal.foreground
        terminal.hangUp()
        usleep(700_000)
        #expect(["R", "S"].contains(processState(recorder)))
        kill(recorder, SIGINT)
        #expect(terminal.wait().status == 0)
        #expect(try report.duration > 0.6)
    }

    @Test("the status line never wraps: each stays within the terminal's width")
    func width() throws {
        let terminal = try start("-t", "1s")
        #expect(terminal.wait().status == 0)
        for line in terminal.screen.split(whereSeparator: \.isNewline) {
            let text = line.replacing(/\u{1B}\[[?0-9]*[A-Za-z]/, with: "")
            if text.contains("rec") && text.contains("fps") { #expect(text.count < 100) }
        }
    }

    @Test("with --keys none the terminal is left alone and keys mean nothing")
    func noKeys() throws {
        let terminal = try start("--keys", "none")
        #expect(!terminal.isRaw)
        terminal.type("q\n")
        usleep(300_000)
        kill(terminal.foreground, SIGINT)
        #expect(terminal.wait().status == 0)
        #expect(try report.duration > 0.2)
    }

    @Test("keys of the user's own work and the built-in ones they replace do not")
    func ownKeys() throws {
        let terminal = try start("--pause-key", "x", "--stop-key", "z", "-v")
        terminal.type("p q")
        usleep(300_000)
        terminal.type("x")
        #expect(terminal.waitFor("paused at"))
        terminal.type("x")
        #expect(terminal.waitFor("resumed at"))
        terminal.type("z")
        #expect(terminal.wait().status == 0)
        #expect(try report.pauses.count == 1)
    }

    /// One letter: R, S, T (stopped) …
    private func processState(_ pid: pid_t) -> String {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return String(text.drop { $0 != ")" }.dropFirst(2).prefix(1))
    }
}
