internal import Media

/// Makes samples of filled driver buffers: raw frames lent or copied, coded ones copied.
struct DriverFrame: Sendable {
    /// Buffers that must stay with the driver; below that, frames are copied out. Half of them: a listener that sleeps
    /// leaves the driver no more than these, and a thread that takes them late must find the rest of them filled.
    static func leastQueued(of count: Int) -> Int { max(2, count / 2) }

    let granted: V4L2GrantedFormat
    let pixelFormat: V4L2PixelFormat
    let holdLimit: MediaTime

    /// A frame on the driver's memory, or `nil` when the buffer holds less than one.
    func picture(
        _ filled: DriverBuffers.Filled, in buffers: DriverBuffers
    ) -> PixelBuffer? {
        guard case .raw(let format) = pixelFormat.coding,
            let planes = planes(of: filled.bytes, format)
        else { return nil }
        let index = filled.index
        let storage = PixelStorage(planes: planes, holdLimit: holdLimit) {
            buffers.giveBack(index)
        }
        let lent = PixelBuffer(
            width: granted.size.width, height: granted.size.height, format: format,
            storage: storage)
        let least = Self.leastQueued(of: buffers.count)
        return buffers.queuedCount > least ? lent : lent.copy()
    }

    /// Where the frame's planes lie: V4L2 puts them one after another in one memory plane, or
    /// each in its own. Chroma rows follow the luma row in length as the format's layout does.
    func planes(of memory: [UnsafeRawBufferPointer], _ format: PixelFormat) -> [PixelPlane]? {
        let layout = format.layout.planes
        var planes: [PixelPlane] = []
        var offset = 0
        let lumaBytes = layout[0].bytesPerRow(width: granted.size.width)
        let lumaStride = max(granted.bytesPerRow.first ?? 0, lumaBytes)
        for (index, plane) in layout.enumerated() {
            let ownMemory = memory.count > 1
            let source = ownMemory ? memory[min(index, memory.count - 1)] : memory[0]
            let natural = plane.bytesPerRow(width: granted.size.width)
            let stride =
                ownMemory
                ? max(granted.bytesPerRow[min(index, granted.bytesPerRow.count - 1)], natural)
                : lumaStride * natural / lumaBytes
            let rows = plane.rows(height: granted.size.height)
            let start = ownMemory ? 0 : offset
            guard let base = source.baseAddress,
                start + (rows - 1) * stride + natural <= source.count
            else { return nil }
            planes.append(PixelPlane(base: base + start, bytesPerRow: stride, rows: rows))
            offset += rows * stride
        }
        if pixelFormat.swapsChroma, planes.count == 3 { planes.swapAt(1, 2) }
        return planes
    }
}
