import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Cameras that lie on their side", .serialized, .tags(.realTime, .mostlyWaits))
struct OrientationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func record(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["record", "-a", "none", "-r", "30"] + (words.contains("-t") ? [] : ["-t", "1"])
                + words,
            environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
    }

    /// The frames' size as they are stored, `WIDTHxHEIGHT`.
    private func storedSize(_ name: String) throws -> String {
        let probe = try #require(Program.tool("ffprobe"))
        let result = try probe.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of",
            "csv=p=0:s=x", folder.file(name),
        ])
        // a display matrix adds an empty field
        let line = result.outputText.split(whereSeparator: \.isNewline).first ?? ""
        return line.split(separator: "x").prefix(2).joined(separator: "x")
    }

    private func countsUp(_ name: String) throws -> Bool {
        let numbers = try MovieOracle(folder.file(name)).frameNumbers()
        return numbers.count == 30 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
    }

    @Test(
        "every container plays upright: by its display matrix, or rotated where it has none",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"),
        arguments: [
            ("mp4", "h264", "180x320"), ("mov", "h264", "180x320"), ("mkv", "h264", "320x180"),
            ("ts", "h264", "320x180"), ("mkv", "mjpeg", "320x180"), ("mkv", "ffv1", "320x180"),
        ])
    func upright(ending: String, codec: String, stored: String) throws {
        for (name, words) in [("auto", ["--rotate", "auto"]), ("number", ["--rotate", "90"])] {
            let file = "\(name)-\(codec).\(ending)"
            let result = try Program.vcap.run(
                [
                    "record", "-c", "test:size=180x320,rotate=90", "-a", "none", "-t", "1",
                    "--codec", codec, "-o", file,
                ] + words, environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(try storedSize(file) == stored)
            #expect(try countsUp(file), "\(file)")
        }
    }

    @Test(
        "left as it comes, a frame that lies stays so, and the report says which was chosen",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
    func control() throws {
        let camera = "test:size=180x320,rotate=90"
        let left = try record("-c", camera, "--rotate", "0", "-o", "left.mkv", "-v")
        #expect(left.errorText.contains("not rotated as asked for, though the device asks for"))
        #expect(try storedSize("left.mkv") == "180x320")
        #expect(try !countsUp("left.mkv"))
        let rotated = try record("-c", camera, "-o", "turned.mp4", "-v")
        #expect(
            rotated.errorText.contains("rotated by 90 degrees clockwise, as the device asks for"))
        let report = try String(contentsOfFile: folder.file("turned.vcap.json"), encoding: .utf8)
        #expect(report.contains("\"rotation\" : 90"))
        #expect(report.contains("as the device asks for"))
    }

    @Test(
        "a movie played as a camera keeps its display matrix, and --rotate 0 ignores it",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
    func movieAsCamera() throws {
        _ = try record("-c", "test:size=180x320,rotate=90", "-t", "2", "-o", "clip.mp4")
        _ = try record("-c", "file:clip.mp4", "-o", "again.mkv")
        #expect(try storedSize("again.mkv") == "320x180")
        _ = try record("-c", "file:clip.mp4", "--rotate", "0", "-o", "plain.mkv")
        #expect(try storedSize("plain.mkv") == "180x320")
    }

    @Test("copied frames that lie are refused up front where the file cannot say so")
    func copied() throws {
        let camera = "test:size=180x320,rotate=90,format=mjpeg"
        for words in [["--rotate", "90"], ["--rotate", "auto"]] {
            let result = try Program.vcap.run(
                ["record", "-c", camera, "-a", "none", "--codec", "copy", "-o", "a.mkv", "-t", "1"]
                    + words, environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
            #expect(result.status != 0)
            let errors = result.errorText.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(errors.count == 1)
            #expect(result.errorText.contains(".mp4 or .mov"))
            #expect(!FileManager.default.fileExists(atPath: folder.file("a.mkv")))
        }
        let left = try record("-c", camera, "--codec", "copy", "--rotate", "0", "-o", "a.mkv")
        #expect(left.status == 0, "\(left.errorText)")
        let carried = try record("-c", camera, "--codec", "copy", "-o", "carried.mov")
        #expect(carried.status == 0, "\(carried.errorText)")
    }
}
