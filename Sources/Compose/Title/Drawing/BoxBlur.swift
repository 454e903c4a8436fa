/// A blur close to a Gaussian one: three running means in each direction.
struct BoxBlur {
    /// Pixels on each side of a mean's middle, one for each pass.
    private let reaches: [Int]

    /// - Parameter deviation: the standard deviation (pixels); below about 0.4 nothing changes.
    init(deviation: Double) {
        // means of widths w have the variance (w² − 1) / 12 each; the widths that are odd and closest
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        var lower = Int(ideal)
        if lower % 2 == 0 { lower -= 1 }
        lower = max(1, lower)
        let square = Double(lower * lower)
        let wanted = 12 * deviation * deviation - 3 * square - 12 * Double(lower) - 9
        let count = Int((wanted / (-4 * Double(lower) - 4)).rounded())
        reaches = (0..<3).map { ($0 < count ? lower : lower + 2) / 2 }
    }

    /// Blurs bytes in place; outside there is nothing.
    func apply(
        _ bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
    ) {
        guard reaches.contains(where: { $0 > 0 }), width > 0, height > 0 else { return }
        var line = [UInt8](repeating: 0, count: max(width, height))
        for reach in reaches where reach > 0 {
            for y in 0..<height {
                Self.mean(bytes, y * bytesPerRow, 1, width, reach, &line)
            }
            for x in 0..<width { Self.mean(bytes, x, bytesPerRow, height, reach, &line) }
        }
    }

    private static func mean(
        _ bytes: UnsafeMutableRawBufferPointer, _ start: Int, _ step: Int, _ count: Int,
        _ reach: Int, _ line: inout [UInt8]
    ) {
        let size = UInt32(2 * reach + 1)
        // a reciprocal instead of a division: exact for sums of bytes up to widths of some thousands
        let factor = ((1 << 24) + UInt64(size) / 2) / UInt64(size)
        var sum: UInt32 = 0
        for index in 0..<min(reach, count) { sum += UInt32(bytes[start + index * step]) }
        for index in 0..<count {
            if index + reach < count { sum += UInt32(bytes[start + (index + reach) * step]) }
            if index > reach { sum -= UInt32(bytes[start + (index - reach - 1) * step]) }
            line[index] = UInt8(
                truncatingIfNeeded: min(255, (UInt64(sum) * factor + (1 << 23)) >> 24))
        }
        for index in 0..<count { bytes[start + index * step] = line[index] }
    }
}
