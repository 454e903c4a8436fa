import Foundation
import Media
import TestSupport
import Testing

/// Films of many parts of one take, through the program: frames by their numbers, flashes with their
/// beeps, and a tone that never steps.
@Suite(
    "Films of many joins", .serialized, .tags(.realTime),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct JoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func record(_ name: String, rate: String, seconds: Int) throws {
        let result = try run([
            "record", "-q", "-c", "test:", "-a", "test:", "-s", "192x108", "-r", rate, "-t",
            "\(seconds)", "--keys", "none", "-o", name,
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func export(_ project: String) throws -> MovieOracle {
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("film.vcap.json5")))
        let result = try run(["export", "film.vcap.json5", "-y", "-o", "film.mp4"])
        try #require(result.status == 0, "\(result.errorText)")
        return MovieOracle(folder.file("film.mp4"))
    }

    @Test(
        "a take of the test camera, trimmed, doubled and halved in speed, shows its numbers",
        arguments: [("30", 30.0), ("30000/1001", 30_000 / 1001.0)])
    func speeds(rate: String, perSecond: Double) throws {
        try record("take.mp4", rate: rate, seconds: 3)
        let take = MovieOracle(folder.file("take.mp4"))
        let numbers = try take.frameNumbers()
        let times = try take.presentationTimes()
        let film = try export(
            """
            { fps: "\(rate)", videos: [
              { file: "take.mp4", start: 0.5, end: 1.5 },
              { file: "take.mp4", start: 0.2, end: 2.2, speed: 2 },
              { file: "take.mp4", start: 1, end: 2, speed: "1/2" } ] }
            """
        ).frameNumbers()
        #expect(film.count == Int((4 * perSecond).rounded(.up)))
        for (frame, shown) in film.enumerated() {
            let time = Double(frame) / perSecond
            let source =
                time < 1 ? 0.5 + time : time < 2 ? 0.2 + (time - 1) * 2 : 1 + (time - 2) / 2
            // a tick of 1/90,000 s is nobody's matter
            let possible = [-2e-5, 2e-5].map { slack in
                numbers[times.lastIndex { $0 <= source + slack } ?? 0]
            }
            #expect(possible.contains(shown), "frame \(frame): \(shown), not \(possible)")
        }
    }

    @Test("after 20 joins flash and beep are within a millisecond, and no join is a frame off")
    func flashesAndBeeps() throws {
        try record("take.mp4", rate: "30", seconds: 5)
        let take = try TestMovie(folder.file("take.mp4"))
        // seconds are those of the clock, so the first flash is anywhere in the take's first second
        let flash = try #require(take.flashes.dropFirst(18).firstIndex(of: true))
        // each part is 37 frames long, has a flash in its middle, and overlaps the next by 6
        let starts = (0..<21).map { flash - 18 + $0 % 3 * 30 }
        let parts = starts.enumerated().map { index, start in
            let transition = index == 0 ? "" : ", transition: \"dissolve:0.2\""
            return
                "{ file: \"take.mp4\", start: \"\(start)/30\", end: \"\(start + 37)/30\"\(transition) }"
        }
        let movie = try export("{ videos: [\(parts.joined(separator: ","))] }")
        let film = try TestMovie(movie.path)
        #expect(film.numbers.count == 21 * 37 - 20 * 6)
        var offsets: [Double] = []
        for (index, source) in starts.enumerated() {
            let begin = index * 31
            // outside of the overlaps every frame is the take's own
            for frame in 6..<31 {
                #expect(
                    film.numbers[begin + frame] == take.numbers[source + frame],
                    "part \(index), frame \(frame)")
            }
            for frame in 6..<31 where film.flashes[begin + frame] {
                let start = Int(film.times[begin + frame] * 48_000)
                let near = Array(film.sound[start - 960..<min(start + 3840, film.sound.count)])
                for beep in FlashBeep.beeps(in: near, sampleRate: 48_000) {
                    offsets.append(Double(beep - 960) / 48_000)
                }
            }
        }
        #expect(offsets.count == 21)
        #expect(offsets.allSatisfy { abs($0) <= 0.001 }, "\(offsets)")
    }

    @Test("a sine across 50 cuts has no step above its own slope and that of the fades")
    func sine() throws {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 300)
        clip.tone = GeneratedClip.Tone(frequency: 441)
        clip.coding += ["-c:a", "pcm_s16le"]
        try clip.write(to: folder.file("tone.mov"))
        // parts of 200 ms, each beginning elsewhere in the wave
        let starts = (0..<51).map { index in 37 * (index + 1) % 97 * 100 }
        let parts = starts.map { start in
            "{ file: \"tone.mov\", start: \"\(start)ms\", end: \"\(start + 203)ms\" }"
        }
        let film = try export("{ videos: [\(parts.joined(separator: ","))] }").sound()
        let source = try MovieOracle(folder.file("tone.mov")).sound()
        let amplitude = Double(source[24_000..<240_000].map { abs($0) }.max() ?? 0)
        #expect(amplitude > 0.1)
        #expect(abs(film.count - 51 * 203 * 48) < 2048)
        let slope = amplitude * (2 * Double.pi * 441 / 48_000 + Double.pi / (2 * 144))
        // a hundredth of the tone for the coder
        let bound = slope + amplitude / 100
        let steps = zip(film, film.dropFirst()).map { Double(abs($1 - $0)) }
        #expect(steps.max() ?? 0 <= bound, "\(steps.max() ?? 0) of \(bound)")
        // the tone is there between the cuts
        #expect(Double(film.map { abs($0) }.max() ?? 0) > amplitude * 0.95)
        // the control: the same parts put together without fades do step
        let hard = starts.flatMap { source[$0 * 48..<($0 + 203) * 48] }
        let clicks = zip(hard, hard.dropFirst()).count { Double(abs($1 - $0)) > bound }
        #expect(clicks > 25)
    }
}
