import Foundation

/// A WAV file of 16-bit samples, written without any code of ours.
package enum WaveFile {
    /// - Parameters:
    ///   - channels: samples of each channel (full scale 1), all equally many.
    ///   - rate: samples per second.
    ///   - path: where to write it.
    package static func write(_ channels: [[Float]], rate: Int, to path: String) throws {
        let count = channels.first?.count ?? 0
        var data = Data(capacity: 44 + 2 * count * channels.count)
        func add(_ value: UInt32) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        func add(_ value: UInt16) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        let bytes = UInt32(2 * count * channels.count)
        data.append(contentsOf: Array("RIFF".utf8))
        add(36 + bytes)
        data.append(contentsOf: Array("WAVEfmt ".utf8))
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(channels.count))
        add(UInt32(rate))
        add(UInt32(rate * 2 * channels.count))
        add(UInt16(2 * channels.count))
        add(UInt16(16))
        data.append(contentsOf: Array("data".utf8))
        add(bytes)
        var samples = [Int16](repeating: 0, count: count * channels.count)
        for (number, channel) in channels.enumerated() {
            for (frame, value) in channel.enumerated() {
                samples[frame * channels.count + number] = Int16(
                    max(-1, min(1, value)) * 32_767)
            }
        }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
