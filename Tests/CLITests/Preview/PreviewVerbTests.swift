import Foundation
import Media
import Play
import TestSupport
import Testing

@testable import vcap

@Suite("A preview in a terminal", .serialized, .tags(.realTime, .mostlyWaits))
struct PreviewVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// A camera whose picture stands still, so that little is drawn.
    private func camera() throws -> [String] { ["-c", "file:\(try bars().path)"] }

    private func preview(
        _ words: [String], frozenAfter: String? = nil, environment: [String: String] = [:],
        columns: Int = PreviewRig.columns
    ) throws -> PreviewRig {
        try PreviewRig(
            ["preview"] + words, folder: folder, frozenAfter: frozenAfter,
            environment: environment, columns: columns)
    }

    /// A still picture as a movie, and what another program makes of it in a size (RGB).
    private func bars() throws -> (path: String, pixels: (PixelSize) throws -> [[Int]]) {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let path = folder.file("bars.mp4")
        let made = try ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "smptehdbars=s=640x360:r=10:d=1", "-c:v",
            "libx264", "-crf", "4", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_range",
            "tv", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return (
            path,
            { size in
                let scale =
                    "scale=\(size.width):\(size.height):flags=area:in_color_matrix=bt709,format=rgb24"
                let read = try ffmpeg.run([
                    "-v", "error", "-i", path, "-vf", scale, "-frames:v", "1", "-f", "rawvideo",
                    "-",
                ])
                return stride(from: 0, to: read.output.count - 2, by: 3).map { place in
                    read.output[place..<place + 3].map { Int($0) }
                }
            }
        )
    }

    private static func difference(_ one: [[Int]], _ other: [[Int]]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return .infinity }
        let sum = zip(one.joined(), other.joined()).reduce(0) { $0 + abs($1.0 - $1.1) }
        return Double(sum) / Double(one.count * 3)
    }

    @Test("what is read back from the cells is the camera's frame, and mirrored its mirror image")
    func picture() throws {
        let (path, reference) = try bars()
        let rig = try preview(["-c", "file:\(path)", "-a", "none"])
        let place = rig.place(of: PixelSize(640, 360), lines: 1)
        let size = PixelSize(place.columns.count, place.rows.count * 2)
        let wanted = try reference(size)
        #expect(rig.waitFor { $0.pixels(columns: place.columns, rows: place.rows) != nil })
        let shown = try #require(rig.screen.pixels(columns: place.columns, rows: place.rows))
        #expect(Self.difference(shown, wanted) < 6)
        #expect(rig.screen.text.contains("640x360"))
        rig.terminal.type("m")
        let mirrored = (0..<size.height).flatMap { y in
            (0..<size.width).map { wanted[y * size.width + size.width - 1 - $0] }
        }
        // the control: the two are far from each other
        #expect(Self.difference(mirrored, wanted) > 20)
        #expect(
            rig.waitFor { screen in
                screen.pixels(columns: place.columns, rows: place.rows)
                    .map { Self.difference($0, mirrored) < 6 } ?? false
            })
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
        #expect(rig.terminal.screen.contains("640x360, "))
    }

    @Test("name, size, rate, lost frames and a level are shown, and guides and the page of keys")
    func words() throws {
        let rig = try preview(try camera() + ["-a", "test:"])
        #expect(rig.waitForText("640x360"))
        #expect(rig.waitForText(" fps  0 dropped"))
        #expect(rig.waitForText("q quit, ? help"))
        #expect(rig.waitFor { $0.text(row: PreviewRig.rows - 2).contains("█") })
        rig.terminal.type("gz")
        #expect(rig.waitForText("pixels, guides"))
        rig.terminal.type("?")
        #expect(rig.waitForText("mirror the preview"))
        rig.terminal.type("?q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test(
        "every signal that ends it gives the terminal back",
        arguments: [SIGINT, SIGTERM, SIGQUIT, SIGHUP])
    func signals(number: Int32) throws {
        let rig = try preview(try camera() + ["-a", "none"])
        #expect(rig.waitForText("640x360"))
        #expect(rig.screen.isAlternate && rig.screen.hidesCursor && rig.terminal.isRaw)
        kill(rig.terminal.foreground, number)
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("a crash gives the terminal back; the control: what cannot be caught does not")
    func crash() throws {
        let rig = try preview(try camera() + ["-a", "none"])
        #expect(rig.waitForText("640x360"))
        kill(rig.terminal.foreground, SIGSEGV)
        _ = rig.terminal.wait()
        #expect(waitUntil { rig.isWhole })
        let killed = try preview(try camera() + ["-a", "none"])
        #expect(killed.waitForText("640x360"))
        kill(killed.terminal.foreground, SIGKILL)
        _ = killed.terminal.wait()
        #expect(killed.screen.isAlternate && killed.screen.hidesCursor)
    }

    @Test("Ctrl-Z gives the terminal back, and continued it is shown again")
    func suspension() throws {
        let rig = try preview(try camera() + ["-a", "none"])
        #expect(rig.waitForText("640x360"))
        let group = rig.terminal.foreground
        rig.terminal.type("\u{1A}")
        #expect(rig.waitFor { !$0.isAlternate && !$0.hidesCursor })
        #expect(waitUntil { !rig.terminal.isRaw })
        kill(group, SIGCONT)
        #expect(rig.waitFor { $0.isAlternate })
        #expect(rig.waitForText("640x360"))
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("a terminal that is never read holds nothing up: signals end it")
    func frozen() throws {
        let rig = try preview(
            ["-c", "test:", "-s", "320x180", "-a", "none"], frozenAfter: PreviewRig.entrance)
        #expect(rig.terminal.waitFor(PreviewRig.entrance, seconds: 60))
        // the terminal's own memory fills
        usleep(500_000)
        kill(rig.terminal.foreground, SIGTERM)
        #expect(rig.terminal.wait().status == 0)
        #expect(!rig.terminal.isRaw)
    }

    @Test("a terminal that becomes narrower gets a picture that fits")
    func resize() throws {
        let rig = try preview(try camera() + ["-a", "none"], columns: 40)
        #expect(rig.terminal.waitFor("640x360", seconds: 60))
        rig.terminal.resize(columns: 40)
        let scene = PreviewScene(columns: 40, rows: PreviewRig.rows, count: 1, lines: 1)
        let tile = scene.tiles[0]
        let picture = PixelSize(640, 360).fitted(into: tile.halfBlocks)
        let place = scene.place(picture.width, (picture.height + 1) / 2, in: tile)
        #expect(picture.width == 40)
        let rows = place.row..<place.row + picture.height / 2
        #expect(
            rig.waitFor { screen in
                screen.pixels(columns: 0..<40, rows: rows) != nil
                    && screen.text(row: 0).allSatisfy { $0 == " " }
            })
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("a terminal that says so gets sixels, and keys among its answers stay keys")
    func sixels() throws {
        let rig = try preview(try camera() + ["-a", "none"])
        #expect(rig.terminal.waitFor("\u{1B}[c", seconds: 60))
        #expect(rig.screen.kitty.contains { $0.contains("a=q") })
        rig.terminal.type("\u{1B}[6;20;10tg\u{1B}[?62;4;22c")
        #expect(rig.waitFor { !$0.sixels.isEmpty })
        #expect(rig.waitForText("guides"))
        let size = try #require(rig.screen.sixels.last?.firstMatch(of: /"1;1;([0-9]+);([0-9]+)/))
        let (width, height) = (try #require(Int(size.1)), try #require(Int(size.2)))
        #expect(width <= 640 && height <= 22 * 20 && width * 9 / 16 - height < 8)
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("kitty gets its graphics, which are removed at the end")
    func kitty() throws {
        let rig = try preview(try camera() + ["-a", "none"])
        #expect(rig.terminal.waitFor("\u{1B}[c", seconds: 60))
        rig.terminal.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c")
        #expect(rig.waitFor { $0.kitty.contains { $0.hasPrefix("Ga=T") } })
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.screen.kitty.last == "Ga=d,d=A,q=2")
        #expect(rig.isWhole)
    }

    @Test("without true colour there are 256, until the terminal shows that it has more")
    func colors() throws {
        let rig = try preview(try camera() + ["-a", "none"], environment: ["COLORTERM": ""])
        #expect(rig.terminal.waitFor("\u{1B}[38;5;", seconds: 60))
        let before = rig.terminal.screen
        #expect(!before.contains("\u{1B}[38;2;"))
        rig.terminal.type("\u{1B}P1$r0;48:2:3:5:7m\u{1B}\\\u{1B}[?62c")
        #expect(rig.terminal.waitFor("\u{1B}[38;2;", seconds: 60))
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
        #expect(rig.isWhole)
    }

    @Test("several cameras have a place each")
    func grid() throws {
        let rig = try preview(try camera() + camera() + ["-a", "none"])
        #expect(rig.waitFor { $0.text.ranges(of: "640x360").count == 2 })
        rig.terminal.type("q")
        #expect(rig.terminal.wait().status == 0)
    }

    @Test("without a terminal one sentence says so; measured, what comes is a document")
    func noTerminal() throws {
        let refused = try Program.vcap.run(["preview", "-c", "test:", "-a", "none"])
        #expect(refused.status == 69)
        #expect(refused.errorText.contains("no place for a preview"))
        let measured = try Program.vcap.run(
            ["preview", "-c", "test:", "-s", "320x180", "-r", "30", "-a", "test:"]
                + ["--display", "none", "-t", "1s", "--json"])
        #expect(measured.status == 0, "\(measured.errorText)")
        let document = try JSONParser.parse(measured.output, as: .json)
        #expect(document["schema"]?.text == "vcap.preview/1")
        let camera = try #require(document["cameras"]?.elements?.first)
        #expect(camera["width"]?.wholeNumber == 320 && camera["frames"]?.wholeNumber ?? 0 > 0)
        let microphone = try #require(document["microphones"]?.elements?.first)
        #expect(microphone["sample_rate"]?.wholeNumber == 48_000)
    }
}
