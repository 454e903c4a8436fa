import Foundation
import TestSupport
import Testing

@Suite("The loudness of clips", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ClipLoudnessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        for (name, volume) in [("quiet", "0.02"), ("loud", "0.8")] {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-f", "lavfi",
                "-i",
                "anoisesrc=d=4:c=pink:r=48000:seed=7,volume=\(volume)", "-c:v", "libx264", "-c:a",
                "aac", "-b:a", "192k", folder.file("\(name).mp4"),
            ])
            #expect(made.status == 0, "\(made.errorText)")
        }
    }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// What ffmpeg's meter says of a part (LUFS).
    private func loudness(_ name: String, from start: Int) throws -> Double {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-hide_banner", "-nostats", "-ss", "\(start)", "-t", "4", "-i", folder.file(name),
            "-vn",
            "-af", "ebur128=framelog=verbose", "-f", "null", "-",
        ])
        let words = result.errorText.split(whereSeparator: \.isWhitespace)
        let place = try #require(words.lastIndex { $0 == "I:" })
        return try #require(Double(words[place + 1]))
    }

    @Test("both clips are as loud as is asked for, and nothing of their audio is copied")
    func both() throws {
        let result = try vcap([
            "compose", "quiet.mp4", "loud.mp4", "--clip-loudness", "-22", "-o", "film.mp4",
            "--json",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(abs(try loudness("film.mp4", from: 0) + 22) < 0.5)
        #expect(abs(try loudness("film.mp4", from: 4) + 22) < 0.5)
        let one = try vcap(["compose", "loud.mp4", "--clip-loudness", "-30", "-o", "one.mp4"])
        #expect(one.status == 0, "\(one.errorText)")
        #expect(abs(try loudness("one.mp4", from: 0) + 30) < 0.5)
        // the control: as recorded they are far apart
        #expect(try vcap(["compose", "quiet.mp4", "loud.mp4", "-o", "plain.mp4"]).status == 0)
        let apart = try loudness("plain.mp4", from: 4) - loudness("plain.mp4", from: 0)
        #expect(apart > 20)
    }

    @Test("what cannot be reached, and what it cannot change, is reported")
    func reports() throws {
        let capped = try vcap(["compose", "quiet.mp4", "--clip-loudness", "-6", "-o", "c.mp4"])
        #expect(capped.status == 0)
        #expect(capped.errorText.contains("LU quieter than it should be"), "\(capped.errorText)")
        let mute = try vcap([
            "compose", "color:#204060@..1s", "--clip-loudness", "-20", "-o", "m.mp4",
        ])
        #expect(mute.errorText.contains("no audio that its loudness could change"))
        let wrong = try vcap(["compose", "loud.mp4", "--clip-loudness", "-3", "-o", "w.mp4"])
        #expect(wrong.status == 64 && wrong.errorText.contains("-40 to -5"), "\(wrong.errorText)")
        let only = try vcap([
            "compose", "loud.mp4", "--clip-loudness", "-20", "--copy", "only", "-o", "o.mp4",
        ])
        #expect(only.status != 0 && only.errorText.contains("loudness"), "\(only.errorText)")
    }
}
