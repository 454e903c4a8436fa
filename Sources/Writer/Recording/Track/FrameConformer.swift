internal import LibAV
internal import Media

/// Brings pictures of another format (a camera that came back with another size) to the track's.
struct FrameConformer {
    private let format: VideoFormat
    private var converter: (from: VideoFormat, converter: PixelConverter)?
    private var pool: PixelBufferPool?

    /// Pictures that may wait for the encoder at once (pictures).
    private static let poolLimit = 64

    init(format: VideoFormat) { self.format = format }

    /// The sample in the track's format; `nil` when it cannot be brought there.
    mutating func conform(_ sample: SampleBuffer) -> SampleBuffer? {
        guard let given = sample.format.video else { return nil }
        if fits(given) { return sample }
        guard let frame = sample.pixelBuffer, let target = format.pixelFormat else { return nil }
        do {
            if converter?.from != given {
                converter = (given, try PixelConverter(from: given, to: format))
            }
            let pool =
                self.pool
                ?? PixelBufferPool(
                    width: format.width, height: format.height, format: target,
                    limit: Self.poolLimit)
            self.pool = pool
            var made = try pool.makeBuffer()
            try converter?.converter.convert(frame, into: &made)
            var conformed = sample
            conformed.payload = .pixels(made)
            conformed.format = .video(format)
            return conformed
        } catch {
            return nil
        }
    }

    private func fits(_ given: VideoFormat) -> Bool {
        guard given.coding == format.coding, given.width == format.width,
            given.height == format.height
        else { return false }
        if format.pixelFormat != nil { return given.color == format.color }
        // a track without a configuration has it in its samples
        return format.codecConfiguration.isEmpty
            || given.codecConfiguration == format.codecConfiguration
    }
}

extension SampleBuffer {
    /// The same sample, held in memory that no driver wants back.
    func onOwnMemory() -> SampleBuffer {
        var copy = self
        switch payload {
        case .pixels(let picture):
            guard picture.holdLimit != nil else { return self }
            copy.payload = .pixels(picture.copied())
        case .audio(let block): copy.payload = .audio(BlockBuffer(block.bytes))
        case .coded(let block): copy.payload = .coded(BlockBuffer(block.bytes))
        }
        return copy
    }
}

extension PixelBuffer {
    /// The same pixels in memory of their own.
    func copied() -> PixelBuffer {
        var copy = PixelBuffer(width: width, height: height, format: format)
        let layout = format.layout.planes
        withPlanes { from in
            copy.withMutablePlanes { to in
                for (index, plane) in layout.enumerated() {
                    let bytes = plane.bytesPerRow(width: width)
                    for row in 0..<plane.rows(height: height) {
                        to[index].row(row).update(from: from[index].row(row), count: bytes)
                    }
                }
            }
        }
        return copy
    }
}
