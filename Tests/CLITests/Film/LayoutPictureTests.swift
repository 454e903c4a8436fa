import Foundation
import TestSupport
import Testing

/// The picture of the guide: a camera over slides, and three cameras in a grid. Made anew with VCAP_UPDATE_GOLDEN=1.
@Suite(
    "The guide's picture of layouts",
    .enabled(if: MovieOracle.isAvailable, "ffmpeg reads the pictures"))
struct LayoutPictureTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func vcap(_ words: String...) throws {
        let result = try Program.vcap.run(words, in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
    }

    private func gray(_ path: String) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        return Array(result.output)
    }

    @Test("is what the program makes today")
    func picture() throws {
        let project = """
            { size: "960x540", fps: 25, background: "#f4f1ea",
              titles: [{ text: "Kepler's first law\\n\\nPlanets move on ellipses",
                         style: "plain", color: "#1d2a3a", duration: 1 }] }
            """
        try project.write(
            toFile: folder.file("slide.vcap.json5"), atomically: true, encoding: .utf8)
        try vcap("export", "slide.vcap.json5", "--codec", "ffv1", "-o", "slide.mkv")
        let cameras = ["test:1", "test:2", "test:3"].flatMap { ["-c", $0 + ",size=640x360"] }
        let take = try Program.vcap.run(
            ["record"] + cameras + ["-a", "none", "-t", "1s", "--keys", "none", "-o", "take.mkv"],
            in: folder.path)
        #expect(take.status == 0, "\(take.errorText)")
        try vcap(
            "compose", "slide.mkv", "--overlay",
            "take.mkv,track=1,width=0.3,corner-radius=0.12,border=white/0.008,shadow", "--still",
            "0.5s",
            "-o", "slides.png")
        try vcap(
            "compose", "take.mkv", "--layout", "grid", "-s", "960x540", "--still", "0.5s", "-o",
            "grid.png")
        let made = folder.file("layouts.jpg")
        let joined = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("slides.png"), "-i", folder.file("grid.png"),
            "-filter_complex", "[0]scale=600:-1[a];[1]scale=600:-1[b];[a][b]hstack", "-q:v", "3",
            made,
        ])
        #expect(joined.status == 0, "\(joined.errorText)")
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/layouts.jpg").standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(atPath: made, toPath: known.path)
        }
        let pictures = [try gray(made), try gray(known.path)]
        try #require(pictures[0].count == pictures[1].count)
        // test cameras begin at any frame, and what moves in them is a quarter of the picture
        let off = zip(pictures[0], pictures[1]).filter { abs(Int($0) - Int($1)) > 40 }.count
        #expect(off < pictures[0].count / 3, "\(off) of \(pictures[0].count)")
    }
}
