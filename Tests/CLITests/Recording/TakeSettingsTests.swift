import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Camera settings while a movie is recorded", .serialized, .tags(.realTime))
struct TakeSettingsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ arguments: String...) throws -> RunningProgram {
        let recorder = try Program.vcap.start(
            ["record", "-o", folder.file("take.mkv"), "--session", "s"] + arguments
                + (arguments.contains("-a") ? [] : ["-a", "none"]),
            environment: ["XDG_RUNTIME_DIR": folder.path])
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        return recorder
    }

    private func control(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["ctl"] + words, environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    private struct Report: Decodable {
        struct Control: Decodable {
            var movieTime: Double
            var hostTime: Double
            var camera: String
            var id: String?
            var setting: String
            var granted: String?
            var isByOthers: Bool?
        }
        var controls: [Control]?
        var verdict: String
    }

    private func report() throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    /// Mean luma of each frame below the strip of cells.
    private func levels() throws -> [Int] {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        return try ffmpeg.run([
            "-v", "error", "-i", folder.file("take.mkv"), "-map", "0:v", "-vf",
            "crop=iw:ih*5/6:0:ih/6,format=gray,scale=1:1:flags=area", "-fps_mode", "passthrough",
            "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ]).output.map(Int.init)
    }

    @Test(
        "ctl set darkens the movie at the time that the report states, and the movie loses no frame"
    )
    func darker() throws {
        let recorder = try start(
            "-c", "test:70,size=320x240,exposure=10,lag=0", "--codec", "mjpeg", "--ctrl",
            "gain=2")
        Thread.sleep(forTimeInterval: 1.2)
        let answer = try control("set", "exposure=1/400s", "gain=1")
        #expect(
            answer.outputText == "exposure=1/400s\ngain=1\n",
            "\(answer.outputText)\(answer.errorText)")
        Thread.sleep(forTimeInterval: 1)
        let got = try control("get")
        #expect(
            got.outputText.hasPrefix(
                "exposure=1/400s\nexposure-point=auto\ngain=1\nfocus=auto\nfocus-point=auto\n"))
        #expect(got.outputText.contains("power_line_frequency"))
        let json = try control("get", "--json").outputText
        #expect(json.contains("\"setting\": \"exposure=1/400s\""), "\(json)")
        #expect(try control("stop").status == 0)
        #expect(recorder.wait().status == 0)

        let report = try report()
        #expect(report.verdict == "good")
        let changes = try #require(report.controls)
        #expect(changes.map(\.setting) == ["exposure=1/400s", "gain=1"])
        #expect(changes.map(\.granted) == ["exposure=1/400s", "gain=1"])
        let (levels, times) = (
            try levels(), try MovieOracle(folder.file("take.mkv")).presentationTimes()
        )
        #expect(levels.count == times.count)
        // a quarter of the light, times half the gain
        let bright = levels[5]
        let first = try #require(levels.indices.first { levels[$0] < bright * 2 / 3 })
        #expect(abs(times[first] - changes[0].movieTime) < 0.1, "\(times[first]) \(changes)")
        #expect(levels[(first + 1)...].allSatisfy { $0 < bright * 2 / 3 || $0 > 200 })
        let numbers = try MovieOracle(folder.file("take.mkv")).frameNumbers()
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)))
    }

    @Test("what the camera does not have is refused with 64, and the recording goes its way")
    func refused() throws {
        let recorder = try start("-c", "test:71,size=320x240,exposure=10")
        for (words, sentence) in [
            (["torch=on"], "it has no control for it"),
            (["zoom=9x"], "it takes 1x to 4x in steps of 0.01x"),
            (["sparkle=1"], "has no control sparkle"),
            (["bright"], "is not a setting such as exposure=1/60s"), ([], "set needs a setting"),
        ] {
            let result = try Program.vcap.run(
                ["ctl", "set"] + words, environment: ["XDG_RUNTIME_DIR": folder.path])
            #expect(result.status == ExitCode.usage.rawValue, "\(words)")
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        #expect(try control("mark", "a", "b").status == ExitCode.usage.rawValue)
        #expect(try control("stop").status == 0)
        #expect(recorder.wait().status == 0)
        #expect(try report().controls == nil)
        #expect(try report().verdict == "good")
    }

    @Test("of two cameras each is set and read by its name, and the report says which")
    func twoCameras() throws {
        let (first, second) = (
            "test:72,size=320x240,exposure=10", "test:73,size=320x240,exposure=10"
        )
        let recorder = try start("-c", first, "-c", second, "--codec", "mjpeg")
        #expect(try control("set", "-c", "camera 73", "gain=3").outputText == "gain=3\n")
        #expect(try control("set", "--camera", first, "gain=2").outputText == "gain=2\n")
        #expect(try control("get", "-c", second).outputText.contains("gain=3\n"))
        #expect(try control("get").outputText.contains("gain=2\n"), "the first is meant")
        let json = try control("get", "-c", "Test camera 73", "--json").outputText
        #expect(json.contains("\"camera\": \"Test camera 73\""))
        #expect(json.contains("\"id\": \"\(second)\""))
        for (words, sentence) in [
            ("camera", "\"camera\" means more than one camera; recorded are Test camera 72 ("),
            ("Logitech", "no camera \"Logitech\" is recorded; recorded are Test camera 72 ("),
            ("7", "no camera \"7\" is recorded"), ("0", "no camera \"0\" is recorded"),
        ] {
            let result = try control("set", "-c", words, "gain=4")
            #expect(result.status == 64, "\(words)")
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        let pause = try control("pause", "-c", first)
        #expect(pause.status == 64 && pause.errorText.contains("--camera is for set and get"))
        #expect(try control("stop").status == 0)
        #expect(recorder.wait().status == 0)
        let report = try report()
        #expect(report.verdict == "good")
        #expect(report.controls?.map(\.camera) == ["Test camera 73", "Test camera 72"])
        #expect(report.controls?.map(\.id) == [second, first])
        #expect(report.controls?.allSatisfy { $0.isByOthers == nil } == true)
    }

    @Test(
        "what the camera's own button changes is said, counted in the status and placed in the report"
    )
    func button() throws {
        let recorder = try start(
            "-c", "test:74,size=320x240,exposure=10,lag=0,button=1.5", "--codec", "mjpeg", "--ctrl",
            "exposure=1ms")
        waitUntil { recorder.errorTextSoFar.contains("gain=16, not by this recording") }
        _ = try control("set", "zoom=2x")
        let status = try control("status")
        #expect(status.outputText.contains("settings by others  1"), "\(status.outputText)")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(try control("stop").status == 0)
        #expect(recorder.wait().status == 0)
        let report = try report()
        #expect(report.verdict == "good")
        let changes = try #require(report.controls)
        #expect(changes.map(\.setting) == ["gain=16", "zoom=2x"])
        #expect(changes.map(\.isByOthers) == [true, nil])
        let (levels, times) = (
            try levels(), try MovieOracle(folder.file("take.mkv")).presentationTimes()
        )
        let dark = levels[5]
        let first = try #require(
            levels.indices.first {
                levels[$0] > dark * 2 && levels[($0 + 1)...].allSatisfy { $0 > dark * 2 }
            })
        #expect(abs(times[first] - changes[0].movieTime) < 0.1, "\(times[first]) \(changes)")
    }

    @Test("a recording without a camera says so")
    func noCamera() throws {
        let recorder = try start("-c", "none", "-a", "test:")
        #expect(try control("set", "gain=2").errorText.contains("has no camera"))
        _ = try control("stop")
        _ = recorder.wait()
    }
}
