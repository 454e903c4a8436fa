import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Films whose audio is treated, measured in what another program decodes of them.
@Suite(
    "Films with low cut, gate and limiter", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TreatmentFilmTests {
    private let folder: TemporaryFolder

    /// 6 s: a word of 1 kHz at -12 dBFS in seconds 2 and 4, noise at -53 dBFS, and 25 Hz at -20 dBFS all along.
    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        let word = "gt(between(t\\,2\\,3)+between(t\\,4\\,5)\\,0)"
        let sound =
            "aevalsrc='0.25*sin(6283.19*t)*\(word)+0.1*sin(157.08*t)+0.008*(random(0)-0.5)'"
            + ":d=6:s=48000:c=mono"
        try ffmpeg([
            "-f", "lavfi", "-i", sound, "-f", "lavfi", "-i", "color=s=64x64:r=25:d=6", "-shortest",
            "-c:v", "libx264", "-c:a", "pcm_s16le", folder.file("a.mov"),
        ])
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func ffmpeg(_ words: [String]) throws {
        let result = try #require(Program.tool("ffmpeg")).run(["-v", "error"] + words)
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// The left channel of a film with audio as it is mixed.
    private func made(_ words: [String]) throws -> [Float] {
        let result = try run(
            words + ["--audio-codec", "pcm", "--overwrite", "-o", "film.mov"])
        try #require(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("does nothing"), "\(result.errorText)")
        try ffmpeg([
            "-i", folder.file("film.mov"), "-f", "f32le", "-af", "pan=mono|c0=FL",
            folder.file("s"), "-y",
        ])
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("s")))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Of a part in seconds (dB).
    private func level(_ samples: [Float], _ part: ClosedRange<Double>) -> Double {
        let part = samples[Int(part.lowerBound * 48_000)..<Int(part.upperBound * 48_000)]
        let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
        return 10 * log10(max(power, 1e-15))
    }

    @Test("rumble is cut away, noise between words turned down, words are whole and held")
    func options() throws {
        let plain = try made(["compose", "a.mov"])
        #expect(abs(level(plain, 0.5...1.5) + 23) < 0.5)
        let cut = try made(["compose", "a.mov", "--low-cut", "100Hz"])
        // 25 Hz, two octaves lower, is 48 dB lower than before, and the noise is left
        #expect(abs(level(cut, 0.5...1.5) + 52.8) < 0.5)
        #expect(abs(level(cut, 2.1...2.9) + 15.05) < 0.1)
        let all = try made([
            "compose", "a.mov", "--low-cut", "100", "--gate", "-45", "--limiter", "-15",
        ])
        #expect(level(all, 0.5...1.5) < level(cut, 0.5...1.5) - 28)
        #expect(all.allSatisfy { abs($0) <= 0.1779 })
        #expect((all.max() ?? 0) > 0.175)
        // the first milliseconds of the word are there
        let gated = try made(["compose", "a.mov", "--low-cut", "100", "--gate", "-45"])
        #expect(abs(level(gated, 2.0...2.005) - level(cut, 2.0...2.005)) < 0.01)
    }

    @Test("a part of a film has the samples that the whole has there")
    func part() throws {
        let words = ["compose", "a.mov", "--low-cut", "100", "--gate", "-45", "--limiter", "-15"]
        let whole = try made(words)
        let part = try made(words + ["--range", "2.4s..5.2s"])
        let same = Array(whole[Int(2.4 * 48_000)..<Int(5.2 * 48_000)])
        #expect(part.count == same.count)
        let difference = zip(part, same).map { abs($0 - $1) }.max() ?? 1
        #expect(difference == 0, "\(difference)")
    }

    @Test("an overlay has its own, and so has each clip and sound of a project")
    func items() throws {
        try Data(
            """
            { videos: [ { file: "a.mov", volume: 0 } ],
              overlays: [ { file: "a.mov", place: "top-left", lowCut: 100, gate: { threshold: -45,
                range: 60 }, pan: 1, keyframes: [ { time: 4, pan: 1 }, { time: 4, pan: 0 } ] } ] }
            """.utf8
        ).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
        let project = try made(["export", "f.vcap.json5"])
        // to the right, then in the middle
        #expect(level(project, 2.1...2.9) < -100)
        #expect(abs(level(project, 4.1...4.9) + 15.05) < 0.1)
        #expect(level(project, 5.6...5.9) < -90)
        let overlay = try made([
            "compose", "a.mov@..1s", "--volume", "0", "--overlay",
            "a.mov,low-cut=100,gate=-45,limiter=-15,pan=-1",
        ])
        #expect(level(overlay, 0.5...1.5) < -80)
        #expect(abs((overlay.max() ?? 0) - 0.1778) < 0.002)
    }
}
