internal import LibAV
public import Media

/// Brings raw frames of any size, pixel format and colours to one: what an `AssetWriter` does with settings of
/// another size or colour, for those who want the frames. Thread-safe; one frame at a time.
///
/// Filtering is linear, as wide as a sample of the coarser side; matrix, range, primaries and transfer are converted.
/// What is transparent lies over black where the wanted format has no opacity.
public final class PixelTransferSession: Sendable {
    /// Most frames in use that come from the session's pool; past it they are allocated one by one.
    private static let poolLimit = 32

    // immutable
    /// What frames become.
    public let format: VideoFormat
    public let scalingMode: VideoScalingMode
    private let pool: PixelBufferPool
    // guarded by itself
    private let known = Lock<PixelTransfer?>(nil)

    /// - Parameters:
    ///   - format: raw; size, pixel format, colours and shape of the pixels are what frames become.
    ///   - scalingMode: how frames of another shape come into it (`fit` is `resizeAspect`: the size is given).
    /// - Throws: `unsupported` for coded formats and sides outside 1…16,384.
    public init(
        to format: VideoFormat, scalingMode: VideoScalingMode = .resizeAspect
    ) throws(MediaError) {
        guard let pixels = format.pixelFormat, (1...16_384).contains(format.width),
            (1...16_384).contains(format.height)
        else {
            throw MediaError(
                code: .unsupported, subject: "pixel transfer",
                message: "Cannot bring frames to a coded format or to sides outside 1 to 16,384 "
                    + "pixels; give a raw format.")
        }
        self.format = format
        self.scalingMode = scalingMode
        pool = PixelBufferPool(
            width: format.width, height: format.height, format: pixels, limit: Self.poolLimit)
    }

    /// A frame in the session's format; the same one where nothing has to change.
    /// - Parameters:
    ///   - frame: of any raw format and size.
    ///   - source: its colours and the shape of its pixels; size and pixel format are the frame's own (nil: colours
    ///     as the session's, square pixels).
    /// - Throws: `unsupported` for what cannot be converted.
    public func transfer(
        _ frame: PixelBuffer, of source: VideoFormat? = nil
    ) throws(MediaError) -> PixelBuffer {
        var input =
            source
            ?? VideoFormat(
                coding: .raw(frame.format), width: frame.width, height: frame.height)
        input.coding = .raw(frame.format)
        (input.width, input.height) = (frame.width, frame.height)
        return try known.withLock { known throws(MediaError) in
            let transfer: PixelTransfer
            if let last = known, last.input == input {
                transfer = last
            } else {
                transfer = try PixelTransfer(from: input, to: format, mode: scalingMode)
                known = transfer
            }
            if transfer.changesNothing { return frame }
            var target = freshFrame()
            try transfer.transfer(frame, into: &target)
            return target
        }
    }

    /// A sample whose frame is in the session's format.
    /// - Throws: `unsupported` for a sample without a raw frame.
    public func transfer(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        guard let frame = sample.pixelBuffer, let source = sample.format.video else {
            throw MediaError(
                code: .unsupported, subject: "pixel transfer",
                message: "Cannot convert a sample without a raw frame; decode it first.")
        }
        var result = sample
        result.payload = .pixels(try transfer(frame, of: source))
        var format = format
        format.orientation = source.orientation
        format.nominalRate = format.nominalRate ?? source.nominalRate
        result.format = .video(format)
        return result
    }

    private func freshFrame() -> PixelBuffer {
        do { return try pool.makeBuffer() } catch {
            // the holder of so many will give them back
            return PixelBuffer(width: pool.width, height: pool.height, format: pool.format)
        }
    }
}
