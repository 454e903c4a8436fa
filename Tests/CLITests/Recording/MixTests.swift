import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Several microphones in one track", .serialized, .tags(.realTime, .mostlyWaits))
struct MixTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// What a take's report says of its microphones.
    private struct Report: Decodable {
        struct Track: Decodable {
            struct Gap: Decodable { var cause: String }
            struct Origin: Decodable { var name: String }
            var origin: Origin
            var movieTrack: Int
            var driftPPM: Double?
            var gaps: [Gap]
        }
        var tracks: [Track]
        var verdict: String
    }

    private func report(_ name: String) throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    private func audioTracks(_ name: String) throws -> Int {
        let probe = try #require(Program.tool("ffprobe"))
        return try probe.run([
            "-v", "error", "-select_streams", "a", "-show_entries", "stream=index", "-of",
            "csv=p=0", folder.file(name),
        ]).outputText.split(whereSeparator: \.isNewline).count
    }

    /// The first channel as it is stored (−1…1).
    private func channel(_ name: String, _ index: Int) throws -> [Float] {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let result = try ffmpeg.run([
            "-v", "error", "-i", folder.file(name), "-map", "0:a:0", "-af",
            "pan=mono|c0=c\(index)", "-ar", "48000", "-f", "f32le", "-",
        ])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test(
        "beeps of two microphones with other rates and clocks are one beep at the level of the rule",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
    func linedUp() throws {
        let watch = HostWatch()
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:", "-s", "320x180", "-r", "30", "--mix", "-t", "12",
                "-a", "test:1,ppm=150", "-a", "test:1,ppm=-150,rate=44100,channels=1",
                "--audio-codec", "pcm", "-o", folder.file("take.mov"), "--session", "mix", "-v",
            ], environment: ["XDG_RUNTIME_DIR": folder.path])
        defer { if recorder.isRunning { recorder.signal(SIGKILL) } }
        for _ in 0..<500 where !recorder.errorTextSoFar.contains("vcap: recording") {
            usleep(20_000)
        }
        for number in 1...3 {
            usleep(1_430_000)
            recorder.signal(SIGUSR1)
            // two signals at once are one
            try #require(
                waitUntil { recorder.errorTextSoFar.ranges(of: "paused at").count == number })
            usleep(370_000)
            recorder.signal(SIGUSR1)
        }
        let result = recorder.wait()
        let stood = watch.stop()
        #expect(result.status == 0, "\(result.errorText)")
        let report = try report("take.vcap.json")
        #expect(report.tracks.map(\.movieTrack) == [0, 1, 1])
        #expect(report.tracks.map(\.origin.name).filter { $0 == "Test microphone" }.count == 2)
        // twelve seconds distinguish the clocks; a machine that stood still says nothing
        if stood < .seconds(1) {
            #expect(report.verdict == "good")
            #expect(abs((report.tracks[1].driftPPM ?? 0) - 150) < 30)
            #expect(abs((report.tracks[2].driftPPM ?? 0) + 150) < 30)
        }
        #expect(try audioTracks("take.mov") == 1)
        try checkAudio()
    }

    /// The clocks are 300 ppm apart, so the two tones of 1 kHz shift against each other by a third of a
    /// millisecond a second: now they add up, now they cancel. A beep is looked for where they add up.
    private func checkPlaces(_ movie: TestMovie) {
        let top = movie.sound.map(abs).max() ?? 0
        var found = 0
        for run in movie.runs {
            let flashes = run.frames.dropFirst(1).dropLast(2).filter { movie.flashes[$0] }
            for (frame, offset) in zip(flashes, movie.offsets(in: run)) {
                let start = Int((movie.times[frame] + 0.005) * Double(TestMovie.sampleRate))
                let middle = movie.sound[start..<min(start + 1440, movie.sound.count)]
                guard (middle.map(abs).max() ?? 0) >= 0.9 * top else { continue }
                #expect(abs(offset) <= 0.003)
                found += 1
            }
        }
        #expect(found >= 2)
    }

    private func checkAudio() throws {
        let movie = try TestMovie(folder.file("take.mov"))
        #expect(movie.runs.count == 4)
        checkPlaces(movie)
        // 0.488 each: the sum is beyond the knee, alone neither is
        let single: Float = 16_000 / 32_768
        let together = 0.8 + 0.2 * (1 - 1 / (1 + (2 * single - 0.8) / 0.2))
        for index in 0...1 {
            let audio = try channel("take.mov", index)
            let peak = audio.map(abs).max() ?? 0
            #expect(abs(peak - together) < 0.02, "channel \(index)")
        }
        // no click where a pause cuts: nothing is steeper than the summed beep itself
        let left = try channel("take.mov", 0)
        let step = zip(left, left.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        #expect(step <= 2 * single * Float(2 * Double.pi * 1000 / 48_000) * 1.05)
    }

    @Test(
        "an unplugged microphone leaves the other's level, and is in the report",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
    func unplugged() throws {
        // device time begins with the recorder: from its third second on one is gone
        let result = try Program.vcap.run(
            [
                "record", "-c", "none", "--mix", "-t", "6", "-a", "test:1",
                "-a", "test:2,unplug=3+60", "--audio-codec", "flac", "-o", folder.file("take.mkv"),
            ], environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(result.status == 0, "\(result.errorText)")
        let report = try report("take.vcap.json")
        #expect(report.tracks[0].gaps.isEmpty)
        #expect(report.tracks[1].gaps.map(\.cause) == ["device-gone"])
        #expect(try audioTracks("take.mkv") == 1)
        let tail = try channel("take.mkv", 0).suffix(2 * 48_000)
        #expect(abs((tail.map(abs).max() ?? 0) - 16_000 / 32_768) < 0.003)
    }
}
