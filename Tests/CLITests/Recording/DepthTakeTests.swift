import Capture
import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite(
    "A depth camera that is recorded", .serialized, .tags(.realTime, .mostlyWaits),
    .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
struct DepthTakeTests {
    let folder: TemporaryFolder
    private let size = PixelSize(160, 90)
    private let camera = "test:2,format=z16,size=160x90"

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func record(_ arguments: [String], to name: String) throws -> Program.Result {
        try Program.vcap.run(
            ["record"] + arguments + ["--keys", "none", "-o", folder.file(name)],
            environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    /// The values of each frame of a depth track, as ffmpeg decodes them.
    private func frames(_ name: String, track: Int = 0) throws -> [[UInt16]] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-map", "0:v:\(track)", "-fps_mode",
            "passthrough", "-f", "rawvideo", "-pix_fmt", "gray16le", "-",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let count = size.width * size.height
        return stride(from: 0, to: result.output.count, by: 2 * count).map { start in
            (0..<count).map { place in
                UInt16(result.output[start + 2 * place])
                    | UInt16(result.output[start + 2 * place + 1]) << 8
            }
        }
    }

    /// The numbers of frames that are as the camera drew them, to the unit.
    private func checked(_ frames: [[UInt16]]) throws -> [Int64] {
        let scene = TestDepthScene(size: size)
        return try frames.map { values in
            let number = try #require(scene.number(in: values))
            let truth = (0..<size.height).flatMap { y in
                (0..<size.width).map { scene.value(number, x: $0, y: y) }
            }
            #expect(values == truth, "frame \(number)")
            return number
        }
    }

    private func depth(_ name: String) throws -> [DepthFormat?] {
        try Asset.load(folder.file(name)).tracks.filter { $0.mediaType == .video }
            .map { $0.format?.video?.depth }
    }

    @Test("it stands beside the colour camera and the sound, and no value is another one")
    func beside() throws {
        let result = try record(
            ["-c", "test:1,size=160x90", "-c", camera, "-a", "test:", "-t", "2"], to: "take.mkv")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("ffv1 of depth, steps of 1 mm, absolute, raw"))
        let numbers = try checked(frames("take.mkv", track: 1))
        #expect(numbers.count == 60)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        // both cameras see one moment
        let colors = try MovieOracle(folder.file("take.mkv")).frameNumbers()
        #expect(colors.map(Int64.init) == numbers)
        #expect(try depth("take.mkv") == [nil, .millimetres])
        let probe = try Program.vcap.run(["probe", folder.file("take.mkv"), "--json"])
        let json = try JSONParser.parse(probe.output, as: .json)
        let tracks = try #require(json["tracks"]?.elements)
        let said = try #require(tracks[1]["video"]?["depth"])
        #expect(said["step"]?.number == 0.001)
        #expect(said["unit"]?.text == "m")
        #expect(said["kind"]?.text == "depth")
    }

    @Test("a pause cuts it exactly")
    func paused() throws {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", camera, "-a", "none", "-t", "2", "--keys", "none", "-o",
                folder.file("take.mkv"),
            ], environment: ["XDG_RUNTIME_DIR": folder.path])
        defer { if recorder.isRunning { recorder.signal(SIGKILL) } }
        for _ in 0..<500 where !recorder.errorTextSoFar.contains("vcap: recording") {
            usleep(20_000)
        }
        usleep(700_000)
        recorder.signal(SIGUSR1)
        usleep(600_000)
        recorder.signal(SIGUSR1)
        let result = recorder.wait()
        #expect(result.status == 0, "\(result.errorText)")
        let numbers = try checked(frames("take.mkv"))
        #expect(numbers.count == 60)
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }.filter { $0 != 1 }
        #expect(steps.count == 1, "one cut, at the pause: \(steps)")
    }

    @Test("a kill leaves a movie that still says what its values are, and repair keeps them")
    func killed() throws {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", camera, "-a", "none", "-q", "--keys", "none", "--depth",
                "0.25mm,relative", "-o", folder.file("take.mkv"),
            ], environment: ["XDG_RUNTIME_DIR": folder.path])
        usleep(3_000_000)
        recorder.signal(SIGKILL)
        _ = recorder.wait()
        let format = DepthFormat(unit: .metres(0.00025), accuracy: .relative)
        #expect(try depth("take.mkv") == [format])
        let before = try checked(frames("take.mkv"))
        #expect(before.count > 15)
        let repair = try Program.vcap.run(["repair", folder.file("take.mkv")])
        #expect(repair.status == 0, "\(repair.errorText)")
        #expect(try depth("take.mkv") == [format])
        #expect(try checked(frames("take.mkv")) == before)
    }

    @Test("Y16 with a profile becomes depth, and a recorded depth track is a camera again")
    func played() throws {
        let profile = "1/16px,focal=700px,baseline=6cm"
        let first = try record(
            ["-c", "test:format=y16,size=160x90", "-a", "none", "-t", "1", "--depth", profile],
            to: "first.mkv")
        #expect(first.status == 0, "\(first.errorText)")
        let format = DepthFormat(
            unit: .pixels(1.0 / 16),
            calibration: DepthCalibration(focalLength: 700, baseline: 0.06))
        #expect(try depth("first.mkv") == [format])
        let second = try record(
            ["-c", "file:" + folder.file("first.mkv"), "-a", "none", "-t", "0.9"],
            to: "second.mkv")
        #expect(second.status == 0, "\(second.errorText)")
        #expect(try depth("second.mkv") == [format])
        #expect(try checked(frames("second.mkv")).count == 27)
        let copy = try Program.vcap.run([
            "convert", folder.file("first.mkv"), "-o", folder.file("copy.mkv"),
        ])
        #expect(copy.status == 0, "\(copy.errorText)")
        #expect(try depth("copy.mkv") == [format])
        #expect(try frames("copy.mkv") == (try frames("first.mkv")))
    }

    @Test("a foreign file of 16-bit grey is depth where its unit is said, and one of light is not")
    func foreign() throws {
        for (name, pixels) in [("deep.mkv", "gray16le"), ("light.mkv", "yuv420p")] {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=30:duration=1",
                "-pix_fmt", pixels, "-c:v", "ffv1", folder.file(name),
            ])
            #expect(made.status == 0, "\(made.errorText)")
        }
        let arguments = ["-a", "none", "-t", "0.9", "--depth", "2mm"]
        let deep = try record(["-c", "file:" + folder.file("deep.mkv")] + arguments, to: "a.mkv")
        #expect(deep.status == 0, "\(deep.errorText)")
        #expect(try depth("a.mkv") == [DepthFormat(unit: .metres(0.002))])
        #expect(try Array(frames("deep.mkv").prefix(27)) == (try frames("a.mkv")))
        let light = try record(["-c", "file:" + folder.file("light.mkv")] + arguments, to: "b.mkv")
        #expect(light.status != 0)
        #expect(light.errorText.contains("gray16le"), "\(light.errorText)")
    }

    @Test("converting depth into another container is refused, frames with odd sides too")
    func converted() throws {
        for size in ["160x90", "161x91"] {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=10:duration=1",
                "-pix_fmt", "gray16le", "-c:v", "ffv1", "-metadata:s:v:0", "DEPTH_UNIT=0.001 m",
                folder.file("depth.mkv"),
            ])
            #expect(made.status == 0, "\(made.errorText)")
            #expect(try depth("depth.mkv") == [.millimetres])
            let result = try Program.vcap.run([
                "convert", folder.file("depth.mkv"), "-o", folder.file("grey.mp4"),
            ])
            #expect(result.status == ExitCode.badData.rawValue, "\(size): \(result.errorText)")
            #expect(result.errorText.contains("ffv1 into .mkv"), "\(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("grey.mp4")))
        }
        // who asks for another size wants a picture
        let scaled = try Program.vcap.run([
            "convert", folder.file("depth.mkv"), "-s", "80x46", "-o", folder.file("grey.mp4"),
        ])
        #expect(scaled.status == 0, "\(scaled.errorText)")
    }

    @Test("another container is one sentence that names mkv", arguments: ["mp4", "mov", "ts"])
    func refused(container: String) throws {
        let result = try record(["-c", camera, "-a", "none", "-t", "1"], to: "take.\(container)")
        #expect(result.status == 64)
        let sentence = result.errorText.split(separator: "\n").last.map(String.init) ?? ""
        #expect(sentence.contains("error: ") && sentence.contains(".mkv"), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("take.\(container)")))
    }

    @Test("filtered depth says so, and known values of a scene that stands are not changed")
    func filtered() throws {
        let result = try record(
            ["-c", camera, "-a", "none", "-t", "1", "--depth-filter", "holes"], to: "take.mkv")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try depth("take.mkv").first??.isFiltered == true)
        let scene = TestDepthScene(size: size)
        for values in try frames("take.mkv") {
            let number = try #require(scene.number(in: values))
            for (place, value) in values.enumerated() {
                let truth = scene.value(number, x: place % 160, y: place / 160)
                if truth > 0, value != truth { Issue.record("\(truth) became \(value)") }
                if truth == 0, value == 0 { Issue.record("a hole was left") }
            }
        }
    }

    @Test("what is said of depth where there is none is answered")
    func idle() throws {
        let result = try record(
            ["-c", "test:format=yuv420p,size=160x90", "-a", "none", "-t", "0.2", "--depth", "1mm"]
                + ["--depth-filter", "holes"], to: "take.mkv")
        #expect(result.status == 0)
        #expect(result.errorText.contains("--depth does nothing"))
        #expect(result.errorText.contains("--depth-filter does nothing"))
    }

    @Test("what is said of light where there is only depth is answered, and depth is recorded")
    func idleOfLight() throws {
        let result = try record(
            ["-c", "test:format=z16,size=160x90", "-a", "none", "-t", "0.2", "--slate"]
                + ["--codec", "hevc", "--crf", "30"], to: "take.mkv")
        #expect(result.status == 0, "\(result.errorText)")
        for option in ["--slate", "--codec", "--crf"] {
            #expect(result.errorText.contains("\(option) does nothing"), "\(result.errorText)")
        }
        #expect(!result.errorText.contains("--detect does nothing"), "it was not asked for")
        #expect(try depth("take.mkv").count == 1)
    }

    @Test("a photo is a PNG of 16 bits that says its unit, and every value is the camera's")
    func photo() throws {
        let path = folder.file("shot.png")
        let result = try Program.vcap.run([
            "photo", "-c", "test:3,format=y16,size=160x90", "--depth", "0.25mm", "-o", path,
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try checked(frames("shot.png")).count == 1)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        // 16 bits, grey
        #expect(bytes[24...25] == [16, 0])
        let said = Data(bytes).range(of: Data("tEXtDEPTH_UNIT\u{0}0.00025 m".utf8))
        #expect(said != nil)
        for name in ["shot.jpg", "shot.heic"] {
            let refused = try Program.vcap.run([
                "photo", "-c", camera, "-o", folder.file(name),
            ])
            #expect(refused.status == 64)
            #expect(refused.errorText.contains(".png"), "\(refused.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file(name)))
        }
    }

    @Test("beside a camera whose frames are copied it is kept as ever")
    func besideCopy() throws {
        let result = try record(
            ["-c", "test:1,format=mjpeg,size=160x90", "-c", camera, "-a", "none", "-t", "1"]
                + ["--codec", "copy"], to: "take.mkv")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try depth("take.mkv") == [nil, .millimetres])
        #expect(try checked(frames("take.mkv", track: 1)).count == 30)
    }
}
