/// One raw frame in memory. Immutable while shared, writable while uniquely held.
///
/// Copying the value shares the pixels. When the last copy goes, the memory returns to its pool,
/// to the driver or to the allocator. Thread-safe for reading.
public struct PixelBuffer: Sendable {
    /// Size of the frame (pixels; positive).
    public let width: Int
    public let height: Int
    public let format: PixelFormat
    private var storage: PixelStorage
    /// Where it differs from the frame before it, if its source states.
    package var change: PixelChange?

    /// Wraps planes that `storage` owns. The planes must fit the format's layout.
    public init(width: Int, height: Int, format: PixelFormat, storage: PixelStorage) {
        precondition(storage.planes.count == format.layout.planes.count)
        self.width = width
        self.height = height
        self.format = format
        self.storage = storage
    }

    /// Allocates a frame of its own (rows aligned to 64 bytes, not zeroed).
    public init(width: Int, height: Int, format: PixelFormat) {
        self.init(
            width: width, height: height, format: format,
            storage: .allocate(width: width, height: height, format: format))
    }

    public var planeCount: Int { storage.planes.count }

    /// Whether both are copies of one frame, sharing its memory.
    public func sharesPixels(with other: PixelBuffer) -> Bool { storage === other.storage }

    /// How long this frame may be held before its source starves; `nil` for ordinary memory.
    /// A frame on driver memory is copied by those who need it longer.
    public var holdLimit: MediaTime? { storage.holdLimit }

    /// Lends a plane for reading; the pointer is valid only inside the closure.
    public func withPlane<Result, Failure: Error>(
        _ index: Int, _ body: (PixelPlane) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.planes[index])
    }

    /// Lends all planes for reading.
    public func withPlanes<Result, Failure: Error>(
        _ body: ([PixelPlane]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.planes)
    }

    /// Whether nobody else can see the pixels.
    ///
    /// Kept from the optimiser (Swift 6.3.1): seeing through it, it may take a later copy before this
    /// call, and the answer is "no" for a frame nobody else holds yet; `@inline(never)` alone is
    /// miscompiled across modules and crashes.
    @inline(never)
    @_optimize(none)
    public mutating func isUniquelyHeld() -> Bool {
        isKnownUniquelyReferenced(&storage) && !storage.isReadOnly
    }

    /// Lends all planes for writing; what was known of changes holds no more.
    /// - Precondition: the frame is uniquely held.
    public mutating func withMutablePlanes<Result, Failure: Error>(
        _ body: ([MutablePixelPlane]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(isUniquelyHeld(), "only a uniquely held pixel buffer is writable")
        change = nil
        return try body(
            storage.planes.map { plane in
                MutablePixelPlane(
                    base: UnsafeMutableRawPointer(mutating: plane.base),
                    bytesPerRow: plane.bytesPerRow, rows: plane.rows)
            })
    }
}

/// One plane of a frame, lent for reading.
// because it is only lent, and the pixels do not change meanwhile
public struct PixelPlane: @unchecked Sendable {
    public let base: UnsafeRawPointer
    /// Distance between rows (bytes; padding included).
    public let bytesPerRow: Int
    public let rows: Int

    public init(base: UnsafeRawPointer, bytesPerRow: Int, rows: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.rows = rows
    }

    public func row(_ index: Int) -> UnsafePointer<UInt8> {
        base.advanced(by: index * bytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
}

/// One plane of a frame, lent for writing.
public struct MutablePixelPlane {
    public let base: UnsafeMutableRawPointer
    /// Distance between rows (bytes; padding included).
    public let bytesPerRow: Int
    public let rows: Int

    package init(base: UnsafeMutableRawPointer, bytesPerRow: Int, rows: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.rows = rows
    }

    public func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        base.advanced(by: index * bytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
}
