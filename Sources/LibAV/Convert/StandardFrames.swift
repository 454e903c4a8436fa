package import Media

/// Brings frames of a high dynamic range (PQ, HLG) and of wide colours (BT.2020, P3) to BT.709's, in their own size, for
/// what shows or holds no more. All others are passed on, and so are formats with opacity. Thread-bound.
package final class StandardFrames {
    // owned by the calling thread
    private var conformer: FrameConformer?

    package init() {}

    /// Whether frames of a format are changed.
    package static func changes(_ format: VideoFormat) -> Bool {
        format.color.wideName != nil && format.depth == nil
            && !(format.pixelFormat?.hasAlpha ?? false)
    }

    /// - Parameters:
    ///   - frame: raw, of the format.
    ///   - format: of the frame.
    ///   - size: of frames that are changed, as they are stored (pixels; nil: their own).
    package func standard(
        _ frame: PixelBuffer, _ format: VideoFormat, size: PixelSize? = nil
    ) throws(MediaError) -> (frame: PixelBuffer, format: VideoFormat) {
        guard Self.changes(format) else { return (frame, format) }
        let conformer: FrameConformer
        let size = size ?? PixelSize(format.width, format.height)
        if let known = self.conformer, known.input == format,
            (known.output.width, known.output.height) == (size.width, size.height)
        {
            conformer = known
        } else {
            var wanted = format
            wanted.coding = .raw(.yuv444p10le)
            wanted.color = .bt709
            (wanted.width, wanted.height) = (size.width, size.height)
            (wanted.masteringDisplay, wanted.contentLight) = (nil, nil)
            conformer = try FrameConformer(from: format, to: wanted)
            self.conformer = conformer
        }
        return (try conformer.convert(frame).picture, conformer.output)
    }
}
