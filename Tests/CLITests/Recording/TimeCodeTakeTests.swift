import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Takes with time code", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
    .tags(.realTime, .mostlyWaits))
struct TimeCodeTakeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ words: [String], zone: String = "UTC") throws -> RunningProgram {
        try Program.vcap.start(
            ["record", "-c", "test:size=160x120,fps=30", "-a", "none", "--keys", "none"] + words,
            environment: [
                "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TZ": zone,
            ], in: folder.path)
    }

    /// Two seconds with a pause of about one in the middle.
    private func paused(_ words: [String], zone: String = "UTC") throws -> Program.Result {
        let recorder = try start(["-t", "2"] + words, zone: zone)
        defer { if recorder.isRunning { recorder.signal(SIGKILL) } }
        for _ in 0..<500 where !recorder.errorTextSoFar.contains("vcap: recording") {
            usleep(20_000)
        }
        usleep(700_000)
        recorder.signal(SIGUSR1)
        usleep(1_000_000)
        recorder.signal(SIGUSR1)
        return recorder.wait()
    }

    private struct Report: Decodable {
        struct TimeCodes: Decodable {
            struct Jump: Decodable {
                var movieTime: Double
                var timeCode: String
            }
            var source: String
            var start: String
            var rate: String
            var jumps: [Jump]?
        }
        struct Clocks: Decodable {
            var start: Double
            var hostAnchor: Double
            var wallAnchor: Double
        }
        var timeCode: TimeCodes?
        var clocks: Clocks
    }

    private func report(_ name: String) throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    /// The samples of the time code's stream.
    private func numbers(_ name: String) throws -> [Int] {
        let bytes = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-map", "0:d:0", "-c", "copy", "-f", "data",
            "-",
        ]).output
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private func probed(_ name: String) throws -> String {
        let probe = try #require(Program.tool("ffprobe"))
        return try probe.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "stream_tags=timecode", "-of",
            "csv=p=0", folder.file(name),
        ]).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "free run counts the frames of the camera, those of the pause too",
        arguments: ["a.mp4", "a.mov"])
    func free(name: String) throws {
        let result = try paused(["--time-code", "free", "-o", name])
        #expect(result.status == 0, "\(result.errorText)")
        let codes = try numbers(name)
        #expect(codes.count == 2 && codes.first == 0, "\(codes)")
        #expect(try probed(name) == "00:00:00:00")
        // the camera's own count: it runs while nothing is recorded
        let frames = try MovieOracle(folder.file(name)).frameNumbers()
        let after = try #require(zip(frames, frames.dropFirst()).first { $1 != $0 + 1 }?.1)
        let first = try #require(frames.first)
        #expect(abs((after - first) - (codes.last ?? 0)) <= 1, "\(after) after \(first), \(codes)")
        let said = try #require(try report("a.vcap.json").timeCode)
        #expect(said.source == "free" && said.start == "00:00:00:00" && said.rate == "30")
        let asset = try Asset.load(folder.file(name))
        let code = try #require(asset.metadata.timeCode)
        #expect(said.jumps?.map(\.timeCode) == code.jumps.map(\.timeCode.description))
        let probe = try Program.vcap.run(["probe", folder.file(name), "--json"])
        let json = try JSONParser.parse(probe.output, as: .json)
        #expect(json["time_code"]?["start"]?.text == "00:00:00:00")
        #expect(json["time_code"]?["jumps"]?.elements?.count == 1)
        let text = try Program.vcap.run(["probe", folder.file(name)]).outputText
        #expect(
            text.contains("00:00:00:00, 30.000 fps") && text.contains("TIME CODE JUMPS AT"),
            "\(text)")
    }

    @Test("with a start it counts what is recorded alone", arguments: ["b.mov", "b.mkv"])
    func recordRun(name: String) throws {
        let result = try paused(["--time-code", "09:59:59:20", "-o", name])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try probed(name) == "09:59:59:20")
        let code = try #require(try Asset.load(folder.file(name)).metadata.timeCode)
        #expect(code.start.description == "09:59:59:20" && code.jumps.isEmpty)
        #expect(try report("b.vcap.json").timeCode?.jumps == nil)
    }

    @Test(
        "the clock is the local one at the first frame, and advances in pauses",
        arguments: ["c.mp4", "c.mkv"])
    func clock(name: String) throws {
        let result = try paused(["--time-code", "clock", "-o", name], zone: "Asia/Kathmandu")
        #expect(result.status == 0, "\(result.errorText)")
        let report = try report("c.vcap.json")
        let clocks = report.clocks
        let wall = clocks.wallAnchor - (clocks.hostAnchor - clocks.start) + 20_700  // UTC+5:45
        let frame = Int((wall.truncatingRemainder(dividingBy: 86_400) * 30).rounded(.down))
        let code = try #require(try Asset.load(folder.file(name)).metadata.timeCode)
        #expect(abs(Int(code.start.frame) - frame) <= 1)
        #expect(try probed(name) == code.start.description)
        let jump = try #require(code.jumps.first)
        let skipped = jump.timeCode.frame - code.start.advanced(by: jump.time).frame
        #expect((28...40).contains(skipped), "a pause of about a second: \(skipped)")
        #expect(report.timeCode?.jumps?.map(\.timeCode) == [jump.timeCode.description])
    }

    @Test("a take that is killed keeps it", arguments: ["k.mp4", "k.mkv"])
    func killed(name: String) throws {
        let recorder = try start(["-q", "--time-code", "10:00:00:00", "-o", name])
        usleep(3_000_000)
        recorder.signal(SIGKILL)
        _ = recorder.wait()
        #expect(try probed(name) == "10:00:00:00")
        let repair = try Program.vcap.run(["repair", folder.file(name)])
        #expect(repair.status == 0, "\(repair.errorText)")
        #expect(try probed(name) == "10:00:00:00")
    }

    @Test(
        "what cannot be counted so is refused before anything is written, and without the option there is none"
    )
    func refused() throws {
        for (words, said) in [
            (["--time-code", "10:00:00;00", "-o", "r.mp4"], "drop frame"),
            (["--time-code", "10:00:00:30", "-o", "r.mp4"], "no frame 30"),
            (["--time-code", "10:00:00:00", "-o", "r.ts"], "no place for time code"),
            (["--time-code", "noon", "-o", "r.mp4"], "clock, free"),
        ] {
            let result = try start(["-t", "300ms"] + words).wait()
            #expect(result.status != 0 && result.errorText.contains(said), "\(result.errorText)")
        }
        #expect(!folder.contents.contains { $0.hasPrefix("r.") })
        let result = try start(["-t", "300ms", "-o", "n.mp4"]).wait()
        #expect(result.status == 0)
        #expect(try Asset.load(folder.file("n.mp4")).metadata.timeCode == nil)
        #expect(try numbers("n.mp4").isEmpty)
        let sound = try Program.vcap.run(
            [
                "record", "-c", "none", "-a", "test:", "-t", "300ms", "-o", "s.mp4", "--time-code",
                "clock",
            ], environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(sound.status == 0)
        #expect(sound.errorText.contains("--time-code does nothing"), "\(sound.errorText)")
    }
}
