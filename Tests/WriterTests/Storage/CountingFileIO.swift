import Media

@testable import Movie

/// A real file whose calls are counted. Thread-safe.
final class CountingFileIO: FileIO {
    struct Counts {
        var writes = 0
        var bytes = 0
        var syncs = 0
        /// What was asked to be written soon, in order.
        var begun: [Range<Int64>] = []
    }

    private let io: any FileIO
    private let state = BlockingLock(Counts())

    init(_ io: any FileIO) { self.io = io }

    var counts: Counts { state.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int {
        let count = try io.write(bytes, at: offset)
        state.withLock { state in
            state.writes += 1
            state.bytes += count
        }
        return count
    }

    func synchronize() throws(IOFailure) {
        state.withLock { $0.syncs += 1 }
        try io.synchronize()
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int
    {
        try io.read(into: bytes, at: offset)
    }
    func synchronizeName() throws(IOFailure) { try io.synchronizeName() }
    func allocate(from start: Int64, to end: Int64) throws(IOFailure) {
        try io.allocate(from: start, to: end)
    }
    func beginWriting(from start: Int64, to end: Int64) {
        state.withLock { $0.begun.append(start..<end) }
        io.beginWriting(from: start, to: end)
    }
    func truncate(to size: Int64) throws(IOFailure) { try io.truncate(to: size) }
    func size() throws(IOFailure) -> Int64 { try io.size() }
    func close() { io.close() }
}
