import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Sources that change while a film is made")
struct ReplacedSourceTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("a.mp4")
        try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: path))
    }

    private func shelf() -> SourceShelf { SourceShelf([SampleAsset.clip(path)]) }

    @Test("another file of the name is refused, by its name")
    func replaced() throws {
        let shelf = shelf()
        _ = try shelf.track(MediaSource(path: path, trackID: 1))
        let other = folder.file("other.mp4")
        try Data(repeating: 2, count: 120).write(to: URL(fileURLWithPath: other))
        #expect(rename(other, path) == 0)
        let error = #expect(throws: MediaError.self) {
            try shelf.track(MediaSource(path: path, trackID: 1))
        }
        #expect(error?.code == .damagedFile)
        #expect(error?.message.contains("was changed while the film was made") ?? false)
    }

    @Test("a file that is written over in its place is refused, and one that is cut off")
    func rewritten() throws {
        for size in [100, 60] {
            let shelf = shelf()
            _ = try shelf.track(MediaSource(path: path, trackID: 1))
            // stamps of file systems may be no finer than a tick of the kernel's
            Thread.sleep(forTimeInterval: 0.02)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: Data(repeating: 4, count: 50))
            try file.truncate(atOffset: UInt64(size))
            try file.close()
            let error = #expect(throws: MediaError.self) {
                try shelf.track(MediaSource(path: path, trackID: 1))
            }
            #expect(error?.code == .damagedFile, "\(size)")
        }
    }

    @Test("what cannot be read of a file that was written to meanwhile says so")
    func explained() throws {
        let failure = MediaError(code: .damagedFile, subject: path, message: "Cannot decode.")
        let shelf = shelf()
        #expect(shelf.explained(failure).message == "Cannot decode.")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 1, count: 1000))
        try handle.close()
        #expect(shelf.explained(failure).message.contains("was changed while the film was made"))
    }

    @Test("a file that grows, or one that is gone, is no other")
    func same() throws {
        let shelf = shelf()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 3, count: 50))
        try file.close()
        #expect(try shelf.track(MediaSource(path: path, trackID: 1)).1.id == 1)
        // reading it will say that it is gone
        try FileManager.default.removeItem(atPath: path)
        #expect(try shelf.track(MediaSource(path: path, trackID: 1)).1.id == 1)
    }
}
