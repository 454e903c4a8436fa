import Foundation
import Media
import Movie
import TestSupport
import Testing

@testable import Compose

@Suite("A file that is replaced by what it becomes a part of")
struct ReplacedOutputTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("a.jpg")
        try TemporaryOutput(path: path, overwrites: false).write(Array("photo".utf8))
    }

    private var content: Data? { FileManager.default.contents(atPath: path) }

    @Test("the writer's own file is replaced, and nothing is left beside it")
    func own() throws {
        let own = FileIdentity(named: path)
        try TemporaryOutput(path: path, replacing: own).write(Array("photo and movie".utf8))
        #expect(content == Data("photo and movie".utf8))
        #expect(folder.contents == ["a.jpg"])
    }

    @Test("a file that took its name stays, whether it came before or while the new one was made")
    func another() throws {
        let own = FileIdentity(named: path)
        let early = try TemporaryOutput(path: path, replacing: own)
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("b.jpg"))
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        for output in [early, try TemporaryOutput(path: path, replacing: own)] {
            let failure = #expect(throws: MediaError.self) { try output.write([1, 2, 3]) }
            #expect(failure?.code == .alreadyExists)
            #expect(content == Data("precious".utf8))
        }
        #expect(folder.contents == ["a.jpg", "b.jpg"])
    }

    @Test("one that is gone is made anew")
    func gone() throws {
        let own = FileIdentity(named: path)
        try FileManager.default.removeItem(atPath: path)
        try TemporaryOutput(path: path, replacing: own).write([1])
        #expect(content == Data([1]))
        // without a file of one's own, none may be there
        #expect(throws: MediaError.self) {
            try TemporaryOutput(path: path, replacing: nil).write([2])
        }
    }

    @Test("what another program puts into the file at once when it has its name stays as it is")
    func changedAtOnce() async throws {
        for number in 0..<40 {
            let path = folder.file("\(number).jpg")
            async let change: Void = Task.detached {
                while true {
                    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
                    guard descriptor >= 0 else { continue }
                    #expect(write(descriptor, "mine", 4) == 4)
                    close(descriptor)
                    return
                }
            }.value
            try TemporaryOutput(path: path, overwrites: false)
                .write([UInt8](repeating: 7, count: 100_000))
            await change
            #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        }
    }

    @Test("what hinders it is said of its own name, not of the one under which it grows")
    func unwritable() throws {
        let path = folder.file("gone/a.jpg")
        let failure = #expect(throws: MediaError.self) {
            try TemporaryOutput(path: path, overwrites: false).write([1])
        }
        #expect(failure?.subject == path && failure?.code == .noSuchFile)
        #expect(failure?.message.contains("vcap-new") == false, "\(failure?.message ?? "")")
    }
}
