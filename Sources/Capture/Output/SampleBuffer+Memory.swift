internal import Media

extension SampleBuffer {
    /// The same sample; a raw frame in memory that no driver wants back.
    var onOwnMemory: SampleBuffer {
        guard let frame = pixelBuffer, frame.holdLimit != nil else { return self }
        var copy = self
        copy.payload = .pixels(frame.copy())
        return copy
    }
}
