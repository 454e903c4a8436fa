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

    @Test(
        "pieces lie one behind the other, however few bytes a call takes",
        arguments: [1, 7, 64, 1000])
    func shortGatheredWrites(longestWrite: Int) throws {
        let sizes = [1, 0, 13, 64, 2, 0, 128, 5]
        let pieces = sizes.indices.map { index in
            (0..<sizes[index]).map { UInt8(truncatingIfNeeded: index * 40 + $0) }
        }
        var bytes = GatheredBytes()
        for piece in pieces { bytes.append(BlockBuffer(piece)) }
        let whole = pieces.flatMap { $0 }
        #expect(bytes.count == whole.count)
        let io = ScriptedFileIO(longestWrite: longestWrite)
        let file = DurableFile(scripted: io)
        #expect(try file.append([9, 9, 9]) == 0)
        #expect(try file.append(bytes) == 3)
        #expect(try file.append(GatheredBytes()) == 3 + Int64(whole.count))
        #expect(io.content == [9, 9, 9] + whole)
        file.close()
    }

    @Test("more pieces than the system takes in one call are all in the file")
    func manyPieces() throws {
        let folder = try TemporaryFolder()
        var bytes = GatheredBytes()
        var whole: [UInt8] = []
        for index in 0..<2500 {
            let piece = (0..<index % 7).map { UInt8(truncatingIfNeeded: index + $0) }
            whole += piece
            bytes.append(BlockBuffer(piece))
        }
        let io = try SystemFileIO(creating: folder.file("a"), existing: .refuse)
        let file = DurableFile(io: io, name: "a", policy: .never, clock: ManualClock())
        try file.append([1])
        try file.append(bytes)
        file.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a"))) == Data([1] + whole))
    }

    @Test(
        "what is synced at its end alone is on its way to the disk meanwhile; other files are not")
    func begunEarly() throws {
        let folder = try TemporaryFolder()
        func begun(_ policy: SyncPolicy) throws -> [Range<Int64>] {
            let io = CountingFileIO(
                try SystemFileIO(creating: folder.file("a"), existing: .replace))
            let file = DurableFile(io: io, name: "a", policy: policy, clock: ManualClock())
            let portion = [UInt8](repeating: 7, count: 700_000)
            for _ in 0..<5 { try file.append(portion) }
            file.close()
            return io.counts.begun
        }
        #expect(try begun(.never) == [0..<1_376_256, 1_376_256..<2_752_512])
        #expect(try begun(.everyWrite).isEmpty)
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
