internal import Glibc
internal import Media

/// The highest sample since it was last asked. A pure value.
struct PeakMeter: Sendable {
    private var peak: Float = 0

    mutating func add(_ block: BlockBuffer, _ format: AudioSampleFormat) {
        block.withUnsafeBytes { bytes in
            switch format {
            case .int16:
                var highest: Int32 = 0
                for sample in bytes.bindMemory(to: Int16.self) {
                    highest = max(highest, abs(Int32(sample)))
                }
                peak = max(peak, Float(highest) / 32_768)
            case .int32:
                var highest: Int64 = 0
                for sample in bytes.bindMemory(to: Int32.self) {
                    highest = max(highest, abs(Int64(sample)))
                }
                peak = max(peak, Float(highest) / 2_147_483_648)
            case .float32:
                for sample in bytes.bindMemory(to: Float.self) { peak = max(peak, abs(sample)) }
            }
        }
    }

    /// The peak (dBFS; -infinity is silence), and begins anew.
    mutating func take() -> Double {
        defer { peak = 0 }
        return peak > 0 ? 20 * log10(Double(peak)) : -.infinity
    }
}
