import Foundation
import TestSupport
import Testing

@testable import vcap

/// What HDR10+ and Dolby Vision state of each scene is named where it is left out.
@Suite("HDR10+ and Dolby Vision", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct DynamicLightTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func tool(_ name: String, _ words: [String]) throws -> String {
        let tool = try #require(Program.tool(name))
        let result = try tool.run(["-v", "error"] + words, in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
        return result.outputText
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
        return result.outputText
    }

    /// A unit with one message: ITU-T T.35 of the United States and Samsung, application 4 (SMPTE ST 2094-40), version
    /// 1, one window of 400 cd/m², the brightest of each colour 0.6, 0.5 and 0.4, on average 0.2, a tenth of the pixels
    /// bright. Nothing of it needs emulation prevention.
    private static let unit: [UInt8] =
        [0, 0, 0, 1, 0x4E, 0x01, 4, 22, 0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01, 0x40, 0x00, 0x0C]
        + [0x81, 0xD4, 0xC0, 0xC3, 0x50, 0x4E, 0x20, 0x13, 0x88, 0x00, 0x64, 0x00, 0x80]

    /// 10 frames of PQ in one slice each, as `NAME.mp4`, `NAME.mkv` and `NAME.ts`.
    private func make(_ name: String, isDynamic: Bool) throws {
        let colors =
            "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=none:bframes=0"
        _ = try tool(
            "ffmpeg",
            [
                "-f", "lavfi", "-i", "testsrc2=s=128x64:r=25:d=0.4", "-pix_fmt", "yuv420p10le",
                "-c:v", "libx265", "-x265-params", colors, "-f", "hevc", "-y", "plain.hevc",
            ])
        let stream = [UInt8](try Data(contentsOf: URL(filePath: folder.file("plain.hevc"))))
        var marked: [UInt8] = []
        for place in stream.indices {
            // before each slice
            if isDynamic, stream[place...].prefix(3).elementsEqual([0, 0, 1]),
                place + 3 < stream.count,
                stream[place + 3] >> 1 & 63 < 32
            {
                marked += Self.unit
            }
            marked.append(stream[place])
        }
        try Data(marked).write(to: URL(filePath: folder.file("marked.hevc")))
        _ = try tool(
            "ffmpeg", ["-i", "marked.hevc", "-c", "copy", "-tag:v", "hvc1", "\(name).mp4"])
        for ending in ["mkv", "ts"] {
            _ = try tool("ffmpeg", ["-i", "\(name).mp4", "-c", "copy", "\(name).\(ending)"])
        }
    }

    /// Frames of which ffprobe says that they have it (count).
    private func marked(_ name: String) throws -> Int {
        try tool("ffprobe", ["-show_frames", name]).split(separator: "\n")
            .count { $0.contains("side_data_type=HDR Dynamic Metadata SMPTE2094-40") }
    }

    @Test("HDR10+ is listed, kept by copies, and named where frames are coded anew")
    func hdr10Plus() throws {
        try make("a", isDynamic: true)
        try make("plain", isDynamic: false)
        for ending in ["mp4", "mkv", "ts"] {
            let clip = "a.\(ending)"
            try #require(try marked(clip) == 10)
            #expect(try run(["probe", clip]).contains("PQ (HDR), HDR10+"), "\(clip)")
            #expect(try run(["probe", "--json", clip]).contains(#""hdr10_plus": true"#), "\(clip)")
            let film = try run(["compose", clip, "--plan", "--json", "-o", "b.mp4"])
            #expect(film.contains("its HDR10+ metadata is left out"), "\(clip): \(film)")
            let plan = try run([
                "convert", clip, "--codec", "hevc", "--fps", "50", "--plan", "--json", "-o",
                "b.mp4",
            ])
            #expect(plan.contains("The HDR10+ metadata of track 1 is not carried over"), "\(plan)")
            for verb in ["compose", "convert"] {
                let copied = try run([
                    verb, clip, "--codec", "copy", "--plan", "--json", "-o", "c.mp4",
                ])
                #expect(!copied.contains("HDR10+"), "\(verb) \(clip): \(copied)")
                try run([verb, clip, "--codec", "copy", "-o", "\(verb)-\(ending).mp4"])
                #expect(try marked("\(verb)-\(ending).mp4") == 10, "\(verb) \(clip)")
            }
            #expect(!(try run(["probe", "plain.\(ending)"])).contains("HDR10+"))
        }
        try run(["convert", "a.mp4", "--codec", "hevc", "--fps", "50", "-o", "b.mp4"])
        #expect(try marked("b.mp4") == 0)
        for verb in ["compose", "convert"] {
            let plan = try run([
                verb, "plain.mp4", "--fps", "50", "--plan", "--json", "-o", "d.mp4",
            ])
            #expect(!plan.contains("HDR10+"), "\(plan)")
        }
    }

    @Test("a profile of Dolby Vision is listed, and named by films that code frames anew alone")
    func dolbyVision() throws {
        _ = try tool(
            "ffmpeg",
            ["-f", "lavfi", "-i", "testsrc2=s=128x64:r=25:d=0.4", "-c:v", "libx264", "a.mp4"])
        let path = URL(filePath: folder.file("a.mp4"))
        var bytes = [UInt8](try Data(contentsOf: path))
        let at = try #require(
            bytes.indices.first { bytes[$0...].prefix(4).elementsEqual("btrt".utf8) })
        bytes.replaceSubrange(at..<(at + 7), with: Array("dvvC".utf8) + [1, 0, 9 << 1])
        try Data(bytes).write(to: path)
        #expect(try run(["probe", "a.mp4"]).contains(", Dolby Vision profile 9"))
        #expect(try run(["probe", "--json", "a.mp4"]).contains(#""dolby_vision_profile": 9"#))
        let words = "its Dolby Vision configuration is left out"
        #expect(try run(["compose", "a.mp4", "--plan", "--json", "-o", "b.mp4"]).contains(words))
        let copied = try run([
            "compose", "a.mp4", "--codec", "copy", "--plan", "--json", "-o", "b.mp4",
        ])
        #expect(!copied.contains(words), "\(copied)")
    }
}
