import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite struct SequenceProjectTests {
    private func read(_ clip: String) throws(MediaError) -> Timeline {
        try ProjectFile.timeline(Array("{ videos: [\(clip)] }".utf8), name: "f") { path, _ in path }
    }

    private func refusal(_ clip: String) -> String {
        do throws(MediaError) { _ = try read(clip) } catch { return error.message }
        return ""
    }

    @Test func aClipWithPicturesASecondIsASequence() throws {
        let plain = try read(
            "{ file: \"shots/a%04d.png\", fps: 24, start: 1, end: 2, reverse: true }")
        var item = VideoItem("shots/a%04d.png", as: ImageSequence(rate: FrameRate(24)))
        (item.start, item.end, item.isReversed) = (.seconds(1), .seconds(2), true)
        #expect(plain.videos == [item])
        #expect(plain.mediaPaths == [item.mediaPath])
        // the order of the keys is none of its meaning
        let full = try read(
            """
            { gaps: "hold", step: 2, last: 1100, first: 1001, fps: "24000/1001", file: "a%d.jpg" }
            """)
        let sequence = ImageSequence(
            rate: FrameRate(24_000, per: 1001), first: 1001, last: 1100, step: 2, gaps: .hold)
        #expect(full.videos == [VideoItem("a%d.jpg", as: sequence)])
        // without it is a file of that name
        #expect(try read("\"a%04d.png\"").videos == [VideoItem("a%04d.png")])
        for timeline in [plain, full] {
            let text = try ProjectFile.text(of: timeline, in: "/x")
            let back = try ProjectFile.timeline(Array(text.utf8), name: "f") { path, _ in path }
            #expect(back == timeline)
        }
        let over = try ProjectFile.timeline(
            Array(
                "{ videos: [\"a.mp4\"], overlays: [{ file: \"b%d.png\", fps: 12, gaps: \"black\" }] }"
                    .utf8), name: "f"
        ) { path, _ in path }
        #expect(
            over.overlays[0].videos[0].sequence == ImageSequence(rate: FrameRate(12), gaps: .black))
    }

    @Test func whatIsNoSequenceIsRefusedWhereItStands() {
        #expect(
            refusal("{ file: \"a.png\", fps: 24 }").contains("needs one place for a number"))
        for key in ["first: 1", "last: 1", "step: 1", "gaps: \"hold\""] {
            let name = key.prefix { $0 != ":" }
            #expect(
                refusal("{ file: \"a%d.png\", \(key) }")
                    == "f:1:31: a clip has \"\(name)\" beside \"fps\" only", "\(key)")
        }
        #expect(refusal("{ generator: \"bars\", fps: 24 }").contains("leave fps out"))
        #expect(refusal("{ file: \"a%d.png\", fps: 24, first: -1 }").contains("\"first\" must be"))
        #expect(refusal("{ file: \"a%d.png\", fps: 24, gaps: \"x\" }").contains("\"gaps\" must be"))
    }

    @Test func aPictureThatIsALinkOutOfTheProjectIsRefused() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let (project, outside) = (folder.path + "/project", folder.path + "/outside")
        for path in [project, outside] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for name in [project + "/a1.png", project + "/a3.png", outside + "/secret.png"] {
            #expect(files.createFile(atPath: name, contents: Data()))
        }
        let path = project + "/f.vcap.json5"
        let text = "{\n  videos: [\n    { file: \"a%d.png\", fps: 24 }] }"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let clip = try ProjectFile.read(path).videos[0]
        #expect(clip.path == (MediaRoots.canonical(project) ?? "") + "/a%d.png")
        try files.createSymbolicLink(
            atPath: project + "/a2.png", withDestinationPath: "../outside/secret.png")
        let error = #expect(throws: MediaError.self) { try ProjectFile.read(path) }
        #expect(error?.message.contains(":3:5: ") ?? false)
        #expect(error?.message.contains("is a link out of the project's folder") ?? false)
        #expect(try ProjectFile.read(path, allowing: [outside]).videos.count == 1)
        // a folder that is a link is none of the project's either
        try files.removeItem(atPath: project + "/a2.png")
        try files.createSymbolicLink(atPath: project + "/in", withDestinationPath: "../outside")
        #expect(files.createFile(atPath: outside + "/b1.png", contents: Data()))
        try Data(text.replacing("a%d", with: "in/b%d").utf8)
            .write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) { try ProjectFile.read(path) }
    }
}
