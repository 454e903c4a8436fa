internal import Media

/// Makes payloads of filled buffers: raw frames lent or copied, coded samples copied, vendor
/// formats converted.
final class DriverPayloads: Sendable {
    // immutable
    let coding: VideoFormat.Coding
    private let granted: V4L2GrantedFormat
    private let picture: DriverFrame?
    private let converter: VendorConverter?

    init(
        granted: V4L2GrantedFormat, node: borrowing V4L2Node, device: CaptureDevice,
        bufferCount: Int, rate: FrameRate?
    ) throws(MediaError) {
        self.granted = granted
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
        guard let bytes = filled.bytes.first, !bytes.isEmpty else { return nil }
        if let converter { return converter.convert(bytes).map { .pixels($0) } }
        return .coded(BlockBuffer(bytes))
    }
}
