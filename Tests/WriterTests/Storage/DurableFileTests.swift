import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("Files that lose nothing")
struct DurableFileTests {
    @Test("short writes are continued until every byte is there")
    func shortWrites() throws {
        let io = ScriptedFileIO(longestWrite: 7)
        let file = DurableFile(scripted: io)
        let bytes = (0..<100).map { UInt8($0) }
        #expect(try file.append(bytes) == 0)
        #expect(try file.append(bytes) == 100)
        #expect(io.content == bytes + bytes)
        #expect(file.size == 200)
        file.close()
        #expect(io.isClosed)
    }

    @Test("the sync thread syncs once a period by the clock, and only when there is something")
    func period() throws {
        let clock = ManualClock()
        let io = ScriptedFileIO()
        let file = DurableFile(io: io, name: "a", policy: .every(.seconds(1)), clock: clock)
        try file.append([1, 2, 3])
        #expect(file.heldBytes == 3)
        while file.heldBytes > 0 {
            clock.advance(by: .milliseconds(100))
            usleep(2000)
        }
        let syncs = io.calls.filter { $0 == .synchronize }.count
        #expect(syncs == 1)
        #expect(io.calls.first == .synchronizeName || io.calls.contains(.synchronizeName))
        for _ in 0..<30 {
            clock.advance(by: .milliseconds(100))
            usleep(500)
        }
        #expect(io.calls.filter { $0 == .synchronize }.count == syncs)
        file.close()
    }

    @Test("a slow sync does not lengthen the period")
    func slowSync() throws {
        let clock = ManualClock()
        let begun = BlockingLock<[Int64]>([])
        let io = ScriptedFileIO { _, call in
            guard call == .synchronize else { return nil }
            begun.withLock { $0.append(clock.now().nanoseconds()) }
            clock.advance(by: .milliseconds(600))
            return nil
        }
        let file = DurableFile(io: io, name: "a", policy: .every(.seconds(1)), clock: clock)
        while begun.withLock({ $0.count }) < 6 {
            try file.append([1])
            clock.advance(by: .milliseconds(50))
            usleep(2000)
        }
        file.close()
        let times = begun.withLock { $0 }
        // the shortest: this thread may turn the clock faster than a busy machine wakes the other
        let period = zip(times, times.dropFirst()).map { $0.1 - $0.0 }.min() ?? 0
        #expect(period >= 1_000_000_000 && period < 1_500_000_000)
    }

    @Test("every write is durable before the call returns, when that is asked for")
    func everyWrite() throws {
        let io = ScriptedFileIO()
        let file = DurableFile(scripted: io, policy: .everyWrite)
        for _ in 0..<3 { try file.append([1]) }
        #expect(io.calls.filter { $0 == .synchronize }.count == 3)
        #expect(file.heldBytes == 0)
        file.close()
    }

    @Test("what is held in memory has a bound; past it the writer waits for the disk")
    func bound() throws {
        let io = ScriptedFileIO()
        let file = DurableFile(
            io: io, name: "a", policy: .every(.seconds(1_000_000)), heldLimit: 1000)
        for _ in 0..<50 {
            try file.append([UInt8](repeating: 0, count: 300))
            #expect(file.heldBytes <= 1000)
        }
        #expect(io.calls.contains(.synchronize))
        file.close()
    }

    @Test("an existing file is refused, or loses its name; a link is never followed")
    func creation() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.mp4")
        try DurableFile(creating: path, existing: .refuse).close()
        #expect { try DurableFile(creating: path, existing: .refuse) } throws: {
            ($0 as? MediaError)?.code == .alreadyExists
        }
        let replaced = try DurableFile(creating: path, existing: .replace)
        try replaced.append([1])
        replaced.close()
        let link = folder.file("link.mp4")
        #expect(symlink(path, link) == 0)
        for existing in [SystemFileIO.Existing.refuse, .replace] {
            #expect(throws: MediaError.self) {
                try DurableFile(creating: link, existing: existing)
            }
        }
        #expect(FileManager.default.contents(atPath: path) == Data([1]))
        #expect { try DurableFile(creating: folder.file("no/b.mp4"), existing: .refuse) } throws: {
            ($0 as? MediaError)?.code == .noSuchFile
        }
    }

    @Test("room kept behind the end does not change the size and is given back")
    func reserve() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.mp4")
        let file = try DurableFile(creating: path, existing: .refuse)
        file.setReserve(1 << 20)
        try file.append([1, 2, 3])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_size == 3)
        #expect(status.st_blocks * 512 >= 1 << 20)
        file.close()
        #expect(stat(path, &status) == 0)
        #expect(status.st_size == 3)
        #expect(status.st_blocks * 512 < 1 << 20)
    }
}
