internal import Media

/// How a device lays out one sample, and what vcap makes of it (little-endian throughout).
/// Three-byte and low-aligned 24-bit samples are widened to 32 bits on the delivery thread.
enum DeviceSampleLayout: String, Sendable, CaseIterable {
    case int32
    case int24In3 = "int24-in-3-bytes"
    case int24In4 = "int24-in-4-bytes"
    case int16
    case float32

    /// Bytes of one sample as the device delivers it.
    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24In3: 3
        case .int32, .int24In4, .float32: 4
        }
    }

    var sampleFormat: AudioSampleFormat {
        switch self {
        case .int16: .int16
        case .float32: .float32
        case .int32, .int24In3, .int24In4: .int32
        }
    }

    /// The device's bytes as samples of `sampleFormat`.
    func widened(_ packed: [UInt8]) -> BlockBuffer {
        switch self {
        case .int16, .int32, .float32: return BlockBuffer(packed)
        case .int24In3:
            return BlockBuffer(count: packed.count / 3 * 4) { out in
                for index in 0..<packed.count / 3 {
                    out[index * 4] = 0
                    for byte in 0..<3 { out[index * 4 + 1 + byte] = packed[index * 3 + byte] }
                }
            }
        case .int24In4:
            return BlockBuffer(count: packed.count) { out in
                for index in 0..<packed.count / 4 {
                    out[index * 4] = 0
                    for byte in 0..<3 { out[index * 4 + 1 + byte] = packed[index * 4 + byte] }
                }
            }
        }
    }
}
