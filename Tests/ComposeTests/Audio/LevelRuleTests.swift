import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Loudness of clips")
struct LevelRuleTests {
    /// Two spans of noise one after the other, five seconds each, on tracks of their own.
    private func film(_ first: Float, _ second: Float) -> AudioFilm {
        var film = AudioFilm()
        for (name, amplitude, seed) in [("one", first, 3), ("two", second, 4)] {
            film.sounds[name] = SyntheticAudio.noise(seed: UInt64(seed), amplitude: amplitude)
        }
        film.track([("one", .zero, .seconds(5))])
        film.track([(nil, .zero, .seconds(5)), ("two", .zero, .seconds(5))])
        return film
    }

    private func rule(_ film: AudioFilm, _ index: Int, _ loudness: Double) -> LevelRule {
        let track = film.composition.tracks(of: .audio)[index].id
        return LevelRule(
            "clip \(index + 1)", trackIDs: [track],
            timeRange: MediaTimeRange(start: .seconds(Int64(5 * index)), duration: .seconds(5)),
            loudness: loudness)
    }

    /// What ffmpeg's own meter says of some seconds.
    private func oracle(_ samples: [Float], from start: Int, to end: Int) throws -> Double {
        let folder = try TemporaryFolder()
        let path = folder.file("mix.f32")
        let part = Array(samples[start * 96_000..<min(samples.count, end * 96_000)])
        try part.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let result = try #require(Program.tool("ffmpeg")).run([
            "-hide_banner", "-nostats", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path,
            "-af", "ebur128=framelog=verbose", "-f", "null", "-",
        ])
        let words = result.errorText.split(whereSeparator: \.isWhitespace)
        let place = try #require(words.lastIndex { $0 == "I:" })
        return try #require(Double(words[place + 1]))
    }

    @Test(
        "each is as loud as it should be by another meter, and its volume comes on top",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func levels() throws {
        var film = film(0.02, 0.5)
        film.mix.inputs = film.composition.tracks(of: .audio).map { AudioMixInput(trackID: $0.id) }
        film.mix.inputs[1].volumeRamps = [VolumeRamp(0.5, from: .zero)]
        film.mix.levels = [rule(film, 1, -23), rule(film, 0, -20)]
        let renderer = try film.renderer()
        let samples = try renderer.all()
        #expect(abs(try oracle(samples, from: 0, to: 5) + 20) <= 0.2)
        #expect(abs(try oracle(samples, from: 5, to: 10) + 29) <= 0.2)
        #expect(renderer.report.levels.map(\.rule) == film.mix.levels)
        #expect(renderer.report.levels.allSatisfy { $0.shortfall == nil })
        // the control: as recorded they are elsewhere
        film.mix.levels = []
        let plain = try film.renderer().all()
        #expect(abs(try oracle(plain, from: 0, to: 5) + 20) > 3)
        #expect(abs(try oracle(plain, from: 5, to: 10) + 29) > 3)
    }

    @Test("where a part continues another one the gain does not jump, and a limiter's loss is said")
    func joins() throws {
        var film = AudioFilm()
        film.sounds["tone"] = .sine(201, amplitude: 0.1)
        film.track([("tone", .zero, .seconds(5)), ("tone", .seconds(5), .seconds(5))])
        let track = film.composition.tracks(of: .audio)[0].id
        func rule(_ start: Int64, _ loudness: Double) -> LevelRule {
            LevelRule(
                "part", trackIDs: [track],
                timeRange: MediaTimeRange(start: .seconds(start), duration: .seconds(5)),
                loudness: loudness)
        }
        film.mix.levels = [rule(0, -30), rule(5, -12)]
        let samples = try film.renderer().all()
        var largest: Float = 0
        for frame in 1..<480_000 {
            largest = max(largest, abs(samples[2 * frame] - samples[2 * frame - 2]))
        }
        // the steepest of the louder tone, and what a ramp of 3 ms adds
        let loudest = samples.map(\.magnitude).max() ?? 0
        #expect(largest < loudest * Float(2 * Double.pi * 201 / 48_000 + 1.0 / 144) * 1.1)
        film.mix.inputs = [AudioMixInput(trackID: track)]
        film.mix.inputs[0].treatment.limiter = -20
        let renderer = try film.renderer()
        _ = try renderer.all()
        #expect(renderer.report.levels[0].shortfall == nil)
        #expect(renderer.report.levels[1].shortfall?.contains("its limiter") ?? false)
    }

    @Test("any blocks give the same samples, before and after it was prepared")
    func blocks() throws {
        var film = film(0.02, 0.5)
        film.mix.levels = [rule(film, 0, -20), rule(film, 1, -20)]
        let whole = try film.renderer().all()
        let renderer = try film.renderer()
        let late = try renderer.read(from: 300_000, count: 5000).floats
        #expect(late == Array(whole[600_000..<610_000]))
        #expect(try renderer.read(from: 0, count: 999).floats == Array(whole[0..<1998]))
    }

    @Test("what is silent, or too quiet, is reported and not raised without end")
    func shortfalls() throws {
        var film = film(0.0005, 0)
        film.mix.levels = [rule(film, 0, -16), rule(film, 1, -16)]
        let renderer = try film.renderer()
        _ = try renderer.all()
        let reports = renderer.report.levels
        #expect(reports[0].gain == LevelGains.highestGain && reports[1].gain == 0)
        #expect(reports[0].shortfall?.contains("LU quieter than it should be") ?? false)
        #expect(reports[1].shortfall?.contains("is silent") ?? false)
        for loudness in [-41.0, -4, .nan] {
            film.mix.levels = [rule(film, 0, loudness)]
            #expect(throws: MediaError.self) { try film.mix.validate() }
        }
    }

    @Test("ducking listens to speech as it is heard then")
    func ducking() throws {
        func music(_ isLevelled: Bool) throws -> Float {
            var film = film(0.002, 0)
            film.sounds["tone"] = .sine(440, amplitude: 0.25)
            film.track([("tone", .zero, .seconds(10))])
            let tracks = film.composition.tracks(of: .audio).map(\.id)
            film.mix.ducking = [
                DuckingRule(trackIDs: [tracks[2]], under: [tracks[0]], depth: 20)
            ]
            if isLevelled { film.mix.levels = [rule(film, 0, -20)] }
            let samples = try film.renderer().all()
            // at 7 s no speech is left, at 2.5 s it lies beneath
            func peak(_ second: Double) -> Float {
                let start = Int(second * 96_000)
                return samples[start..<start + 9600].map(\.magnitude).max() ?? 0
            }
            return peak(2.5) / peak(8)
        }
        #expect(try music(false) > 0.9)
        #expect(try music(true) < 0.9)
    }

    private let assets = [SampleAsset.clip("a.mp4", seconds: 10, width: 1280, height: 720)]

    @Test("a clip's own is read and written, and a rule of its voices as it is heard")
    func clips() throws {
        func read(_ text: String) throws -> Timeline {
            try ProjectFile.timeline(
                Array(
                    "{ videos: [{ file: \"a.mp4\", end: 4 }, { file: \"a.mp4\", \(text) }] }".utf8),
                name: "f", resolve: { path, _ in path })
        }
        let timeline = try read("loudness: -19.5, volume: 0.5")
        #expect(timeline.videos[1].loudness == -19.5)
        #expect(
            try ProjectFile.timeline(
                Array(try ProjectFile.text(of: timeline, in: "/").utf8), name: "f",
                resolve: { path, _ in path }) == timeline)
        let mix = try TimelineBuilder(timeline, assets: assets).film().audioMix
        #expect(
            mix.levels == [
                LevelRule(
                    "clip 2 (a.mp4)", trackIDs: mix.levels.first?.trackIDs ?? [],
                    timeRange: MediaTimeRange(start: .seconds(4), duration: .seconds(10)),
                    loudness: -19.5)
            ])
        #expect(mix.levels[0].trackIDs.count == 1)
        for (text, why) in [
            ("loudness: -45", "-40"),
            ("loudness: -20, freeze: 2", "audio"),
        ] {
            #expect {
                try TimelineBuilder(read(text), assets: self.assets).film()
            } throws: {
                ($0 as? MediaError)?.message.contains(why) ?? false
            }
        }
        let silent = try TimelineBuilder(read("loudness: -20, audio: []"), assets: assets).film()
        #expect(silent.warnings.contains { $0.contains("no audio that its loudness could change") })
    }
}
