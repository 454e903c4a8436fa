import Media
import TestSupport

/// A frame without a code, of a kind that looks like one.
struct OddFrame {
    static let (width, height) = (320, 240)

    /// - Parameter number: its kind and its seed.
    static func luma(_ number: UInt64) -> [UInt8] {
        var random = SplitMix(seed: number)
        switch number % 8 {
        case 0: return bytes { _, _ in UInt8(truncatingIfNeeded: random.next()) }
        case 1: return bars(&random, widths: 1...9)
        case 2: return bars(&random, widths: 2...3)
        case 3: return blocks(&random, size: 4)
        case 4: return blocks(&random, size: 12)
        case 5:
            let (rows, slope) = (Int(random.next() % 40) + 3, Int(random.next() % 5))
            return bytes { x, y in (y + x * slope / 3) / rows % 2 == 0 ? 30 : 220 }
        case 6:
            let (dx, dy) = (Int(random.next() % 7) + 1, Int(random.next() % 7) + 1)
            return bytes { x, y in UInt8(truncatingIfNeeded: x * dx + y * dy) }
        default: return nested(&random)
        }
    }

    private static func bytes(_ value: (Int, Int) -> UInt8) -> [UInt8] {
        var luma: [UInt8] = []
        luma.reserveCapacity(width * height)
        for y in 0..<height { for x in 0..<width { luma.append(value(x, y)) } }
        return luma
    }

    /// Bars of random widths from edge to edge, or with light around.
    private static func bars(_ random: inout SplitMix, widths: ClosedRange<Int>) -> [UInt8] {
        var row: [UInt8] = []
        let margin = random.next() % 2 == 0 ? 0 : 40
        row += repeatElement(220, count: margin)
        var isDark = true
        while row.count < width - margin {
            row += repeatElement(isDark ? 30 : 220, count: Int.random(in: widths, using: &random))
            isDark.toggle()
        }
        row = Array(row.prefix(width - margin)) + repeatElement(220, count: margin)
        return Array(repeatElement(row, count: height).joined())
    }

    /// Modules without a meaning.
    private static func blocks(_ random: inout SplitMix, size: Int) -> [UInt8] {
        let across = width / size + 1
        let cells = (0..<across * (height / size + 1)).map { _ in random.next() % 2 == 0 }
        return bytes { x, y in
            guard (20..<300).contains(x), (20..<220).contains(y) else { return 220 }
            return cells[y / size * across + x / size] ? 30 : 220
        }
    }

    /// Squares in squares, as finder patterns are, with noise between.
    private static func nested(_ random: inout SplitMix) -> [UInt8] {
        var luma = blocks(&random, size: 5)
        for _ in 0..<6 {
            let (left, top) = (Int(random.next() % 280), Int(random.next() % 200))
            for y in 0..<35 {
                for x in 0..<35 {
                    let ring = min(min(x, 34 - x), min(y, 34 - y)) / 5
                    luma[(top + y) * width + left + x] = ring == 1 ? 220 : 30
                }
            }
        }
        return luma
    }
}
