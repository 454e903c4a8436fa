/// A file as it would be with some bytes overwritten; nothing is written.
final class OverlaidFileIO: FileIO {
    private let io: any FileIO
    private let bytes: [UInt8]
    private let start: Int64

    init(_ io: any FileIO, bytes: [UInt8], at start: Int64) {
        self.io = io
        self.bytes = bytes
        self.start = start
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int
    {
        let count = try io.read(into: buffer, at: offset)
        for (index, byte) in bytes.enumerated() {
            let position = start + Int64(index) - offset
            if position >= 0, position < count { buffer[Int(position)] = byte }
        }
        return count
    }

    func size() throws(IOFailure) -> Int64 { try io.size() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int {
        throw readOnly("write")
    }

    func synchronize() throws(IOFailure) { throw readOnly("fdatasync") }
    func synchronizeName() throws(IOFailure) { throw readOnly("fsync") }
    func allocate(from start: Int64, to end: Int64) throws(IOFailure) {
        throw readOnly("fallocate")
    }
    func truncate(to size: Int64) throws(IOFailure) { throw readOnly("ftruncate") }
    func close() {}

    private func readOnly(_ function: String) -> IOFailure {
        IOFailure(function: function, errno: 30)  // EROFS
    }
}
