import Foundation
import TestSupport
import Testing

/// The guide's pictures of titles, one for each theme. Made anew with VCAP_UPDATE_GOLDEN=1.
@Suite(
    "The guide's pictures of titles",
    .enabled(if: MovieOracle.isAvailable, "ffmpeg reads the pictures"))
struct TitleGalleryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// In the guide's order.
    private static let titles = [
        ("opener", "Autumn in the Hills\nA walk in four seasons"),
        ("chapter", "Chapter 2\nThe river"),
        ("quote", "Nobody steps into the same river twice.\nHeraclitus"),
        ("lower-third", "Anna Sommer\nHead of research"),
        ("lower-third-line", "Anna Sommer\nHead of research"),
        ("lower-third-block", "Anna Sommer\nHead of research"),
        ("lower-third-card", "Anna Sommer\nHead of research"),
        ("place", "Lake Constance\n14 June 2026"),
        ("karaoke", "Row, row, row your boat"),
        ("typewriter", "It was a bright cold day"),
        ("frame", "Summer at the lake"),
        ("countdown", "We begin soon"),
        ("credits", "A film about rivers\n\nCamera\nAnna Sommer\n\nSound\nCarl Herbst"),
        ("end", "Thank you\nexample.org"),
        ("slide", "A plain title"),
    ]

    private func gray(_ path: String) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        return Array(result.output)
    }

    @Test("are what the program makes today", arguments: ["studio", "paper", "signal"])
    func picture(_ theme: String) throws {
        let length = 6
        let titles = try Self.titles.enumerated().map { index, title in
            let text = String(decoding: try JSONEncoder().encode(title.1), as: UTF8.self)
            return
                "{ text: \(text), style: \"\(title.0)\", at: \(index * length), duration: \(length) }"
        }
        let project = """
            { size: "640x360", fps: 25, theme: "\(theme)",
              videos: [{ generator: "gradient:#3f6d8e:#d8c49a:30",
                         end: \(length * titles.count) }],
              titles: [\(titles.joined(separator: ",\n"))] }
            """
        try project.write(
            toFile: folder.file("titles.vcap.json5"), atomically: true, encoding: .utf8)
        let result = try Program.vcap.run(
            [
                "thumbs", "titles.vcap.json5", "-n", "\(titles.count)", "-s", "320x180", "-o",
                "titles.vtt",
            ], in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        let made = folder.file("titles-001.jpg")
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/titles-\(theme).jpg").standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(atPath: made, toPath: known.path)
        }
        let pictures = [try gray(made), try gray(known.path)]
        try #require(pictures[0].count == pictures[1].count)
        let off = zip(pictures[0], pictures[1]).filter { abs(Int($0) - Int($1)) > 40 }.count
        #expect(off < pictures[0].count / 200, "\(off) of \(pictures[0].count)")
    }
}
