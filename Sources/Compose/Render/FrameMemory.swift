internal import Media

/// Memory for pictures that live for a frame or two, used again: getting megabytes from the system anew for each
/// costs more than filling them. Thread-bound.
final class FrameMemory {
    private var pools: [PixelBufferPool] = []

    /// Sizes remembered, and frames of each.
    private static let (sizes, limit) = (6, 24)

    /// A writable frame; past the bound one that is not kept.
    func picture(_ width: Int, _ height: Int, _ format: PixelFormat) -> PixelBuffer {
        let found = pools.firstIndex {
            $0.width == width && $0.height == height && $0.format == format
        }
        let pool =
            found.map { pools.remove(at: $0) }
            ?? PixelBufferPool(width: width, height: height, format: format, limit: Self.limit)
        pools.append(pool)
        if pools.count > Self.sizes { pools.removeFirst() }
        do { return try pool.makeBuffer() } catch {
            return PixelBuffer(width: width, height: height, format: format)
        }
    }
}
