internal import Media

extension SampleBuffer {
    /// The same sample, held in memory that no driver wants back.
    func onOwnMemory() -> SampleBuffer {
        var copy = self
        switch payload {
        case .pixels(let picture):
            guard picture.holdLimit != nil else { return self }
            copy.payload = .pixels(picture.copy())
        case .audio(let block): copy.payload = .audio(BlockBuffer(block.bytes))
        case .coded(let block): copy.payload = .coded(BlockBuffer(block.bytes))
        }
        return copy
    }
}
