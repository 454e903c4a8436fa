package import Media

/// What other rooms do to length-prefixed H.264 and HEVC samples.
package enum NALSample {
    /// A sample with 4-byte lengths instead of 1…3-byte ones; `nil` when its lengths do not fit it.
    package static func widened(_ block: BlockBuffer, from lengthSize: Int) -> BlockBuffer? {
        block.withUnsafeBytes { NALUnits.widened($0, from: lengthSize) }
    }
}
