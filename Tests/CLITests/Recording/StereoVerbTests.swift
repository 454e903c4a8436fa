import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite(
    "The depth of two movies", .enabled(if: MovieOracle.isAvailable, "ffmpeg makes and reads them"))
struct StereoVerbTests {
    let folder: TemporaryFolder
    private let scene = StereoScene()

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// A movie of one frame again and again, without loss.
    private func movie(_ name: String, _ frame: PixelBuffer, frames: Int = 5) throws -> String {
        var bytes = Data()
        frame.withPlane(0) { plane in
            for row in 0..<frame.height { bytes.append(plane.row(row), count: frame.width) }
        }
        let raw = folder.file(name + ".raw")
        try bytes.write(to: URL(fileURLWithPath: raw))
        let path = folder.file(name)
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-stream_loop", "\(frames - 1)", "-f", "rawvideo", "-pix_fmt", "gray",
            "-s", "\(frame.width)x\(frame.height)", "-r", "25", "-i", raw, "-c:v", "ffv1", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return path
    }

    private func depth(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            [
                "depth", "--left", folder.file("a.mkv"), "--right", folder.file("b.mkv"),
                "--baseline", "6cm", "--focal", "400px",
            ] + words)
    }

    private func values(_ name: String) throws -> [[UInt16]] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "gray16le", "-",
        ])
        let count = scene.width * scene.height
        return stride(from: 0, to: result.output.count, by: 2 * count).map { start in
            (0..<count).map {
                UInt16(result.output[start + 2 * $0])
                    | UInt16(result.output[start + 2 * $0 + 1]) << 8
            }
        }
    }

    @Test("is a track of distances that a rendered scene has, at the left movie's times")
    func distances() throws {
        _ = try movie("a.mkv", scene.left)
        _ = try movie("b.mkv", scene.right)
        let result = try depth("--unit", "1mm", "-o", folder.file("depth.mkv"))
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText == folder.file("depth.mkv") + "\n")
        let asset = try Asset.load(folder.file("depth.mkv"))
        let track = try #require(asset.tracks.first)
        #expect(track.sampleCount == 5)
        let format = DepthFormat(calibration: DepthCalibration(focalLength: 400, baseline: 0.06))
        #expect(track.format?.video?.depth == format)
        for frame in try values("depth.mkv") {
            #expect(abs(Int(frame[20 * scene.width + 280]) - 2000) < 50)
            #expect(abs(Int(frame[80 * scene.width + 200]) - 1000) < 20)
        }
        let pixels = try depth("-o", folder.file("pixels.mkv"))
        #expect(pixels.status == 0, "\(pixels.errorText)")
        let first = try #require(try values("pixels.mkv").first)
        #expect(abs(Int(first[20 * scene.width + 280]) - 16 * scene.wall) <= 4)
    }

    @Test("of one movie with two tracks, the first is the left camera and the second the right one")
    func oneMovie() throws {
        let (a, b) = (try movie("a.mkv", scene.left), try movie("b.mkv", scene.right))
        let pair = folder.file("pair.mkv")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", a, "-i", b, "-map", "0", "-map", "1", "-c", "copy", pair,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        func depth(_ movie: String) throws -> Program.Result {
            try Program.vcap.run([
                "depth", "--left", movie, "--right", movie, "--baseline", "6cm", "--focal",
                "400px", "-y", "-o", folder.file("depth.mkv"),
            ])
        }
        let result = try depth(pair)
        #expect(result.status == 0, "\(result.errorText)")
        let first = try #require(try values("depth.mkv").first)
        #expect(abs(Int(first[80 * scene.width + 200]) - 16 * scene.box) <= 4)
        let single = try depth(a)
        #expect(single.status == ExitCode.badData.rawValue)
        #expect(single.errorText.contains("one video track"), "\(single.errorText)")
    }

    @Test("that a signal ends leaves the movie that it was to replace, and nothing else")
    func interrupted() throws {
        _ = try movie("a.mkv", scene.left, frames: 1500)
        _ = try movie("b.mkv", scene.right, frames: 1500)
        let output = folder.file("depth.mkv")
        try Data("an older one".utf8).write(to: URL(fileURLWithPath: output))
        let before = Set(folder.contents)
        let running = try Program.vcap.start([
            "depth", "--left", folder.file("a.mkv"), "--right", folder.file("b.mkv"),
            "--baseline", "6cm", "--focal", "400px", "-y", "-o", output,
        ])
        defer { running.end() }
        try #require(waitUntil { !Set(folder.contents).subtracting(before).isEmpty })
        running.signal(SIGINT)
        let result = running.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("nothing was written"), "\(result.errorText)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("an older one".utf8))
        #expect(Set(folder.contents) == before)
    }

    @Test("leaves out, and counts, what the other movie has no frame for")
    func unpaired() throws {
        _ = try movie("a.mkv", scene.left, frames: 8)
        _ = try movie("b.mkv", scene.right, frames: 5)
        let result = try depth("-o", folder.file("depth.mkv"))
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("3 frames of"), "\(result.errorText)")
        #expect(try Asset.load(folder.file("depth.mkv")).tracks.first?.sampleCount == 5)
    }

    @Test("what is missing or cannot be is one sentence, and leaves no file")
    func refusals() throws {
        _ = try movie("a.mkv", scene.left)
        _ = try movie("b.mkv", scene.right)
        let output = folder.file("depth.mkv")
        for (words, part) in [
            (["-o", folder.file("depth.mp4")], ".mkv"),
            (["--max-disparity", "20", "-o", output], "multiple of 16"),
            (["--block", "4", "-o", output], "odd"),
            ([], "--output is missing"),
            (["-o", folder.file("a.mkv"), "-y"], "one of the inputs"),
            (["-o", output, "--max-disparity", "512"], "320 pixels wide"),
        ] {
            let result = try Program.vcap.run(
                [
                    "depth", "--left", folder.file("a.mkv"), "--right", folder.file("b.mkv"),
                    "--baseline", "6cm", "--focal", "400px",
                ] + words)
            #expect(result.status != 0)
            #expect(result.errorText.contains(part), "\(words): \(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
        let alone = try Program.vcap.run(["depth", "--left", folder.file("a.mkv")])
        #expect(alone.status == 64)
        #expect(alone.errorText.contains("--right is missing"))
    }
}
