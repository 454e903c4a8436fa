import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("Whose file a name is")
struct FileNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder.file(name)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a movie that is being written is replaced by nobody, and the sentence names the process")
    func locked() throws {
        let path = folder.file("a.mp4")
        let writing = try SystemFileIO(creating: path, existing: .refuse)
        try writing.writeAll(Array("take".utf8), at: 0)
        #expect { try DurableFile(creating: path, existing: .replace) } throws: {
            let error = $0 as? MediaError
            return error?.code == .inUse && error?.message.contains("process \(getpid())") == true
        }
        #expect { try GrowingFile.create(path, replaces: true) } throws: {
            ($0 as? IOFailure)?.errno == EWOULDBLOCK
        }
        #expect(throws: IOFailure.self) { try FileLock.requireFree(path) }
        #expect(text("a.mp4") == "take" && folder.contents == ["a.mp4"])
        // the control: once the lock is gone, all of them may
        writing.close()
        try FileLock.requireFree(path)
        try GrowingFile.create(path, replaces: true).io.close()
        try DurableFile(creating: path, existing: .replace).close()
        #expect(text("a.mp4") == "")
    }

    @Test("a lock that is kept outlives the open file")
    func kept() throws {
        let path = folder.file("a.mp4")
        let writing = try SystemFileIO(creating: path, existing: .refuse)
        var lock = writing.keepLock()
        writing.close()
        #expect(throws: IOFailure.self) { try FileLock.requireFree(path) }
        withExtendedLifetime(lock) {}
        lock = nil
        try FileLock.requireFree(path)
    }

    @Test("a lock is over with its last user, though a child that is being started has a copy")
    func forked() throws {
        let path = folder.file("a.mp4")
        let writing = try SystemFileIO(creating: path, existing: .refuse)
        // what a child has between fork and exec
        let copy = dup(try #require(Int32(writing.processPath.split(separator: "/").last ?? "")))
        defer { close(copy) }
        let second = try writing.duplicate()
        var lock = writing.keepLock()
        writing.close()
        #expect(throws: IOFailure.self) { try FileLock.requireFree(path) }
        second.close()
        #expect(throws: IOFailure.self) { try FileLock.requireFree(path) }
        withExtendedLifetime(lock) {}
        lock = nil
        try FileLock.requireFree(path)
        // the control: one that is only closed is held by the copy
        let other = open(path, O_RDWR)
        let kept = dup(other)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        close(other)
        #expect(throws: IOFailure.self) { try FileLock.requireFree(path) }
        close(kept)
        try FileLock.requireFree(path)
    }

    @Test("the old movie stays until the new one takes its name")
    func replaced() throws {
        try write("a.mp4", "old")
        let (file, io) = try GrowingFile.create(folder.file("a.mp4"), replaces: true)
        try io.writeAll(Array("new".utf8), at: 0)
        #expect(text("a.mp4") == "old" && !file.hasName)
        // locked as if it were the new one
        #expect(throws: IOFailure.self) { try FileLock.requireFree(folder.file("a.mp4")) }
        try file.takeName()
        #expect(text("a.mp4") == "new" && file.hasName && folder.contents == ["a.mp4"])
        io.close()
        #expect(throws: IOFailure.self) { try FileLock.requireFree(folder.file("a.mp4")) }
        file.close()
        try FileLock.requireFree(folder.file("a.mp4"))
    }

    @Test("a new movie that is given up leaves the old one as it was")
    func givenUp() throws {
        try write("a.mp4", "old")
        let (file, io) = try GrowingFile.create(folder.file("a.mp4"), replaces: true)
        try io.writeAll(Array("new".utf8), at: 0)
        io.close()
        file.remove()
        #expect(text("a.mp4") == "old" && folder.contents == ["a.mp4"])
    }

    @Test("a take that came under the name meanwhile is not replaced, a file not removed")
    func cameMeanwhile() throws {
        try write("a.mp4", "old")
        let (file, io) = try GrowingFile.create(folder.file("a.mp4"), replaces: true)
        defer { io.close() }
        try FileManager.default.removeItem(atPath: folder.file("a.mp4"))
        let other = try SystemFileIO(creating: folder.file("a.mp4"), existing: .refuse)
        try other.writeAll(Array("other".utf8), at: 0)
        #expect { try file.takeName() } throws: { ($0 as? IOFailure)?.errno == EWOULDBLOCK }
        #expect(text("a.mp4") == "other")
        other.close()
        // the control: nobody writes it any more
        try file.takeName()
        #expect(text("a.mp4") == "")
        try FileManager.default.removeItem(atPath: folder.file("a.mp4"))
        try write("a.mp4", "mine")
        file.remove()
        #expect(text("a.mp4") == "mine")
    }

    @Test("a name that is taken is not given, and what may not be replaced gets it back")
    func names() throws {
        try write("new", "new")
        try write("old", "old")
        #expect { try NameChange.give(folder.file("new"), newName: folder.file("old")) } throws: {
            ($0 as? IOFailure)?.errno == EEXIST
        }
        let identity = FileIdentity(named: folder.file("old"))
        #expect(throws: IOFailure.self) {
            try NameChange.give(folder.file("new"), name: folder.file("old")) {
                _, file throws(IOFailure) in
                #expect(file == identity)
                throw IOFailure(function: "test", errno: EPERM)
            }
        }
        #expect(text("new") == "new" && text("old") == "old")
        // neither a folder nor a link is replaced, whatever is said of it
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(symlink(folder.file("old"), folder.file("link")) == 0)
        for name in ["folder", "link"] {
            #expect(throws: IOFailure.self) {
                try NameChange.give(folder.file("new"), name: folder.file(name)) { _, _ in }
            }
        }
        try NameChange.give(folder.file("new"), name: folder.file("old")) { _, _ in }
        #expect(text("old") == "new" && text("new") == nil)
    }

    @Test("temporary names are hidden, ours, and never longer than a file system takes")
    func temporaryNames() {
        #expect(TemporaryName.path(for: "/a/b.c/film.mp4", .part) == "/a/b.c/.film.vcap-part.mp4")
        #expect(TemporaryName.path(for: "film", .new) == ".film.vcap-new")
        for stem in ["x", "é", "🎬"] {
            for count in [1, 50, 58, 62, 120, 251] {
                let name = String(repeating: stem, count: count) + ".mp4"
                for role in TemporaryName.Role.allCases {
                    let path = TemporaryName.path(for: "/f/" + name, role)
                    #expect(path.utf8.count <= 255 + 3 && path.hasPrefix("/f/."))
                    #expect(TemporaryName.role(of: String(path.dropFirst(3))) == role)
                }
            }
        }
        let long = String(repeating: "a", count: 240)
        #expect(
            TemporaryName.path(for: long + "b.mp4", .new)
                != TemporaryName.path(for: long + "c.mp4", .new))
        #expect(TemporaryName.role(of: ".film.part.mp4") == nil)
        #expect(TemporaryName.role(of: "film.vcap-part.mp4") == nil)
    }

    @Test("what killed runs left is removed by the next, what somebody writes is not")
    func stale() throws {
        try write(".a.vcap-new.mp4", "torn")
        try write(".b.vcap-part.mp4", "torn too")
        try write(".c.mp4.vcap-repair", "copy")
        try write(".d.part.mp4", "somebody else's")
        try write(".own.vcap-part.mp4", "taken up by its writer")
        try write(".own.vcap-take.mp4", "a take killed before it began")
        let writing = try SystemFileIO(creating: folder.file(".e.vcap-new.mp4"), existing: .refuse)
        defer { writing.close() }
        StaleParts.remove(besides: folder.file("own.mp4"))
        #expect(
            folder.contents == [".d.part.mp4", ".e.vcap-new.mp4", ".own.vcap-part.mp4"])
    }

    @Test(
        "a file that is being made is made, while others remove what killed runs have left beside it"
    )
    func madeBesideOthers() throws {
        let (other, isOver) = (folder.file("x.mp4"), Lock(false))
        let others = (0..<2).map { _ in
            Thread { while !isOver.withLock({ $0 }) { StaleParts.remove(besides: other) } }
        }
        for thread in others { thread.start() }
        defer {
            isOver.withLock { $0 = true }
            #expect(waitUntil { others.allSatisfy(\.isFinished) })
        }
        let path = folder.file(".a.vcap-new.json")
        for _ in 0..<3000 {
            let made = try SystemFileIO(creating: path, existing: .replace)
            // it has its name, and nobody takes it any more
            #expect(FileIdentity(named: path) == FileIdentity(try made.status()))
            unlink(path)
            made.close()
        }
        // the control: made and then locked, one is taken sooner or later
        let clock = HostClock()
        let deadline = clock.now() + .seconds(60)
        var isTaken = false
        while !isTaken, clock.now() < deadline {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            // as long as the two calls may lie apart on a busy machine
            usleep(100)
            var status = stat()
            isTaken =
                flock(descriptor, LOCK_EX | LOCK_NB) != 0
                || fstat(descriptor, &status) == 0 && status.st_nlink == 0
            unlink(path)
            close(descriptor)
        }
        #expect(isTaken)
    }

    @Test("a film that an equal export continues with is left for a day")
    func resumable() async throws {
        let take = SyntheticTake(width: 96, height: 54, seconds: 1)
        for name in [".new.vcap-part.mp4", ".old.vcap-part.mp4"] {
            _ = try await take.write(
                to: folder.file(name), video: VideoOutputSettings(preset: "ultrafast"), audio: nil
            ) { $0.metadata.values[StaleParts.resumableKey] = "1" }
        }
        var times = [timeval(), timeval()]
        times[0].tv_sec = time(nil) - 2 * 86_400
        times[1].tv_sec = times[0].tv_sec
        #expect(utimes(folder.file(".old.vcap-part.mp4"), times) == 0)
        StaleParts.remove(besides: folder.file("film.mp4"))
        #expect(folder.contents == [".new.vcap-part.mp4"])
    }
}
