import Glibc
import Media
import TestSupport
import Testing

@testable import Movie

/// A disk that has lost what was written before its first sync, and says so to that caller alone, as Linux does:
/// a sync meanwhile succeeds. Thread-safe.
private final class ForgetfulDisk: FileIO {
    private struct State {
        var syncs = 0
        var isOver = false
    }

    let io = ScriptedFileIO()
    private let wait: Int64
    private let state = BlockingLock(State())

    /// - Parameter wait: how long its first sync waits for another one (ns).
    init(wait: Int64 = 300_000_000) { self.wait = wait }

    /// Waits until the first sync is under way.
    func waitForSync() { state.wait { $0.syncs > 0 ? () : nil } }

    /// Another sync is over.
    func noteOver() { state.withLock { $0.isOver = true } }

    func synchronize() throws(IOFailure) {
        let number = state.withLock { state in
            state.syncs += 1
            return state.syncs
        }
        try io.synchronize()
        guard number == 1 else { return }
        // long enough for another sync to begin and end, where it may
        _ = state.wait(nanoseconds: wait) { $0.isOver ? () : nil }
        throw IOFailure(function: "fdatasync", errno: EIO)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int {
        try io.write(bytes, at: offset)
    }
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int
    {
        try io.read(into: bytes, at: offset)
    }
    func synchronizeName() throws(IOFailure) { try io.synchronizeName() }
    func allocate(from start: Int64, to end: Int64) throws(IOFailure) {
        try io.allocate(from: start, to: end)
    }
    func truncate(to size: Int64) throws(IOFailure) { try io.truncate(to: size) }
    func size() throws(IOFailure) -> Int64 { try io.size() }
    func close() { io.close() }
}

@Suite("Bytes a disk lost")
struct LostBytesTests {
    @Test("that they were written again is known of the movie's file, after it is closed as well")
    func isKnown() throws {
        let folder = try TemporaryFolder()
        let (growing, io) = try GrowingFile.create(folder.file("a.mp4"), replaces: false)
        defer {
            growing.close()
            io.close()
        }
        let file = DurableFile(
            io: ForgetfulDisk(wait: 0), name: "a", policy: .every(.seconds(1_000_000)))
        growing.fill(file)
        try file.append([1, 2, 3])
        #expect(growing.recoveries == 0)
        try file.synchronize()
        #expect(growing.recoveries == 1)
        file.close()
        #expect(growing.recoveries == 1)
    }

    @Test(
        "an error that the kernel reports to one thread is not forgotten by another that syncs meanwhile"
    )
    func twoThreads() throws {
        let disk = ForgetfulDisk()
        let file = DurableFile(io: disk, name: "a", policy: .every(.seconds(1_000_000)))
        try file.append([1, 2, 3])
        let first = NamedThread(name: "first") { try? file.synchronize() }
        disk.waitForSync()
        try file.synchronize()
        disk.noteOver()
        first.join()
        #expect(file.failure == nil)
        #expect(file.recoveries == 1)
        let writes = disk.io.calls.filter { $0 == .write(offset: 0, bytes: [1, 2, 3]) }
        #expect(writes.count == 2)
        file.close()
    }
}
