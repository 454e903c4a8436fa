import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Clips of which not everything can be read: nothing of them vanishes without a word.
@Suite(
    "Clips that cannot be read whole", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct UnreadClipTests {
    private let folder: TemporaryFolder
    private static let known = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try make("ok.mp4", Self.known)
    }

    private func make(_ name: String, _ options: [String], sound: Bool = true) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let tone = sound ? ["-f", "lavfi", "-i", "sine=f=440:r=48000"] : []
        let result = try tool.run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25"] + tone + ["-t", "1"]
                + options + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test(
        "frames of an unknown codec are refused in one sentence with codec and file",
        arguments: [
            ("x.ogv", "libtheora", "libvorbis", "theora"), ("x.mov", "qtrle", "aac", "rle"),
        ])
    func refused(_ name: String, _ video: String, _ audio: String, _ codec: String) throws {
        try make(name, ["-c:v", video, "-c:a", audio])
        let before = folder.contents
        let films = [["ok.mp4", name, "ok.mp4"], [name]]
        for more in [
            ["-o", "f.mp4"], ["--plan"], ["--plan", "--json"], ["--still", "0.5s", "-o", "f.png"],
        ] {
            for clips in films {
                let result = try Program.vcap.run(
                    ["compose"] + clips + more, environment: ["HOME": folder.path], in: folder.path)
                #expect(result.status == ExitCode.badData.rawValue, "\(clips) \(more)")
                let lines = result.errorText.split(separator: "\n").filter {
                    $0.contains("error: ")
                }
                #expect(lines.count == 1, "\(result.errorText)")
                #expect(result.errorText.contains("\"\(codec)") && result.errorText.contains(name))
            }
        }
        #expect(folder.contents == before)
        // its audio can be had, if audio is what is asked for
        let sound = try run("compose", name, "--preset", "audio", "-o", "f.m4a")
        #expect(sound.status == 0, "\(sound.errorText)")
        #expect(abs(try MovieOracle(folder.file("f.m4a")).duration() - 1) < 0.1)
    }

    @Test("video alone of an unknown codec are refused with the codec's name")
    func picturesAlone() throws {
        try make("x.mov", ["-c:v", "qtrle"], sound: false)
        let result = try run("compose", "x.mov", "-o", "f.mp4")
        #expect(result.status == ExitCode.badData.rawValue)
        #expect(result.errorText.contains("rle") && result.errorText.contains("x.mov"))
    }

    @Test("a track of an unknown codec beside others is reported, in the plan and the report")
    func severalTracks() throws {
        try make(
            "two.mkv",
            [
                "-map", "0:v", "-map", "0:v", "-map", "1:a", "-c:v:0", "libx264", "-pix_fmt",
                "yuv420p",
            ]
                + ["-c:v:1", "libtheora", "-c:a", "aac"])
        for more in [["--plan", "--json"], ["--json", "-o", "f.mp4"]] {
            let result = try Program.vcap.run(
                ["compose", "two.mkv"] + more, environment: ["HOME": folder.path], in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.outputText.contains("codec \\\"theora\\\" is none that vcap knows"))
            #expect(result.errorText.contains("clip 1 (two.mkv): the video of track"))
        }
    }

    @Test("audio by nature is a clip as before")
    func sound() throws {
        try make("tone.m4a", ["-map", "1:a", "-c:a", "aac"])
        let result = try run("compose", "ok.mp4", "tone.m4a", "-o", "f.mp4")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("left out"), "\(result.errorText)")
    }
}
