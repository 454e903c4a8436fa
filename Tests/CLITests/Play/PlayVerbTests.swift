import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Films that are played", .serialized, .tags(.realTime, .mostlyWaits))
struct PlayVerbTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// A movie of 10 frames a second whose luma says which frame it is: 20, 22, 24, …
    private func clip(_ name: String = "clip.mp4", seconds: Int = 6) throws -> String {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i",
            "nullsrc=s=320x180:r=10:d=\(seconds),geq=lum='20+2*N':cb=128:cr=128,format=yuv420p",
            "-f", "lavfi", "-i", "sine=440:d=\(seconds)", "-c:v", "libx264", "-g", "20", "-crf",
            "1", "-colorspace", "bt709", "-color_range", "tv", "-c:a", "aac", folder.file(name),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return name
    }

    /// The frame that the window shows, by its brightness; `nil` without a window.
    private func frame(on desktop: Desktop) -> Int? {
        guard let shown = try? desktop.picture() else { return nil }
        let place = (shown.width * 60 + shown.width / 2) * 3
        // limited range: code = 16 + grey · 219 / 255
        let code = 16 + Double(shown.pixels[place]) * 219 / 255
        return Int(((code - 20) / 2).rounded())
    }

    private func start(_ words: [String], on desktop: Desktop) throws -> RunningProgram {
        // keys for the window of the one before would be lost
        #expect(waitUntil { (try? desktop.window()) ?? nil == nil })
        return try Program.vcap.start(
            ["play", "--speaker", "none"] + words,
            environment: desktop.environment.merging(["XDG_RUNTIME_DIR": folder.path]) { $1 },
            in: folder.path)
    }

    /// A window with keys.
    private struct Stage {
        let desktop: Desktop
        let window: String

        func press(_ keys: String...) throws {
            try desktop.press(keys, in: window)
        }

        /// Ends a program.
        func quit(_ running: RunningProgram) throws -> Program.Result {
            try press("q")
            #expect(waitUntil(atMost: 30) { !running.isRunning })
            if running.isRunning { running.signal(SIGKILL) }
            return running.wait()
        }
    }

    private func stage(on desktop: Desktop) throws -> Stage {
        #expect(waitUntil(atMost: 60) { (try? desktop.window()) != nil })
        let stage = Stage(desktop: desktop, window: try #require(try desktop.window()))
        try desktop.act(["windowfocus", stage.window])
        return stage
    }

    @Test(
        "without a display a film is played to its end, and a document says what became of its frames"
    )
    func none() throws {
        let result = try Program.vcap.run(
            ["play", try clip(seconds: 2), "--display", "none", "--speaker", "none", "--json"],
            in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        #expect(document["schema"] as? String == "vcap.play/1")
        #expect(document["frames"] as? Int == 20)
        // on a machine that is busy with other tests some may be late
        let (shown, dropped) = (
            document["frames_shown"] as? Int ?? 0, document["frames_dropped"] as? Int ?? 0
        )
        #expect(shown > 0 && shown + dropped == 20)
        #expect(document["audio"] as? Bool == false)
        #expect(document["part"] == nil)
    }

    @Test(
        "keys in the window go to exactly the frame: times, time codes, frames, seconds, cuts; in and out are printed as compose takes them"
    )
    func keys() throws {
        let desktop = try Desktop()
        let name = try clip()
        let running = try start([name], on: desktop)
        let stage = try stage(on: desktop)
        func shows(_ number: Int) -> Bool {
            waitUntil(atMost: 30) { frame(on: desktop) == number }
        }
        try stage.press("k", "g", "2", "period", "5", "Return")
        #expect(shows(25))
        try stage.press("i", "period")
        #expect(shows(26))
        try stage.press("comma", "comma")
        #expect(shows(24))
        try stage.press("Right")
        #expect(shows(34))
        try stage.press("o", "m", "Left", "Left")
        #expect(shows(14))
        try stage.press("g", "0", "colon", "0", "colon", "0", "4", "colon", "0", "7", "Return")
        #expect(shows(47))
        try stage.press("0")
        #expect(shows(0))
        try stage.press("9")
        #expect(shows(59))
        let result = try stage.quit(running)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(
            result.outputText == "marker 00:00:03:04\nclip.mp4@2.5s..3.5s\n", "\(result.outputText)"
        )
        #expect(result.errorText.contains("in: 00:00:02:05"))
        // the part is what was looked at: its frames are 25 to 34
        let cut = try Program.vcap.run(
            ["compose", "clip.mp4@2.5s..3.5s", "-o", "cut.mp4"], in: folder.path)
        #expect(cut.status == 0, "\(cut.errorText)")
        let count = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
            "stream=nb_read_frames", "-of", "csv=p=0", folder.file("cut.mp4"),
        ])
        #expect(count.outputText.hasPrefix("10"), "\(count.outputText)")
    }

    @Test("in and out go into the project where that is asked for, and it is exported between them")
    func saved() throws {
        let desktop = try Desktop()
        let name = try clip()
        let project = folder.file("film.vcap.json5")
        let text = "{\n  // mine\n  videos: [\"\(name)\"],\n}\n"
        func content() -> String? {
            FileManager.default.contents(atPath: project).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: project))
        func place(_ words: [String]) throws -> Program.Result {
            let running = try start(["film.vcap.json5"] + words, on: desktop)
            let stage = try self.stage(on: desktop)
            // what is noted is the frame on show
            try stage.press("k", "g", "1", "Return")
            #expect(waitUntil(atMost: 30) { frame(on: desktop) == 10 })
            try stage.press("i", "g", "2", "period", "4", "Return")
            #expect(waitUntil(atMost: 30) { frame(on: desktop) == 24 })
            try stage.press("o")
            return try stage.quit(running)
        }
        let unasked = try place([])
        #expect(unasked.outputText == "1s..2.5s\n", "\(unasked.outputText)")
        #expect(content() == text)
        let asked = try place(["--save-range"])
        #expect(asked.status == 0, "\(asked.errorText)")
        #expect(content() == "{\n  // mine\n  videos: [\"\(name)\"],\n  in: 1,\n  out: 2.5,\n}\n")
        #expect(asked.errorText.contains("is exported between in and out now"))

        let export = try Program.vcap.run(["export", project, "-o", "part.mp4"], in: folder.path)
        #expect(export.status == 0 && export.errorText.contains("between the project's in and out"))
        let whole = try Program.vcap.run(
            ["export", project, "-o", "all.mp4", "--range", "0s.."], in: folder.path)
        #expect(whole.status == 0 && !whole.errorText.contains("between the project's"))
        // a template's own part is none of the film that is made with it
        let more = try Program.vcap.run(
            ["compose", name, "--template", project, "-o", "more.mp4"], in: folder.path)
        #expect(more.status == 0, "\(more.errorText)")
        for (file, frames) in [("part.mp4", "15"), ("all.mp4", "60"), ("more.mp4", "120")] {
            let count = try #require(Program.tool("ffprobe")).run([
                "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                "stream=nb_read_frames", "-of", "csv=p=0", folder.file(file),
            ])
            #expect(count.outputText.hasPrefix(frames), "\(file): \(count.outputText)")
        }
        // where nobody can go beyond them they are what is played
        let alone = try Program.vcap.run(
            ["play", project, "--display", "none", "--speaker", "none", "--json"], in: folder.path)
        #expect(alone.outputText.contains("\"frames\": 15"), "\(alone.outputText)")
        // the next one begins there, stops there, and says nothing new of it
        let running = try start(["film.vcap.json5", "--save-range", "--json"], on: desktop)
        let stage = try self.stage(on: desktop)
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 24 })
        usleep(500_000)
        #expect(frame(on: desktop) == 24)
        // an in behind the out takes its place
        try stage.press("g", "4", "Return")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 40 })
        try stage.press("i")
        let again = try stage.quit(running)
        #expect(again.outputText.contains("\"in\": 4.0"), "\(again.outputText)")
        #expect(again.errorText.contains("out, which lay before it, is not set any more"))
        #expect(
            content() == "{\n  // mine\n  videos: [\"\(name)\"],\n  in: 4,\n  out: 6,\n}\n")
    }

    @Test("backwards every frame is shown in order, and the arrows reach cuts of a film")
    func film() throws {
        let desktop = try Desktop()
        let (first, second) = (try clip("a.mp4", seconds: 3), try clip("b.mp4", seconds: 3))
        let running = try start([first, second], on: desktop)
        let stage = try stage(on: desktop)
        try stage.press("k", "0", "n")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 0 })
        try stage.press("period", "period")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 2 })
        try stage.press("p", "p", "period")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 1 })
        try stage.press("9")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 29 })
        try stage.press("j")
        var seen: [Int] = []
        #expect(
            waitUntil(atMost: 60) {
                if let number = frame(on: desktop), number != seen.last { seen.append(number) }
                return seen.count > 12
            })
        // those of the second clip, as often as they were looked at
        let frames = seen.prefix { $0 > 5 }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 > $1 }, "\(seen)")
        #expect(frames.count > 5, "\(seen)")
        #expect(try stage.quit(running).status == 0)
    }

    @Test("a take is played while it is recorded, and to its end when it ends")
    func growing() throws {
        let recording = try Program.vcap.start(
            [
                "record", "-q", "-c", "test:size=320x180", "-a", "test:", "-t", "6s", "-o",
                "take.mp4",
            ],
            environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
        // some of it is there
        #expect(
            waitUntil(atMost: 60) {
                let size = try? FileManager.default.attributesOfItem(
                    atPath: folder.file("take.mp4"))[.size]
                return (size as? Int ?? 0) > 60_000
            })
        let played = try Program.vcap.run(
            ["play", "take.mp4", "--display", "none", "--speaker", "none", "--json"],
            in: folder.path)
        #expect(recording.wait().status == 0)
        #expect(played.status == 0, "\(played.errorText)")
        #expect(played.errorText.contains("is being written"), "\(played.errorText)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(played.output)) as? [String: Any])
        #expect(document["frames"] as? Int == 180)
        #expect(document["duration"] as? Double == 6)
        let (shown, dropped) = (
            document["frames_shown"] as? Int ?? 0, document["frames_dropped"] as? Int ?? 0
        )
        #expect(shown > 90 && shown + dropped == 180, "\(shown) \(dropped)")
    }

    @Test("s writes the frame on show, byte for byte what compose --still writes")
    func still() throws {
        let desktop = try Desktop()
        let running = try start([try clip(), "--still-on-s"], on: desktop)
        let stage = try stage(on: desktop)
        try stage.press("k", "g", "2", "Return")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 20 })
        try stage.press("s")
        #expect(waitUntil(atMost: 30) { running.errorTextSoFar.contains("still-") })
        let result = try stage.quit(running)
        #expect(result.status == 0, "\(result.errorText)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let made = try #require(names.first { $0.hasPrefix("still-") })
        let other = try Program.vcap.run(
            ["compose", "clip.mp4", "--still", "2s", "-o", "other.png"], in: folder.path)
        #expect(other.status == 0, "\(other.errorText)")
        #expect(
            try Data(contentsOf: URL(filePath: folder.file(made)))
                == Data(contentsOf: URL(filePath: folder.file("other.png"))))
    }

    @Test("in a terminal too: time code, keys and arrows; the terminal is whole afterwards")
    func terminal() throws {
        let rig = try PreviewRig(
            ["play", folder.file(try clip()), "--speaker", "none"], folder: folder)
        #expect(rig.waitForText("00:00:06:00"))
        rig.terminal.type("kg3\r")
        #expect(rig.waitForText("00:00:03:00"))
        rig.terminal.type("\u{1B}[C")
        #expect(rig.waitForText("00:00:04:00"))
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("the guide's picture is of this program: made by this test, it shows what is shown today")
    func guide() throws {
        let desktop = try Desktop()
        for (name, source) in [("a.mp4", "testsrc2"), ("b.mp4", "smptehdbars")] {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-y", "-f", "lavfi", "-i", "\(source)=s=640x360:r=25:d=4", "-c:v",
                "libx264", "-crf", "4", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
                folder.file(name),
            ])
            #expect(made.status == 0, "\(made.errorText)")
        }
        let running = try start(
            ["-q", "a.mp4", "b.mp4", "--transition", "dissolve:1s", "--title", "Summer"],
            on: desktop)
        let stage = try stage(on: desktop)
        try stage.press("k", "g", "1", "Return", "i", "g", "3", "period", "5", "Return", "o", "m")
        try stage.press("g", "1", "period", "6", "Return")
        let picture = folder.file("window.png")
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/play-window.png").standardized
        // a second for the frame and the lines below it
        usleep(1_500_000)
        try desktop.save(to: picture)
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(atPath: picture, toPath: known.path)
        }
        let (made, kept) = (try Desktop.read(picture), try Desktop.read(known.path))
        #expect(made.width == kept.width && made.height == kept.height)
        let sum = zip(made.pixels, kept.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(sum < made.pixels.count * 2, "\(sum / max(1, made.pixels.count))")
        #expect(try stage.quit(running).status == 0)
    }

    @Test("what cannot be is said in one sentence, before anything is shown")
    func refusals() throws {
        let name = try clip(seconds: 1)
        func refused(_ words: [String]) throws -> (Int32, String) {
            let result = try Program.vcap.run(
                ["play", "--display", "none"] + words, in: folder.path)
            return (result.status, result.errorText)
        }
        let (both, _) = try refused([name, "--loop", "--once"])
        #expect(both == ExitCode.usage.rawValue)
        let (missing, sentence) = try refused(["gone.mp4"])
        #expect(missing == ExitCode.noInput.rawValue && sentence.contains("gone.mp4"))
        let (ending, _) = try refused([name, "--still-on-s=frame.xyz"])
        #expect(ending == ExitCode.usage.rawValue)
        let (late, words) = try refused([name, "--range", "5s.."])
        #expect(late == ExitCode.usage.rawValue && words.contains("after the film's end"))
        let (root, _) = try refused([name, "--media-root", "/tmp"])
        #expect(root == ExitCode.usage.rawValue)
        let (clip, _) = try refused([name, "--save-range"])
        #expect(clip == ExitCode.usage.rawValue)
        try Data("{ videos: [\"\(name)\"] }".utf8)
            .write(to: URL(fileURLWithPath: folder.file("kept.json5")))
        chmod(folder.file("kept.json5"), 0o444)
        let (kept, protection) = try refused(["kept.json5", "--save-range"])
        #expect(kept == ExitCode.cannotCreate.rawValue, "\(protection)")
        #expect(protection.contains("protected from writing"), "\(protection)")
        let (gone, _) = try refused(["gone.json5", "--save-range"])
        #expect(gone == ExitCode.noInput.rawValue)
        let (foreign, advice) = try refused(["film.otio", "--save-range"])
        #expect(foreign == ExitCode.usage.rawValue && advice.contains("vcap export film.otio"))
    }

    @Test("a desktop that is killed ends it, which its document says with what was noted before")
    func desktopGone() throws {
        let desktop = try Desktop()
        let running = try start([try clip(), "--json"], on: desktop)
        let stage = try stage(on: desktop)
        try stage.press("k", "g", "2", "Return")
        #expect(waitUntil(atMost: 30) { frame(on: desktop) == 20 })
        try stage.press("i")
        #expect(waitUntil(atMost: 30) { running.errorTextSoFar.contains("in: 00:00:02:00") })
        desktop.kill()
        #expect(waitUntil(atMost: 30) { !running.isRunning })
        if running.isRunning { running.signal(SIGKILL) }
        let result = running.wait()
        #expect(result.status == ExitCode.noDevice.rawValue, "\(result.errorText)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        #expect((document["error"] as? String)?.contains("there is no window any more") == true)
        #expect(document["exit_code"] as? Int == 69)
        #expect(document["in"] as? Double == 2)
    }

    @Test("what needs keys and has nobody to press them is said")
    func withoutKeys() throws {
        let name = try clip(seconds: 1)
        try Data("{ videos: [\"\(name)\"] }".utf8)
            .write(to: URL(fileURLWithPath: folder.file("film.json5")))
        let result = try Program.vcap.run(
            [
                "play", "film.json5", "--display", "none", "--speaker", "none", "--save-range",
                "--still-on-s",
            ], in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        for option in ["--save-range", "--still-on-s"] {
            #expect(result.errorText.contains("\(option) does nothing"), "\(result.errorText)")
        }
    }

    @Test("without a sound server a warning says that nothing is heard, and the film is played")
    func silent() throws {
        let result = try Program.vcap.run(
            ["play", try clip(seconds: 1), "--display", "none", "--speaker", "pulse:gone"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "PULSE_SERVER": "unix:/nowhere"],
            in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("nothing is heard"), "\(result.errorText)")
        #expect(result.errorText.contains("shown"), "\(result.errorText)")
    }
}
