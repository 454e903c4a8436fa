import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Media of other machines, found by name and length")
struct MediaFinderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ path: String, seconds: Int) async throws {
        let full = folder.file(path)
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: full).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        _ = try await AudioClip(frames: 48_000 * seconds) { _, _ in 0.1 }.write(to: full)
    }

    /// As another program writes it: of media where they were, in frames of 25 a second.
    private func write(_ url: String, lasting frames: Int?) throws -> String {
        func time(_ frames: Int) -> String {
            "{ \"OTIO_SCHEMA\": \"RationalTime.1\", \"rate\": 25.0, \"value\": \(frames).0 }"
        }
        func range(_ frames: Int) -> String {
            "{ \"OTIO_SCHEMA\": \"TimeRange.1\", \"start_time\": \(time(0)), \"duration\": \(time(frames)) }"
        }
        let text = """
            { "OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": { "OTIO_SCHEMA": "Stack.1",
              "children": [{ "OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [{
                "OTIO_SCHEMA": "Clip.1", "name": "one", "source_range": \(range(20)),
                "media_reference": { "OTIO_SCHEMA": "ExternalReference.1", "target_url": "\(url)",
                  "available_range": \(frames.map(range) ?? "null") } }] }] } }
            """
        let path = folder.file("edit/t.otio")
        try FileManager.default.createDirectory(
            atPath: folder.file("edit"), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func canonical(_ path: String) throws -> String {
        try #require(MediaRoots.canonical(folder.file(path)))
    }

    @Test("a file that is elsewhere is taken by its name, and that is reported")
    func byName() async throws {
        try await make("media/a/deep/talk.mp4", seconds: 1)
        for url in ["file:///Volumes/Disk/talk.mp4", "../gone/talk.mp4", "C:%5CTakes%5Ctalk.mp4"] {
            let path = try write(url, lasting: 25)
            let read = try OpenTimelineFile.read(path, allowing: [folder.file("media")])
            #expect(read.timeline.videos.map(\.path) == [try canonical("media/a/deep/talk.mp4")])
            #expect(
                read.notCarried.contains { $0.contains("talk.mp4") && $0.contains("its name") },
                "\(read.notCarried)")
        }
    }

    @Test(
        "of several of one name the one of the stated length is taken; without one they are listed")
    func byLength() async throws {
        try await make("media/monday/talk.mp4", seconds: 1)
        try await make("media/tuesday/talk.mp4", seconds: 2)
        let roots = [folder.file("media")]
        let two = try OpenTimelineFile.read(
            try write("file:///x/talk.mp4", lasting: 50), allowing: roots)
        #expect(two.timeline.videos.map(\.path) == [try canonical("media/tuesday/talk.mp4")])
        for length in [nil, 90] {
            let path = try write("file:///x/talk.mp4", lasting: length)
            let error = #expect(throws: MediaError.self) {
                try OpenTimelineFile.read(path, allowing: roots)
            }
            #expect(error?.message.contains("monday/talk.mp4") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("tuesday/talk.mp4") == true)
        }
    }

    @Test("what lies beside or below the project is found without a word")
    func besideTheProject() async throws {
        try await make("edit/media/talk.mp4", seconds: 1)
        let path = try write("file:///Volumes/Disk/talk.mp4", lasting: 25)
        let read = try OpenTimelineFile.read(path)
        #expect(read.timeline.videos.map(\.path) == [try canonical("edit/media/talk.mp4")])
        #expect(read.notCarried.contains { $0.contains("its name") })
    }

    @Test("a file that is where it is named is taken, whatever else has its name")
    func inPlace() async throws {
        try await make("edit/talk.mp4", seconds: 1)
        try await make("media/talk.mp4", seconds: 1)
        let read = try OpenTimelineFile.read(
            try write("talk.mp4", lasting: 25), allowing: [folder.file("media")])
        #expect(read.timeline.videos.map(\.path) == [try canonical("edit/talk.mp4")])
        #expect(!read.notCarried.contains { $0.contains("its name") })
    }

    @Test("nothing is looked for elsewhere, and no link is followed")
    func refused() async throws {
        try await make("secret/talk.mp4", seconds: 1)
        try FileManager.default.createDirectory(
            atPath: folder.file("media"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("media/talk.mp4"),
            withDestinationPath: folder.file("secret/talk.mp4"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("media/more"), withDestinationPath: folder.file("secret"))
        let path = try write("file:///x/talk.mp4", lasting: 25)
        for roots in [[], [folder.file("media")]] {
            let error = #expect(throws: MediaError.self) {
                try OpenTimelineFile.read(path, allowing: roots)
            }
            #expect(error?.message.contains("leads out") == true, "\(error?.message ?? "")")
        }
    }
}
