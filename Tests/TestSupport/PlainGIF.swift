/// An animation of plain frames, made byte by byte.
package enum PlainGIF {
    /// Of the palette; index 0 is what is transparent.
    package static let levels: [UInt8] = [0, 40, 70, 100, 130, 160, 190, 220]

    /// A GIF of plain pictures: gray levels of `levels`, one after the other.
    /// - Parameters:
    ///   - delays: of each frame, as written (hundredths of a second).
    ///   - isHalfClear: whether the right half is transparent.
    package static func bytes(
        delays: [Int], width: Int = 16, height: Int = 16, isHalfClear: Bool = false
    ) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + short(width) + short(height) + [0x80 | 2, 0, 0]
        for level in levels { bytes += [level, level, level] }
        for (index, delay) in delays.enumerated() {
            // disposal 1: it stays, as most GIFs have it
            bytes += [0x21, 0xF9, 4, 1 << 2 | (isHalfClear ? 1 : 0)] + short(delay) + [0, 0]
            bytes += [0x2C, 0, 0, 0, 0] + short(width) + short(height) + [0]
            let pixels = (0..<(width * height)).map { place in
                isHalfClear && place % width >= width / 2 ? 0 : 1 + index % 7
            }
            bytes += coded(pixels)
        }
        return bytes + [0x3B]
    }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8 & 255)]
    }

    /// Codes of four bits, with the table cleared before each six pixels, so that it never grows.
    private static func coded(_ pixels: [Int]) -> [UInt8] {
        var codes: [Int] = []
        for (index, pixel) in pixels.enumerated() {
            if index % 6 == 0 { codes.append(8) }
            codes.append(pixel)
        }
        codes.append(9)
        if codes.count % 2 == 1 { codes.append(0) }
        let bytes = stride(from: 0, to: codes.count, by: 2).map {
            UInt8(codes[$0] | codes[$0 + 1] << 4)
        }
        var result: [UInt8] = [3]
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let part = bytes[start..<min(start + 255, bytes.count)]
            result += [UInt8(part.count)] + part
        }
        return result + [0]
    }
}
