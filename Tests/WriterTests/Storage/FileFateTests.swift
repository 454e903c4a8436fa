import Foundation
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("A file that others meddle with while it is written")
struct FileFateTests {
    private let folder: TemporaryFolder
    private let path: String
    private let file: GrowingFile
    private let content: DurableFile

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("takes"), withIntermediateDirectories: false)
        path = folder.file("takes/a.mp4")
        let (file, io) = try GrowingFile.create(path, replaces: false)
        content = DurableFile(io: io, name: path, policy: .every(.seconds(1_000_000)))
        content.guardContent()
        file.fill(content)
        self.file = file
        try content.append([UInt8](repeating: 7, count: 10_000))
    }

    private func move(_ from: String, _ to: String) throws {
        #expect(rename(folder.file(from), folder.file(to)) == 0)
    }

    private var saved: [UInt8]? {
        FileManager.default.contents(atPath: folder.file("takes/a.saved.mp4")).map(Array.init)
    }

    @Test("left alone it is intact, however it grows")
    func intact() throws {
        #expect(file.look() == .intact)
        try content.append([1, 2, 3])
        #expect(file.look() == .intact)
        content.close()
        #expect(file.look() == .intact)
        #expect(try file.rescue(withRoomFor: ".vcap.json") == path)
    }

    @Test("deleted, it is reported, and what it held is saved under a name of its own")
    func deleted() throws {
        unlink(path)
        #expect(file.look() == .deleted)
        content.close()
        #expect(try file.rescue(withRoomFor: ".vcap.json") == folder.file("takes/a.saved.mp4"))
        #expect(saved == [UInt8](repeating: 7, count: 10_000))
    }

    @Test(
        "another file in its place is reported, and keeps the name; a saved one is not written over"
    )
    func replaced() throws {
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder.file("other")))
        try Data("earlier".utf8).write(
            to: URL(fileURLWithPath: folder.file("takes/a.saved.mp4")))
        try move("other", "takes/a.mp4")
        #expect(file.look() == .replaced)
        content.close()
        #expect(try file.rescue(withRoomFor: ".vcap.json") == folder.file("takes/a.saved-2.mp4"))
        #expect(FileManager.default.contents(atPath: path) == Data("other".utf8))
        #expect(saved == Array("earlier".utf8))
    }

    @Test("moved, its new place is reported, and nothing is copied")
    func moved() throws {
        try move("takes/a.mp4", "b.mp4")
        #expect(file.look() == .moved(to: folder.file("b.mp4")))
        content.close()
        #expect(try file.rescue(withRoomFor: ".vcap.json") == folder.file("b.mp4"))
        #expect(folder.contents == ["b.mp4", "takes"])
    }

    @Test("with its folder moved, it is found there")
    func folderMoved() throws {
        try move("takes", "films")
        #expect(file.look() == .moved(to: folder.file("films/a.mp4")))
    }

    @Test("with its folder deleted, it is saved in the nearest that is there")
    func folderDeleted() throws {
        try FileManager.default.removeItem(atPath: folder.file("takes"))
        #expect(file.look() == .folderDeleted)
        content.close()
        #expect(try file.rescue(withRoomFor: ".vcap.json") == folder.file("a.saved.mp4"))
    }

    @Test("cut, it is reported though writing continues; what is in memory is written again")
    func truncated() throws {
        #expect(truncate(path, 100) == 0)
        try content.append([UInt8](repeating: 8, count: 10))
        #expect(file.look() == .truncated(to: 100))
        file.restore(isOverwritten: false)
        content.close()
        let bytes = try FileBytes.read(path)
        #expect(bytes == [UInt8](repeating: 7, count: 10_000) + [UInt8](repeating: 8, count: 10))
        #expect(file.look() == .truncated(to: 100))
    }

    @Test(
        "overwritten in place, it is seen though inode and length are the same; the beginning is written again"
    )
    func overwritten() throws {
        try content.overwrite([1, 2, 3, 4], at: 8)
        #expect(file.look() == .intact, "what the writer itself renews is no damage")
        let other = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try other.write(contentsOf: Data(repeating: 0x5A, count: 500))
        try other.close()
        #expect(file.look() == .overwritten)
        file.restore(isOverwritten: true)
        #expect(file.look() == .intact)
        content.close()
        var expected = [UInt8](repeating: 7, count: 10_000)
        expected.replaceSubrange(8..<12, with: [1, 2, 3, 4])
        #expect(try FileBytes.read(path) == expected)
    }

    @Test("the control: without the guard a cut that was written over is not seen")
    func unguarded() throws {
        let other = folder.file("b.mp4")
        let (file, io) = try GrowingFile.create(other, replaces: false)
        let content = DurableFile(io: io, name: other, policy: .every(.seconds(1_000_000)))
        file.fill(content)
        try content.append([UInt8](repeating: 7, count: 10_000))
        #expect(truncate(other, 100) == 0)
        #expect(file.look() == .truncated(to: 100))
        try content.append([1])
        #expect(file.look() == .intact)
        content.close()
    }
}
