/// The memory under a pixel buffer and what happens to it after the last use.
// because only a unique holder writes the memory
public final class PixelStorage: @unchecked Sendable {
    // immutable
    public let planes: [PixelPlane]
    public let holdLimit: MediaTime?
    /// Whether somebody outside still reads the pixels (a decoder that predicts from them), so that
    /// not even a unique holder may write.
    public let isReadOnly: Bool
    private let release: @Sendable () -> Void

    /// - Parameters:
    ///   - planes: where the pixels lie.
    ///   - holdLimit: see `PixelBuffer.holdLimit`.
    ///   - isReadOnly: see the property.
    ///   - release: runs once, on any thread, after the last use.
    public init(
        planes: [PixelPlane], holdLimit: MediaTime? = nil, isReadOnly: Bool = false,
        release: @escaping @Sendable () -> Void
    ) {
        self.planes = planes
        self.holdLimit = holdLimit
        self.isReadOnly = isReadOnly
        self.release = release
    }

    deinit { release() }

    static func allocate(width: Int, height: Int, format: PixelFormat) -> PixelStorage {
        let block = PixelBlock(width: width, height: height, format: format)
        return PixelStorage(planes: block.planes, release: { block.free() })
    }
}

/// One allocation holding all planes of a frame, rows aligned to 64 bytes.
// because it is owned by exactly one storage or pool at a time
struct PixelBlock: @unchecked Sendable {
    static let alignment = 64
    /// Room past the last row that vector code may touch (bytes).
    static let padding = 64

    let memory: PixelHeap.Block
    let planes: [PixelPlane]

    init(width: Int, height: Int, format: PixelFormat) {
        precondition(width > 0 && height > 0, "a frame has at least one pixel")
        var offsets: [(offset: Int, bytesPerRow: Int, rows: Int)] = []
        var size = 0
        for plane in format.layout.planes {
            let bytes = plane.bytesPerRow(width: width)
            let bytesPerRow = (bytes + Self.alignment - 1) / Self.alignment * Self.alignment
            let rows = plane.rows(height: height)
            offsets.append((size, bytesPerRow, rows))
            size += bytesPerRow * rows
        }
        let memory = PixelHeap.shared.take(size + Self.padding)
        self.memory = memory
        planes = offsets.map { entry in
            PixelPlane(
                base: UnsafeRawPointer(memory.base + entry.offset), bytesPerRow: entry.bytesPerRow,
                rows: entry.rows)
        }
    }

    /// Whether its memory goes round in `PixelHeap`.
    var isMapped: Bool { memory.isMapped }

    func free() { PixelHeap.shared.giveBack(memory) }
}
