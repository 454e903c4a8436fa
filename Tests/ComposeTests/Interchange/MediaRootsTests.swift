import FoundationEssentials
import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct MediaRootsTests {
    private func refusal(_ roots: MediaRoots, _ path: String) -> String {
        do throws(JSONFailure) { return try roots.resolve(path, .start) } catch {
            return error.message
        }
    }

    @Test func pathsStayInTheProjectsFolderLinksFollowed() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let project = folder.path + "/project"
        let outside = folder.path + "/outside"
        try files.createDirectory(atPath: project + "/clips", withIntermediateDirectories: true)
        try files.createDirectory(atPath: outside, withIntermediateDirectories: true)
        for path in [project + "/a.mp4", project + "/clips/b.mp4", outside + "/c.mp4"] {
            #expect(files.createFile(atPath: path, contents: Data()))
        }
        try files.createSymbolicLink(
            atPath: project + "/leak.mp4", withDestinationPath: outside + "/c.mp4")
        try files.createSymbolicLink(atPath: project + "/link", withDestinationPath: outside)
        try files.createSymbolicLink(
            atPath: project + "/inner.mp4", withDestinationPath: "clips/b.mp4")
        let roots = try MediaRoots(project: project, allowing: [])
        let real = try #require(MediaRoots.canonical(project))
        #expect(refusal(roots, "a.mp4") == real + "/a.mp4")
        #expect(refusal(roots, "./clips/../clips//b.mp4") == real + "/clips/b.mp4")
        #expect(refusal(roots, "inner.mp4") == real + "/clips/b.mp4")
        #expect(refusal(roots, "missing.mp4") == real + "/missing.mp4")
        let out = "leads out of the project's folder; put the file there or allow its folder"
        let link = "is a link out of the project's folder; put the file there or allow its folder"
        #expect(refusal(roots, "../outside/c.mp4") == "the path \"../outside/c.mp4\" \(out)")
        #expect(refusal(roots, "clips/../../outside/c.mp4").hasSuffix(out))
        #expect(refusal(roots, outside + "/c.mp4").hasSuffix(out))
        #expect(refusal(roots, "/etc/passwd").hasSuffix(out))
        #expect(refusal(roots, project + "-other/x").hasSuffix(out))
        #expect(refusal(roots, "leak.mp4").hasSuffix(link))
        #expect(refusal(roots, "link/c.mp4").hasSuffix(link))
        #expect(refusal(roots, "a\n.mp4").hasSuffix("holds a control character"))
        #expect(refusal(roots, String(repeating: "x", count: 5000)).hasSuffix("4095 bytes"))
        // the control: with the folder allowed, the same paths are taken
        let open = try MediaRoots(project: project, allowing: [outside])
        let there = try #require(MediaRoots.canonical(outside)) + "/c.mp4"
        for path in ["leak.mp4", "link/c.mp4", outside + "/c.mp4", "../outside/c.mp4"] {
            #expect(refusal(open, path) == there)
        }
    }

    @Test func aProjectInAFolderNamesFilesBesideIt() throws {
        let folder = try TemporaryFolder()
        let text = try ProjectFile.text(
            of: Timeline(videos: [VideoItem(folder.path + "/a b.mp4")]), in: folder.path)
        #expect(text.contains("file: \"a b.mp4\""))
        let path = folder.path + "/film.vcap.json5"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let real = try #require(MediaRoots.canonical(folder.path))
        #expect(try ProjectFile.read(path).videos.map(\.path) == [real + "/a b.mp4"])
    }
}
