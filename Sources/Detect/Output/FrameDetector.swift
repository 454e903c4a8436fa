package import Media

/// Looks at one frame after the other, on a thread where it may block.
package protocol FrameDetector: Sendable {
    /// - Parameter frame: luma, upright.
    func objects(in frame: SampleBuffer) throws -> [any MetadataObject]
}

extension CodeDetector: FrameDetector {
    package func objects(in frame: SampleBuffer) throws -> [any MetadataObject] {
        try codes(in: frame)
    }
}
