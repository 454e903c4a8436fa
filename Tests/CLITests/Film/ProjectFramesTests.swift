import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("A project's film in other frames", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ProjectFramesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        let project = """
            { size: "320x180", fps: 30, videos: [{ generator: "color:#ff0000", end: 1 }] }
            """
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
    }

    private func frames(
        _ options: [String], _ environment: [String: String] = [:]
    ) throws -> String {
        var variables = environment
        variables["HOME"] = folder.path
        let words = ["export", "f.vcap.json5", "-o", "f.mp4", "-y"]
        let made = try Program.vcap.run(
            words + options, environment: variables, in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
        let probe = try #require(Program.tool("ffprobe"))
        return try probe.run([
            "-v", "error", "-select_streams", "v:0", "-count_packets", "-show_entries",
            "stream=width,height,r_frame_rate,nb_read_packets", "-of", "csv=p=0",
            folder.file("f.mp4"),
        ]).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("size and rate of the command line take the project's place, those of variables do not")
    func replaced() throws {
        #expect(try frames([]) == "320,180,30/1,30")
        #expect(try frames(["-s", "180x320", "-r", "25"]) == "180,320,25/1,25")
        #expect(try frames([], ["VCAP_SIZE": "640x360", "VCAP_FPS": "10"]) == "320,180,30/1,30")
    }

    @Test("a fit that covers leaves no background, the project's does", arguments: [nil, "cover"])
    func fit(_ fit: String?) throws {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (320, 180, 10, nil)
        try clip.write(to: folder.file("a.mp4"))
        let project = "{ background: \"#ffffff\", videos: [{ file: \"a.mp4\" }] }"
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
        let options = fit.map { ["--fit", $0] } ?? []
        #expect(try frames(options + ["-s", "180x320"]).hasPrefix("180,320"))
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let top = try ffmpeg.run([
            "-v", "error", "-i", folder.file("f.mp4"), "-frames:v", "1", "-vf", "crop=180:40:0:0",
            "-pix_fmt", "gray", "-f", "rawvideo", "-",
        ]).output
        #expect(top.count == 180 * 40)
        let isWhite = top.allSatisfy { $0 > 225 }
        #expect(isWhite == (fit == nil))
    }
}
