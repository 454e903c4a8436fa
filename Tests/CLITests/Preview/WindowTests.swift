import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("A preview in a window", .serialized, .tags(.realTime, .mostlyWaits))
struct WindowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ words: [String], on desktop: Desktop) throws -> RunningProgram {
        try Program.vcap.start(
            words,
            environment: desktop.environment.merging(["XDG_RUNTIME_DIR": folder.path]) { $1 },
            in: folder.path)
    }

    /// A picture of four fields, as a movie: red, green, blue and white.
    private func fields() throws -> String {
        let path = folder.file("fields.mp4")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:320x180:r=10:d=1", "-f", "lavfi",
            "-i", "color=lime:320x180:r=10:d=1", "-f", "lavfi", "-i", "color=blue:320x180:r=10:d=1",
            "-f", "lavfi", "-i", "color=white:320x180:r=10:d=1", "-filter_complex",
            "[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack,scale=out_color_matrix=bt709,format=yuv420p",
            "-colorspace", "bt709",
            "-crf", "4", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return path
    }

    /// The colours in the middle of the four fields, in a picture that fills the window's upper part.
    private func colors(
        _ picture: Desktop.Picture
    ) -> [[Int]] {
        [(0.25, 0.2), (0.75, 0.2), (0.25, 0.65), (0.75, 0.65)].map { x, y in
            let place =
                (Int(Double(picture.height) * y) * picture.width + Int(Double(picture.width) * x))
                * 3
            return picture.pixels[place..<place + 3].map { Int($0) }
        }
    }

    private func isNear(_ one: [[Int]], _ other: [[Int]]) -> Bool {
        zip(one.joined(), other.joined()).allSatisfy { abs($0 - $1) < 24 }
    }

    private static let truth = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    private static let mirrored = [truth[1], truth[0], truth[3], truth[2]]

    @Test("its pixels are the camera's, mirrored and resized too, with text below; q in it ends it")
    func picture() throws {
        let desktop = try Desktop()
        let running = try start(
            ["preview", "-v", "-c", "file:\(try fields())", "-a", "none"], on: desktop)
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        let window = try #require(try desktop.window())
        func shows(_ wanted: [[Int]]) -> Bool {
            waitUntil(atMost: 30) {
                (try? desktop.picture()).map { isNear(colors($0), wanted) } ?? false
            }
        }
        #expect(shows(Self.truth))
        // letters of the caption and of the last line, which are light on black
        let picture = try desktop.picture()
        let bottom = picture.pixels.suffix(picture.width * 3 * 40)
        #expect(bottom.contains { $0 > 150 } && bottom.count { $0 < 30 } > bottom.count / 2)
        try desktop.act(["windowfocus", window])
        try desktop.press(["m"], in: window)
        #expect(shows(Self.mirrored))
        try desktop.act(["windowsize", window, "400", "500"])
        #expect(
            waitUntil(atMost: 30) {
                (try? desktop.picture()).map { $0.width == 400 && $0.height == 500 } ?? false
            })
        try desktop.press(["q"], in: window)
        #expect(waitUntil(atMost: 30) { !running.isRunning })
        if running.isRunning { running.signal(SIGKILL) }
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("640x360"), "\(result.errorText)")
    }

    private var take: [String] {
        [
            "record", "-c", "test:size=320x180,fps=30", "-a", "none", "-o", "take.mp4", "-t", "6s",
            "--preview",
        ]
    }

    /// Whether the movie has every frame of the camera from its first to its last.
    private func requireEveryFrame() throws {
        let numbers = try MovieOracle(folder.file("take.mp4")).frameNumbers()
        #expect(numbers.count == 180)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        let report = try ReportedTake(movie: folder.file("take.mp4"))
        #expect(report.verdict == "good")
    }

    @Test(
        "a desktop that is killed costs the take nothing, and a warning says that the window is gone"
    )
    func killed() throws {
        let desktop = try Desktop()
        let running = try start(take, on: desktop)
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        desktop.kill()
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("the preview's window is gone"), "\(result.errorText)")
        try requireEveryFrame()
    }

    @Test("on Wayland it is the same, and a compositor that is killed costs the take nothing")
    func wayland() throws {
        let desktop = try Desktop()
        let (environment, compositor) = try desktop.startWayland(in: folder.path)
        defer { kill(compositor.processIdentifier, SIGKILL) }
        let running = try Program.vcap.start(take, environment: environment, in: folder.path)
        // white blocks of the camera's picture: the compositor's own is grey
        #expect(
            waitUntil(atMost: 60) {
                let shown = (try? desktop.picture(of: "root"))?.pixels ?? []
                return shown.count { $0 == 255 } > 3 * 1000
            })
        kill(compositor.processIdentifier, SIGKILL)
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("the preview's window is gone"), "\(result.errorText)")
        try requireEveryFrame()
    }

    @Test("why it ended is said by how it ended")
    func reasons() {
        #expect(WindowProcess.reason(127 << 8).contains("libsdl2-2.0-0"))
        #expect(WindowProcess.reason(SIGSEGV) == "vcap-window crashed (signal 11)")
        #expect(WindowProcess.reason(1 << 8) == "the display has closed it")
        #expect(WindowProcess.reason(nil) == "vcap-window does not answer")
    }

    @Test(
        "a window that takes no pictures costs the take nothing, which is said, and is gone at its end"
    )
    func stalled() throws {
        let desktop = try Desktop()
        let running = try start(take, on: desktop)
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        let pid = try desktop.process(of: try #require(try desktop.window()))
        kill(pid, SIGSTOP)
        #expect(
            waitUntil { running.errorTextSoFar.contains("the window takes no pictures") },
            "\(running.errorTextSoFar)")
        kill(pid, SIGCONT)
        #expect(
            waitUntil { running.errorTextSoFar.contains("the window takes pictures again") },
            "\(running.errorTextSoFar)")
        kill(pid, SIGSTOP)
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(kill(pid, 0) != 0, "the window's process is there yet")
        try requireEveryFrame()
    }

    @Test("a display that hangs keeps no window of a vcap that was killed")
    func hanging() throws {
        let desktop = try Desktop()
        let running = try start(take, on: desktop)
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        let pid = try desktop.process(of: try #require(try desktop.window()))
        desktop.hang()
        // the control: behind a display that hangs the window's process waits
        usleep(500_000)
        #expect(kill(pid, 0) == 0)
        running.end()
        #expect(waitUntil { kill(pid, 0) != 0 }, "the window's process is there yet")
    }

    @Test("a display that does not answer is no reason to wait for long, and is said")
    func silent() throws {
        let desktop = try Desktop()
        desktop.hang()
        let running = try start(take, on: desktop)
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(
            result.errorText.contains("the display does not answer yet: waiting 3 s at most"),
            "\(result.errorText)")
        try requireEveryFrame()
        let refused = try start(
            ["preview", "-c", "test:", "-a", "none", "--display", "window"], on: desktop
        ).wait()
        #expect(refused.status == ExitCode.noDevice.rawValue)
        #expect(
            refused.errorText.contains("the display does not answer"), "\(refused.errorText)")
    }

    @Test("closed by a person, the take continues; its keys are the recorder's")
    func closed() throws {
        let desktop = try Desktop()
        let running = try start(take + ["--session", "s"], on: desktop)
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        let window = try #require(try desktop.window())
        try desktop.close(window)
        #expect(waitUntil(atMost: 30) { running.errorTextSoFar.contains("the preview is closed") })
        #expect(waitUntil { (try? desktop.window()) ?? nil == nil })
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        try requireEveryFrame()
    }

    @Test("the guide's picture is of this program: made by this test, its lines are those of today")
    func guide() throws {
        let desktop = try Desktop()
        let running = try start(
            ["record", "-q", "-c", "test:", "-a", "test:", "-o", "take.mp4", "--preview"],
            on: desktop)
        defer { _ = running.wait() }
        defer { running.signal(SIGINT) }
        #expect(
            waitUntil(atMost: 60) { (try? desktop.window()) != nil }, "\(running.errorTextSoFar)")
        let isShown = waitUntil(atMost: 60) {
            (try? desktop.picture()).map { Self.keys(of: $0).contains { $0 > 150 } } ?? false
        }
        #expect(isShown)
        // the microphone's level and the rate are measured over a while
        usleep(2_500_000)
        let picture = folder.file("window.png")
        try desktop.save(to: picture)
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/preview-window.png").standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(atPath: picture, toPath: known.path)
        }
        let (made, kept) = (try Desktop.read(picture), try Desktop.read(known.path))
        #expect(made.width == kept.width && made.height == kept.height)
        #expect(Self.keys(of: made) == Self.keys(of: kept))
    }

    /// The line that names the keys (a row of cells, 20 pixels high).
    private static func keys(of picture: Desktop.Picture) -> [UInt8] {
        Array(picture.pixels.suffix(picture.width * 3 * 20))
    }

    @Test("without a desktop one sentence says so, and by itself the terminal is taken")
    func absent() throws {
        let without = ["DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": folder.path]
        let refused = try Program.vcap.run(
            ["preview", "-c", "test:", "-a", "none", "--display", "window"], environment: without)
        #expect(refused.status == ExitCode.noDevice.rawValue, "\(refused.errorText)")
        #expect(refused.errorText.contains("no window can be shown"), "\(refused.errorText)")
        let gone = try Program.vcap.run(
            ["preview", "-c", "test:", "-a", "none"],
            environment: without.merging(["DISPLAY": ":7654"]) { $1 })
        #expect(gone.errorText.contains("nor standard output is a terminal"), "\(gone.errorText)")
    }

    @Test("what the window's process says is understood, and nothing else is")
    func lines() {
        #expect(WindowProcess.event("size 640 360 100") == .size(PixelSize(640, 360), scale: 100))
        #expect(WindowProcess.event("shown") == .shown)
        #expect(WindowProcess.event("key 71") == .key(Key(byte: UInt8(ascii: "q")), repeats: false))
        #expect(WindowProcess.event("held left") == .key(Key(.left), repeats: true))
        #expect(WindowProcess.event("close") == .close)
        #expect(WindowProcess.event("error no display") == .gone("no display"))
        for line in [
            "", "size", "size 1 2", "size 0 5 100", "size 99999 5 100", "key", "key zz", "key c3a9",
            "other",
        ] {
            #expect(WindowProcess.event(line) == nil, "\(line)")
        }
    }
}
