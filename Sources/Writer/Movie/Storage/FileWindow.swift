/// A part of a file as if it were one: a movie inside a photo. Read only. Thread-safe.
package final class FileWindow: FileIO {
    private let file: any FileIO
    private let bytes: Range<Int64>

    /// - Parameter bytes: of the file, which closes with this one; what lies beyond its end is not there.
    package init(_ file: any FileIO, _ bytes: Range<Int64>) {
        self.file = file
        self.bytes = bytes
    }

    package func read(
        into target: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(IOFailure) -> Int {
        let left = Int(clamping: Int64(bytes.count) - offset)
        guard left > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: target[..<min(left, target.count)])
        return try file.read(into: part, at: bytes.lowerBound + offset)
    }

    package func size() throws(IOFailure) -> Int64 {
        min(Int64(bytes.count), max(0, try file.size() - bytes.lowerBound))
    }

    package func close() { file.close() }

    // MARK: Nothing is written

    private static let refusal = IOFailure(function: "write", errno: 30)  // EROFS

    package func write(_: UnsafeRawBufferPointer, at _: Int64) throws(IOFailure) -> Int {
        throw Self.refusal
    }

    package func synchronize() throws(IOFailure) { throw Self.refusal }
    package func synchronizeName() throws(IOFailure) { throw Self.refusal }
    package func allocate(from _: Int64, to _: Int64) throws(IOFailure) { throw Self.refusal }
    package func truncate(to _: Int64) throws(IOFailure) { throw Self.refusal }
}
