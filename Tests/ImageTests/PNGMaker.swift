import TestSupport

/// Writes animated PNGs for tests, stored without compression.
struct PNGMaker {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        /// RGBA.
        var rgba: [UInt8]
        var delay: (Int, Int)
        /// 0 keeps, 1 clears, 2 gives back.
        var disposal = 0
        var isBlended = false
    }

    var width: Int
    var height: Int
    var loops = 0
    var frames: [Frame]
    /// For those who know no animations; else it is the first picture.
    var hasDefaultFrame = false

    var bytes: [UInt8] {
        var number = 0
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        result += Self.chunk("IHDR", Self.big(width, 4) + Self.big(height, 4) + [8, 6, 0, 0, 0])
        result += Self.chunk("acTL", Self.big(frames.count, 4) + Self.big(loops, 4))
        if hasDefaultFrame {
            let plain = [UInt8](repeating: 99, count: 4 * width * height)
            result += Self.chunk("IDAT", Self.coded(plain, width))
        }
        for (index, frame) in frames.enumerated() {
            var control = Self.big(number, 4) + Self.big(frame.width, 4) + Self.big(frame.height, 4)
            control += Self.big(frame.x, 4) + Self.big(frame.y, 4)
            control += Self.big(frame.delay.0, 2) + Self.big(frame.delay.1, 2)
            control += [UInt8(frame.disposal), frame.isBlended ? 1 : 0]
            result += Self.chunk("fcTL", control)
            number += 1
            let data = Self.coded(frame.rgba, frame.width)
            // in two parts, as writers may
            let middle = data.count / 2
            for part in [data[..<middle], data[middle...]] {
                if index == 0, !hasDefaultFrame {
                    result += Self.chunk("IDAT", Array(part))
                } else {
                    result += Self.chunk("fdAT", Self.big(number, 4) + part)
                    number += 1
                }
            }
        }
        return result + Self.chunk("IEND", [])
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        return big(body.count, 4) + named + big(Int(checksum(named)), 4)
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return ~sum
    }

    /// A still picture of rows with their filters, its data in so many chunks.
    static func still(
        _ width: Int, _ height: Int, _ depth: Int, _ kind: Int, _ lines: [[UInt8]], parts: Int = 1
    ) -> [UInt8] {
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let size = big(width, 4) + big(height, 4)
        result += chunk("IHDR", size + [UInt8(depth), UInt8(kind), 0, 0, 0])
        let data = stored(Array(lines.joined()))
        let step = (data.count + parts - 1) / parts
        for start in stride(from: 0, to: data.count, by: step) {
            result += chunk("IDAT", Array(data[start..<min(start + step, data.count)]))
        }
        return result + chunk("IEND", [])
    }

    /// Rows without a filter.
    private static func coded(_ rgba: [UInt8], _ width: Int) -> [UInt8] {
        stored(
            stride(from: 0, to: rgba.count, by: 4 * width).flatMap {
                [0] + rgba[$0..<($0 + 4 * width)]
            })
    }

    /// In stored blocks.
    private static func stored(_ rows: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 1]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let part = rows[start..<min(start + 65_535, rows.count)]
            result += [start + part.count == rows.count ? 1 : 0]
            result += WebPMaker.number(part.count, 2) + WebPMaker.number(~part.count, 2) + part
        }
        var (low, high) = (1, 0)
        for byte in rows {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(high << 16 | low, 4)
    }

    /// What is seen after each picture, by the specification: RGBA.
    var seen: [[UInt8]] {
        var canvas = StraightCanvas(width: width, height: height)
        return frames.enumerated().map { index, frame in
            let before = canvas.rgba
            canvas.write(
                frame.rgba, x: frame.x, y: frame.y, width: frame.width, height: frame.height,
                isBlended: frame.isBlended)
            let result = canvas.rgba
            if frame.disposal == 1 || frame.disposal == 2 && index == 0 {
                canvas.clear(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
            } else if frame.disposal == 2 {
                canvas.restore(before)
            }
            return result
        }
    }

    static func random(seed: UInt64) -> PNGMaker {
        var chance = SplitMix(seed: seed)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
        let (width, height) = (number(1..<30), number(1..<30))
        let frames = (0..<number(2..<8)).map { index -> Frame in
            let isWhole = index == 0 || number(0..<3) == 0
            let (x, y) = isWhole ? (0, 0) : (number(0..<width), number(0..<height))
            let ownWidth = isWhole ? width : number(1..<(width - x + 1))
            let ownHeight = isWhole ? height : number(1..<(height - y + 1))
            return Frame(
                x: x, y: y, width: ownWidth, height: ownHeight,
                rgba: (0..<(ownWidth * ownHeight)).flatMap { place in
                    (0..<3).map { _ in UInt8(number(0..<256)) }
                        + [[0, 255, 128, 3, 255][place % 5]]
                }, delay: (number(0..<20), [0, 25, 30, 1000, 24][number(0..<5)]),
                disposal: number(0..<3), isBlended: number(0..<2) == 0)
        }
        return PNGMaker(
            width: width, height: height, loops: number(0..<3), frames: frames,
            hasDefaultFrame: number(0..<3) == 0)
    }
}
