import Foundation
import TestSupport
import Testing

@testable import vcap

private let ffmpeg = Program.tool("ffmpeg")

@Suite(
    "vcap convert --filter of more than one video track, depth and cover art",
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
struct FilteredConvertTests {
    private let folder: TemporaryFolder
    /// A filter that needs no library.
    private let filter = ["--filter", "matte=motion", "--behind", "white"]

    init() throws {
        folder = try TemporaryFolder()
        try make(
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-pix_fmt", "yuv420p",
            "c.mp4")
    }

    private func tool(_ words: [String]) throws -> Program.Result {
        try #require(ffmpeg).run(["-v", "error"] + words, in: folder.path)
    }

    private func make(_ words: String...) throws {
        let made = try tool(words)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.file(name))
    }

    @Test("a filter remembers the frames of one video track: a movie with two is refused")
    func tracks() throws {
        try make("-i", "c.mp4", "-map", "0:v", "-map", "0:v", "-c", "copy", "two.mp4")
        let made = try vcap(["convert", "two.mp4", "-o", "x.mp4"] + filter)
        #expect(made.status != 0 && made.errorText.contains("one video track"), "\(made.errorText)")
        #expect(!exists("x.mp4"))
        // control: without the filter, and with one track
        #expect(try vcap(["convert", "two.mp4", "-o", "y.mp4"]).status == 0)
        #expect(try vcap(["convert", "c.mp4", "-o", "z.mp4"] + filter).status == 0)
    }

    @Test("cover art, which would show what is filtered, is left out and said to be")
    func cover() throws {
        try make("-f", "lavfi", "-i", "color=red:64x64", "-frames:v", "1", "cover.png")
        try make(
            "-i", "c.mp4", "-i", "cover.png", "-map", "0", "-map", "1", "-c", "copy",
            "-disposition:v:1", "attached_pic", "k.mp4")
        func hasCover(_ name: String) throws -> Bool {
            try tool(["-i", name, "-map", "0:v:1", "-f", "null", "-"]).status == 0
        }
        let made = try vcap(["convert", "k.mp4", "-o", "filtered.mp4"] + filter)
        #expect(made.status == 0 && made.errorText.contains("Cover art"), "\(made.errorText)")
        #expect(try !hasCover("filtered.mp4"))
        // control: without the filter it is carried over
        #expect(try vcap(["convert", "k.mp4", "-o", "plain.mp4"]).status == 0)
        #expect(try hasCover("plain.mp4"))
    }

    @Test("depth beside the frames is as it was, and depth alone is refused", .tags(.realTime))
    func depth() throws {
        let depthCamera = ["-c", "test:format=z16,size=64x48,fps=10"]
        let take = try vcap(
            ["record", "-c", "test:size=64x48,fps=10"] + depthCamera
                + ["-a", "none", "-t", "1s", "-o", "both.mkv"])
        #expect(take.status == 0, "\(take.errorText)")
        let made = try vcap(["convert", "both.mkv", "-o", "filtered.mkv"] + filter)
        #expect(made.status == 0 && made.errorText.contains("is not filtered"), "\(made.errorText)")
        func values(_ name: String) throws -> [UInt8] {
            let decoded = try tool([
                "-i", name, "-map", "0:v:1", "-fps_mode", "passthrough", "-f", "rawvideo",
                "-pix_fmt", "gray16le", "-",
            ])
            return Array(decoded.output)
        }
        let own = try values("both.mkv")
        #expect(own.count >= 64 * 48 * 2 * 9)
        #expect(try values("filtered.mkv") == own)
        let only = try vcap(
            ["record"] + depthCamera + ["-a", "none", "-t", "1s", "-o", "only.mkv"])
        #expect(only.status == 0, "\(only.errorText)")
        for output in ["x.mkv", "x%03d.png"] {
            let refused = try vcap(["convert", "only.mkv", "-o", output] + filter)
            #expect(
                refused.status != 0 && refused.errorText.contains("is depth"),
                "\(refused.errorText)")
        }
        #expect(!exists("x.mkv") && !exists("x001.png"))
    }

    @Test("what a filter makes of deep frames is said of picture files as well")
    func deep() throws {
        try make("-i", "c.mp4", "-c:v", "ffv1", "-pix_fmt", "yuv420p10le", "deep.mkv")
        for output in ["deep.mp4", "deep%03d.png"] {
            let made = try vcap(["convert", "deep.mkv", "-o", output] + filter)
            #expect(
                made.status == 0 && made.errorText.contains("filtered as yuv420p"),
                "\(made.errorText)")
        }
        #expect(exists("deep010.png"))
    }

    @Test("a filter of a movie of audio alone has nothing to act on, and that is said")
    func audio() throws {
        try make(
            "-i", "c.mp4", "-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1", "-c:v",
            "copy", "sound.mp4")
        let made = try vcap(["convert", "sound.mp4", "-o", "sound.m4a"] + filter)
        #expect(
            made.status == 0 && made.errorText.contains("--filter does nothing"),
            "\(made.errorText)")
    }
}
