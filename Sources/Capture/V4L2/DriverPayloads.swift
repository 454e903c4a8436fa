internal import Media

/// Makes payloads of filled buffers: raw frames lent or copied, coded samples copied, vendor
/// formats converted.
final class DriverPayloads: Sendable {
    // immutable
    let coding: VideoFormat.Coding
    private let granted: V4L2GrantedFormat
    private let picture: DriverFrame?
    private let converter: VendorConverter?
    /// What a frame has at least (bytes): of a sensor's values, which nothing marks as cut off.
    private let leastBytes: Int
    /// How a sensor's values lie in samples.
    let bayer: BayerFormat?

    init(
        granted: V4L2GrantedFormat, node: borrowing V4L2Node, device: CaptureDevice,
        bufferCount: Int, rate: FrameRate?
    ) throws(MediaError) {
        self.granted = granted
        bayer = Self.bayer(granted)
        leastBytes =
            bayer.map { bayer in
                let row = bayer.bytes(inRowOf: granted.size.width)
                return (granted.size.height - 1) * max(bayer.bytesPerRow ?? row, row) + row
            } ?? 1
        guard let known = V4L2PixelFormat.of(fourCC: granted.fourCC) else {
            converter = try VendorConverter(node: node, granted: granted, device: device)
            picture = nil
            coding = .raw(VendorConverter.target)
            return
        }
        converter = nil
        coding = known.coding
        if case .raw = known.coding {
            let duration = (rate ?? FrameRate(30)).frameDuration
            let lent = bufferCount - DriverFrame.leastQueued(of: bufferCount)
            picture = DriverFrame(
                granted: granted, pixelFormat: known, holdLimit: duration * Int64(max(lent, 1)))
        } else {
            picture = nil
        }
    }

    private static func bayer(_ granted: V4L2GrantedFormat) -> BayerFormat? {
        var bayer = V4L2PixelFormat.of(fourCC: granted.fourCC)?.bayer
        bayer?.bytesPerRow = granted.bytesPerRow.first.flatMap { $0 > 0 ? $0 : nil }
        return bayer
    }

    /// `nil` when the buffer holds less than a frame.
    func payload(
        of filled: DriverBuffers.Filled, in buffers: DriverBuffers
    ) -> SampleBuffer.Payload? {
        if let picture {
            if let lent = picture.picture(filled, in: buffers) { return .pixels(lent) }
            buffers.giveBack(filled.index)
            return nil
        }
        defer { buffers.giveBack(filled.index) }
        guard let bytes = filled.bytes.first, bytes.count >= leastBytes else { return nil }
        if let converter { return converter.convert(bytes).map { .pixels($0) } }
        return .coded(BlockBuffer(bytes))
    }
}
