import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Loudness")
struct LoudnessTests {
    /// Ten seconds of noise in words of changing height, on both sides.
    private func film(level: Float, peaks: Float, target: LoudnessTarget?) -> AudioFilm {
        var film = AudioFilm()
        let noise = SyntheticAudio.noise(seed: 21, amplitude: 1)
        film.sounds["talk"] = SyntheticAudio { frame, channel in
            let word = Float(1 + (frame / 9600) % 5) / 5
            let pause: Float = (frame / 24_000) % 4 == 3 ? 0.02 : 1
            let sample = (try? noise.read(at: frame, count: 1).floats[channel]) ?? 0
            // a peak of 1 ms five times a second
            let peak = frame % 9600 < 48 ? peaks : 1
            return sample * level * word * pause * peak
        }
        film.track([("talk", .zero, .seconds(10))])
        film.mix.loudness = target
        return film
    }

    /// What ffmpeg's own meter says of samples.
    private func oracle(_ samples: [Float]) throws -> (integrated: Double, truePeak: Double) {
        let folder = try TemporaryFolder()
        let path = folder.file("mix.f32")
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let result = try ffmpeg.run([
            "-hide_banner", "-nostats", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path,
            "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
        ])
        #expect(result.status == 0)
        let words = result.errorText.split(whereSeparator: \.isWhitespace)
        func number(after label: String) throws -> Double {
            let place = try #require(words.lastIndex { $0 == label })
            return try #require(Double(words[place + 1]))
        }
        return (try number(after: "I:"), try number(after: "Peak:"))
    }

    @Test(
        "a mix made louder or quieter is at its target by another meter",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [(0.02, -16.0), (0.3, -23.0), (0.7, -30.0)] as [(Float, Double)])
    func reachesTarget(level: Float, target: Double) throws {
        let film = film(level: level, peaks: 1, target: LoudnessTarget(integrated: target))
        let renderer = try film.renderer()
        let measured = try oracle(try renderer.all())
        #expect(abs(measured.integrated - target) <= 0.1)
        let report = try #require(renderer.report.loudness)
        #expect(abs(try #require(report.after.integrated) - measured.integrated) <= 0.1)
        // the control: without the target it is elsewhere
        var plain = film
        plain.mix.loudness = nil
        #expect(abs(try oracle(try plain.renderer().all()).integrated - target) > 3)
    }

    @Test(
        "peaks that would pass the ceiling are limited, and the loudness is made up for",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func ceiling() throws {
        let target = LoudnessTarget(integrated: -16, truePeak: -3)
        let film = film(level: 0.1, peaks: 8, target: target)
        let renderer = try film.renderer()
        let measured = try oracle(try renderer.all())
        #expect(abs(measured.integrated - target.integrated) <= 0.5)
        #expect(measured.truePeak <= target.truePeak + 0.1)
        #expect(renderer.report.limitedFrames > 0)
        let report = try #require(renderer.report.loudness)
        #expect((2...4).contains(report.passes))
        // the control: by gain alone the peaks would be far above
        let before = try #require(report.before.truePeak)
        #expect(before + report.gain > target.truePeak + 3)
    }

    @Test("silence stays silence")
    func silence() throws {
        var film = AudioFilm()
        film.sounds["none"] = .level([0, 0])
        film.track([("none", .zero, .seconds(2))])
        film.mix.loudness = LoudnessTarget()
        let renderer = try film.renderer()
        #expect(try renderer.all().allSatisfy { $0 == 0 })
        #expect(renderer.report.loudness?.before.integrated == nil)
        #expect(renderer.report.loudness?.gain == 0)
    }

    @Test(
        "targets out of range are refused",
        arguments: [
            LoudnessTarget(integrated: -3), LoudnessTarget(integrated: .nan),
            LoudnessTarget(truePeak: 1),
        ])
    func refused(target: LoudnessTarget) {
        let error = #expect(throws: MediaError.self) {
            try film(level: 0.1, peaks: 1, target: target).renderer()
        }
        #expect(error?.code == .invalidSetting)
    }

    @Test("measuring can be cancelled")
    func cancelled() throws {
        let renderer = try film(level: 0.1, peaks: 1, target: LoudnessTarget()).renderer()
        let error = #expect(throws: MediaError.self) {
            try renderer.prepare(isCancelled: { true })
        }
        #expect(error?.code == .cancelled)
    }
}
