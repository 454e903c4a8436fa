internal import Media

/// Copies frames off driver memory, because queues may hold them longer than the driver can. Thread-safe.
final class SampleCopier: Sendable {
    /// Bytes that a queue takes.
    private let queueBytes: Int
    /// By track.
    private let pools = Lock<[Int: PixelBufferPool]>([:])

    init(queueBytes: Int) { self.queueBytes = queueBytes }

    /// - Returns: the sample as it may be kept; `nil` when there is no room for a copy.
    func keepable(_ sample: SampleBuffer, track: Int) -> SampleBuffer? {
        guard let frame = sample.pixelBuffer, frame.holdLimit != nil else { return sample }
        let pool = pools.withLock { pools -> PixelBufferPool in
            if let pool = pools[track], pool.fits(frame) { return pool }
            let limit = max(2, queueBytes / max(1, sample.byteCount)) + 8
            let pool = PixelBufferPool(
                width: frame.width, height: frame.height, format: frame.format, limit: limit)
            pools[track] = pool
            return pool
        }
        guard var copy = try? pool.makeBuffer() else { return nil }
        copy.copyPixels(from: frame)
        var kept = sample
        kept.payload = .pixels(copy)
        return kept
    }
}

extension PixelBufferPool {
    fileprivate func fits(_ frame: PixelBuffer) -> Bool {
        width == frame.width && height == frame.height && format == frame.format
    }
}
