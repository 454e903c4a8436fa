internal import Glibc
package import Media

/// The highest level of the last half second, for any number of readers: reading changes nothing.
///
/// A pure value. Times are host nanoseconds.
package struct PeakMeter: Sendable {
    /// Audio is summed up in windows so long (ns) …
    private static let window: Int64 = 50_000_000
    /// … of which so many are looked back at.
    private static let count: Int64 = 10

    private struct Window: Sendable {
        var number: Int64
        var peak: Float
    }

    private var windows: [Window] = []

    package init() {}

    /// - Returns: the block's own (1 is full scale).
    @discardableResult
    package mutating func add(_ block: BlockBuffer, _ format: AudioSampleFormat, at stamp: Int64)
        -> Float
    {
        let number = stamp / Self.window
        let peak = Self.peak(of: block, format)
        windows.removeAll { $0.number <= number - Self.count }
        if let last = windows.indices.last, windows[last].number >= number {
            windows[last].peak = max(windows[last].peak, peak)
        } else {
            windows.append(Window(number: number, peak: peak))
        }
        return peak
    }

    /// The highest level of the half second before `now` (dBFS; -infinity is silence, or no audio).
    package func level(at now: Int64) -> Double {
        let first = now / Self.window - Self.count
        let peak = windows.reduce(0) { $1.number >= first ? max($0, $1.peak) : $0 }
        return Self.decibels(peak)
    }

    /// Of a level (1 is full scale; dBFS).
    package static func decibels(_ peak: Float) -> Double {
        peak > 0 ? 20 * log10(Double(peak)) : -.infinity
    }

    private static func peak(of block: BlockBuffer, _ format: AudioSampleFormat) -> Float {
        block.withUnsafeBytes { bytes in
            switch format {
            case .int16:
                var highest: Int32 = 0
                for sample in bytes.bindMemory(to: Int16.self) {
                    highest = max(highest, abs(Int32(sample)))
                }
                return Float(highest) / 32_768
            case .int32:
                var highest: Int64 = 0
                for sample in bytes.bindMemory(to: Int32.self) {
                    highest = max(highest, abs(Int64(sample)))
                }
                return Float(highest) / 2_147_483_648
            case .float32:
                var highest: Float = 0
                for sample in bytes.bindMemory(to: Float.self) {
                    highest = max(highest, abs(sample))
                }
                return highest
            }
        }
    }
}
