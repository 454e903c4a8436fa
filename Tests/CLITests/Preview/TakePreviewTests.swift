import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("A recording with a preview", .serialized, .tags(.realTime, .mostlyWaits))
struct TakePreviewTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var words: [String] {
        ["record", "-c", "test:", "-s", "320x180", "-r", "30", "-a", "none", "--session", "s"]
            + ["-o", folder.file("take.mp4"), "--preview"]
    }

    /// Of a camera whose picture stands still, so that little is drawn.
    private func still() throws -> [String] {
        let path = folder.file("still.mp4")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (320, 180, 1, nil)
        try clip.write(to: path)
        return words.map { $0 == "test:" ? "file:\(path)" : $0 }.filter {
            $0 != "-s" && $0 != "320x180"
        }
    }

    /// Whether the movie has every frame of the camera from its first to its last.
    private func requireEveryFrame(atLeast count: Int) throws {
        let numbers = try MovieOracle(folder.file("take.mp4")).frameNumbers()
        #expect(numbers.count >= count)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        let take = try ReportedTake(movie: folder.file("take.mp4"))
        #expect(take.verdict == "good")
        #expect(take.tracks.allSatisfy { $0.drops.values.allSatisfy { $0 == 0 } })
    }

    @Test(
        "what is recorded is shown with the recording's state; its keys are the recorder's, v closes the preview alone"
    )
    func keys() throws {
        let rig = try PreviewRig(try still(), folder: folder)
        #expect(rig.waitForText("● rec"))
        #expect(rig.waitForText("320x180"))
        let place = rig.place(of: PixelSize(320, 180), lines: 2)
        #expect(rig.waitFor { $0.pixels(columns: place.columns, rows: place.rows) != nil })
        rig.terminal.type("m")
        #expect(rig.waitForText("marker \"Marker 1\""))
        rig.terminal.type("p")
        #expect(rig.waitForText("‖ paused"))
        rig.terminal.type("p")
        #expect(rig.waitForText("● rec"))
        rig.terminal.type("v")
        #expect(rig.waitFor { !$0.isAlternate && !$0.hidesCursor })
        #expect(rig.terminal.isRaw)
        rig.terminal.type("v")
        #expect(rig.waitFor { $0.isAlternate })
        rig.terminal.type("q")
        let ended = rig.terminal.wait()
        #expect(ended.status == 0 && ended.output == folder.file("take.mp4") + "\n")
        #expect(rig.isWhole)
        // what was said meanwhile stands on the screen
        #expect(rig.terminal.screen.contains("vcap: marker \"Marker 1\""))
    }

    @Test("a terminal that is never read costs the take no frame")
    func frozen() throws {
        let rig = try PreviewRig(
            words + ["-t", "3s"], folder: folder, frozenAfter: PreviewRig.entrance)
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.terminal.screen.contains(PreviewRig.entrance))
        #expect(!rig.screen.text.contains("saved"))
        try requireEveryFrame(atLeast: 85)
    }

    @Test("a terminal that Ctrl-S holds is given back at the end, with all that was said")
    func held() throws {
        let rig = try PreviewRig(words + ["-t", "3s"], folder: folder)
        #expect(rig.waitForText("● rec"))
        rig.terminal.type("\u{13}")
        #expect(rig.terminal.wait().status == 0)
        #expect(
            waitUntil { rig.isWhole && rig.screen.text.contains("verdict: good") },
            "\(rig.screen.text)")
        try requireEveryFrame(atLeast: 85)
    }

    @Test("progress on the same terminal is refused, before anything is made")
    func progress() throws {
        let terminal = try PseudoTerminal(
            words + ["-t", "1s", "--progress", "-"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "TERM": "xterm-256color"],
            showsResults: true)
        #expect(terminal.wait().status == ExitCode.usage.rawValue)
        #expect(terminal.screen.contains("over the picture"), "\(terminal.screen)")
        #expect(folder.contents.allSatisfy { !$0.hasSuffix(".mp4") })
    }

    @Test("Ctrl-Z pauses the take and gives the terminal back; both continue")
    func suspension() throws {
        let rig = try PreviewRig(try still(), folder: folder)
        #expect(rig.waitForText("● rec"))
        let group = rig.terminal.foreground
        rig.terminal.type("\u{1A}")
        #expect(rig.waitFor { !$0.isAlternate && !$0.hidesCursor })
        #expect(waitUntil { !rig.terminal.isRaw })
        kill(group, SIGCONT)
        #expect(rig.waitFor { $0.isAlternate })
        #expect(rig.waitForText("● rec"))
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
        #expect(try ReportedTake(movie: folder.file("take.mp4")).pauses.count == 1)
    }

    @Test("without a terminal a warning says so, and the take is whole")
    func noTerminal() throws {
        let result = try Program.vcap.run(words + ["-t", "1s"])
        #expect(result.status == 0)
        #expect(result.errorText.contains("no place for a preview"))
        try requireEveryFrame(atLeast: 28)
    }

    @Test("a rehearsal and a take without video have no use for it, and say so")
    func idle() throws {
        let rehearsed = try Program.vcap.run(words + ["--rehearse", "600ms"])
        #expect(rehearsed.errorText.contains("--preview does nothing"))
        let audio = try Program.vcap.run([
            "record", "-c", "none", "-a", "test:", "-t", "300ms", "-o", folder.file("audio.m4a"),
            "--preview",
        ])
        #expect(audio.errorText.contains("--preview does nothing: -c none"))
    }
}
