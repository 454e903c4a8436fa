internal import Media

/// Raw audio as 32-bit floats (−1…1), without loss: a microphone that needs no other rate then passes
/// the aligner as it is.
enum FloatAudio {
    static func values(_ block: BlockBuffer, _ format: AudioSampleFormat) -> [Float] {
        block.withUnsafeBytes { bytes in
            switch format {
            case .int16: bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
            case .int32: bytes.bindMemory(to: Int32.self).map { Float($0) / 2_147_483_648 }
            case .float32: Array(bytes.bindMemory(to: Float.self))
            }
        }
    }

    static func block(_ values: [Float]) -> BlockBuffer {
        values.withUnsafeBytes { BlockBuffer($0) }
    }

    /// The same audio as floats; `format` says so afterwards.
    static func widened(_ block: BlockBuffer, _ format: inout AudioFormat) -> BlockBuffer {
        guard let samples = format.sampleFormat, samples != .float32 else { return block }
        format.coding = .raw(.float32)
        return Self.block(values(block, samples))
    }
}
