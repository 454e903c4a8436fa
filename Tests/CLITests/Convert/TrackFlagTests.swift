import Foundation
import TestSupport
import Testing

@Suite(
    "Tracks that players take by themselves, and those they must show", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TrackFlagTests {
    /// What ffprobe says of a track.
    struct Flags: Equatable, CustomStringConvertible {
        var isDefault: Bool
        var isForced = false
        var description: String { (isDefault ? "D" : "-") + (isForced ? "F" : "-") }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func vcap(_ words: String...) throws -> Program.Result {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        return result
    }

    /// Pictures, two tracks of sound of which the second is the default, and two of subtitles of which the second is
    /// the default, and forced.
    private func source(_ name: String, sound: String = "aac", forcesAudio: Bool = false) throws {
        try Data("1\n00:00:00,100 --> 00:00:00,900\nHallo\n\n".utf8)
            .write(to: URL(fileURLWithPath: folder.file("a.srt")))
        let tone = ["-f", "lavfi", "-i", "sine=d=1"]
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1"] + tone + tone
                + ["-i", "a.srt", "-i", "a.srt", "-map", "0", "-map", "1", "-map", "2"]
                + ["-map", "3", "-map", "4", "-c:v", "libx264", "-c:a", sound]
                + [
                    "-c:s", name.hasSuffix("mkv") ? "srt" : "mov_text", "-disposition:v:0",
                    "default",
                ]
                + ["-disposition:a:0", "0", "-disposition:a:1"]
                + [forcesAudio ? "default+forced" : "default", "-disposition:s:0", "0"]
                + ["-disposition:s:1", "default+forced", name], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func flags(_ name: String) throws -> [Flags] {
        let result = try #require(Program.tool("ffprobe")).run(
            [
                "-v", "error", "-of", "csv=p=0", "-show_entries",
                "stream=index:stream_disposition=default,forced", name,
            ], in: folder.path)
        return result.outputText.split(whereSeparator: \.isNewline).map { line in
            let words = line.split(separator: ",")
            return Flags(isDefault: words[1] == "1", isForced: words[2] == "1")
        }
    }

    /// What we say of a track ourselves.
    private func reported(_ name: String) throws -> [Flags] {
        let json = try JSONSerialization.jsonObject(
            with: Data(try vcap("probe", "--json", name).output))
        let tracks = (json as? [String: Any])?["tracks"] as? [[String: Any]] ?? []
        return tracks.map {
            Flags(
                isDefault: $0["default"] as? Bool ?? false, isForced: $0["forced"] as? Bool ?? false
            )
        }
    }

    private static let wanted = [
        Flags(isDefault: true), Flags(isDefault: false), Flags(isDefault: true),
        Flags(isDefault: false), Flags(isDefault: true, isForced: true),
    ]

    @Test(
        "default and forced go from container to container, with copied and encoded tracks",
        arguments: ["mkv", "mp4", "mov"])
    func carried(_ ending: String) throws {
        try source("in.mkv")
        #expect(try reported("in.mkv") == Self.wanted)
        _ = try vcap("convert", "in.mkv", "-o", "a.\(ending)")
        #expect(try flags("a.\(ending)") == Self.wanted)
        #expect(try reported("a.\(ending)") == Self.wanted)
        for next in ["mkv", "mp4", "mov"] {
            let made = try vcap("convert", "a.\(ending)", "-o", "b.\(next)", "-y")
            #expect(try flags("b.\(next)") == Self.wanted, "\(next)")
            #expect(!made.errorText.contains("not carried over"), "\(made.errorText)")
        }
        _ = try vcap(
            "convert", "in.mkv", "-o", "c.\(ending)", "--audio-codec", "alac", "-s", "48x32")
        #expect(try flags("c.\(ending)") == Self.wanted)
        // those that ffmpeg wrote are read as well
        if ending == "mp4" {
            try source("own.mp4")
            #expect(try reported("own.mp4") == Self.wanted)
        }
    }

    @Test("where no track of a kind is a default, mp4 enables the first, and mkv keeps it so")
    func noDefault() throws {
        try source("all.mkv")
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-i", "all.mkv", "-map", "0", "-c", "copy", "-disposition:v", "0",
                "-disposition:a", "0", "-disposition:s", "0", "in.mkv",
            ], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        _ = try vcap("convert", "in.mkv", "-o", "out.mkv")
        #expect(try flags("out.mkv").allSatisfy { !$0.isDefault && !$0.isForced })
        _ = try vcap("convert", "in.mkv", "-o", "out.mp4")
        #expect(try flags("out.mp4").map(\.isDefault) == [true, true, false, true, false])
    }

    @Test("flags without a place are reported before and after")
    func cautions() throws {
        try source("in.mkv", forcesAudio: true)
        let loss = "Track 2 is not played by default, which is not carried over"
        let force = "The forced flag of track 3 is not carried over"
        let plan = try vcap("convert", "in.mkv", "-o", "out.ts", "--plan")
        let words = plan.outputText + plan.errorText
        #expect(words.contains(loss) && words.contains(force), "\(words)")
        let made = try vcap("convert", "in.mkv", "-o", "out.ts")
        #expect(made.errorText.contains(loss) && made.errorText.contains(force))
        let movie = try vcap("convert", "in.mkv", "-o", "out.mp4")
        #expect(movie.errorText.contains(force) && !movie.errorText.contains(loss))
        let kept = try vcap("convert", "in.mkv", "-o", "out.mkv")
        #expect(!kept.errorText.contains("not carried over"), "\(kept.errorText)")
        #expect(try flags("out.mkv")[2] == Flags(isDefault: true, isForced: true))
    }
}
