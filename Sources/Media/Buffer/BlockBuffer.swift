/// Immutable bytes with shared ownership: a coded sample, or interleaved audio. Copying the value
/// never copies the bytes. Thread-safe.
public struct BlockBuffer: Sendable {
    private let storage: Storage

    private final class Storage: @unchecked Sendable {  // because the bytes never change after init
        let bytes: UnsafeRawBufferPointer
        private let release: () -> Void

        init(bytes: UnsafeRawBufferPointer, release: @escaping () -> Void) {
            self.bytes = bytes
            self.release = release
        }

        deinit { release() }
    }

    /// Number of bytes.
    public var count: Int { storage.bytes.count }

    /// Copies bytes.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    public init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { BlockBuffer($0) }
    }

    /// Fills fresh memory once (16-byte aligned, not zeroed).
    public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
        fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
        storage = Storage(
            bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]),
            release: { memory.deallocate() })
    }

    /// Shares memory that somebody else owns; `release` runs once, on any thread, after the last use.
    public init(sharing bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        storage = Storage(bytes: bytes, release: release)
    }

    /// Lends the bytes; the pointer is valid only inside the closure.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    /// Lends the bytes of several, in their order; the pointers are valid only inside the closure.
    package static func withUnsafeBytes<Result, Failure: Error>(
        of blocks: some Sequence<BlockBuffer>,
        _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(blocks) {} }
        return try body(blocks.map { $0.storage.bytes })
    }

    /// A part of the bytes, sharing the memory.
    public func slice(_ range: Range<Int>) -> BlockBuffer {
        let whole = self
        return BlockBuffer(
            sharing: UnsafeRawBufferPointer(rebasing: storage.bytes[range]),
            release: { _ = whole })
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { Array(storage.bytes) }
}
