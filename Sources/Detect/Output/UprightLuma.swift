internal import LibAV
internal import Media

extension SampleBuffer {
    /// What a detector looks at: the frame itself where its first plane is upright luma of a byte a pixel, else a copy.
    /// - Throws: `invalidSetting` for anything but a raw frame; `conversionFailed` where its luma cannot be had.
    func uprightLuma() throws(MediaError) -> PixelBuffer {
        guard let frame = pixelBuffer, let video = format.video else {
            throw MediaError(
                code: .invalidSetting, subject: "frame",
                message: "Cannot look at a sample that is not a decoded frame; decode it first.")
        }
        switch frame.format {
        case .gray, .yuv420p, .yuv422p, .yuv444p, .yuva420p, .nv12, .nv21, .nv16:
            if video.orientation == .upright { return frame }
        default: break
        }
        var source = video
        source.coding = .raw(frame.format)
        (source.width, source.height) = (frame.width, frame.height)
        let target = try FrameTarget(pixelFormat: .gray, orientation: .upright).format(of: source)
        let converter = FrameConverter(to: target, limit: 1, exhaustion: .allocates)
        do throws(FrameConverter.Failure) { return try converter.convert(frame, source) } catch {
            throw error.error
        }
    }
}
