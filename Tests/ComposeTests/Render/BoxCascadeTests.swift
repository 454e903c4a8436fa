import Media
import Testing

@testable import Compose

@Suite("The blur")
struct BoxCascadeTests {
    private func change(
        _ bytes: inout [UInt8], width: Int, _ body: (MutablePixelPlane) -> Void
    ) {
        let rows = bytes.count / width
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            body(MutablePixelPlane(base: base, bytesPerRow: width, rows: rows))
        }
    }

    private func blur(_ bytes: inout [UInt8], width: Int, _ cascade: BoxCascade) {
        change(&bytes, width: width) { plane in
            BoxCascade.blur(
                plane, columns: width, across: cascade, down: cascade, largest: UInt8.max)
        }
    }

    private func shadow(_ deviation: Double, _ width: Int, _ height: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height)
        for y in (height / 2 - 1)...(height / 2 + 1) {
            for x in (width / 2 - 1)...(width / 2 + 1) { bytes[y * width + x] = 255 }
        }
        change(&bytes, width: width) {
            BoxCascade.shadow($0, columns: width, deviation: deviation)
        }
        return bytes
    }

    @Test("the spread of a shadow is that of a Gaussian", arguments: [1.0, 2.0, 3.0])
    func spread(_ deviation: Double) {
        let size = 41
        let bytes = shadow(deviation, size, size)
        var (sum, square) = (0.0, 0.0)
        for y in 0..<size {
            for x in 0..<size {
                let value = Double(bytes[y * size + x])
                sum += value
                square += value * Double((x - 20) * (x - 20))
            }
        }
        // the square of three pixels has a variance of 2/3 of its own
        #expect(abs((square / sum - 2.0 / 3).squareRoot() - deviation) < 0.25 * deviation)
        #expect(abs(sum / (9 * 255) - 1) < 0.12)
    }

    @Test("a shadow is the same in both directions, and nothing happens for no radius")
    func symmetry() {
        let bytes = shadow(2, 31, 31)
        for y in 0..<31 {
            for x in 0..<31 {
                #expect(abs(Int(bytes[y * 31 + x]) - Int(bytes[x * 31 + y])) <= 1)
                #expect(bytes[y * 31 + x] == bytes[y * 31 + 30 - x])
            }
        }
        #expect(shadow(0, 9, 9).filter { $0 == 255 }.count == 9)
    }

    /// Letters' masks have sharp edges and lie at the frame's edges too.
    @Test(
        "a shadow is within one code of three means in whole numbers",
        arguments: [0.3, 0.5, 1, 1.7, 2.5, 4, 9, 20])
    func wholeNumbers(_ deviation: Double) {
        let (width, height) = (97, 61)
        var bytes = (0..<width * height).map { index -> UInt8 in
            let (x, y) = (index % width, index / width)
            return (x / 7 + y / 5) % 3 == 0 ? 255 : (x * y) % 11 == 0 ? 128 : 0
        }
        var expected = bytes.map(Double.init)
        let reaches = Self.reaches(deviation)
        for reach in reaches where reach > 0 {
            Self.mean(&expected, reach, lines: height, width, count: width, 1)
            Self.mean(&expected, reach, lines: width, 1, count: height, width)
        }
        change(&bytes, width: width) {
            BoxCascade.shadow($0, columns: width, deviation: deviation)
        }
        let worst = zip(bytes, expected).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(worst <= 0.51, "the means without any rounding between them")
    }

    /// The widths that SVG's and CSS's shadows are made of.
    private static func reaches(_ deviation: Double) -> [Int] {
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        var lower = max(1, Int(ideal))
        if lower % 2 == 0 { lower -= 1 }
        let wanted = 12 * deviation * deviation - Double(3 * lower * lower + 12 * lower + 9)
        let count = Int((wanted / Double(-4 * lower - 4)).rounded())
        return (0..<3).map { ($0 < count ? lower : lower + 2) / 2 }
    }

    private static func mean(
        _ values: inout [Double], _ reach: Int, lines: Int, _ lineStep: Int, count: Int, _ step: Int
    ) {
        for line in 0..<lines {
            let old = (0..<count).map { values[line * lineStep + $0 * step] }
            for index in 0..<count {
                let window = old[max(0, index - reach)...min(count - 1, index + reach)]
                values[line * lineStep + index * step] =
                    window.reduce(0, +) / Double(2 * reach + 1)
            }
        }
    }

    @Test("what is far from anything drawn stays empty, and nothing drawn casts no shadow")
    func empty() {
        var bytes = [UInt8](repeating: 0, count: 200 * 100)
        change(&bytes, width: 200) { BoxCascade.shadow($0, columns: 200, deviation: 5) }
        #expect(bytes.allSatisfy { $0 == 0 })
        bytes[0] = 255
        bytes[99 * 200 + 199] = 255
        change(&bytes, width: 200) { BoxCascade.shadow($0, columns: 200, deviation: 1) }
        #expect(bytes[0] > 0 && bytes[99 * 200 + 199] == bytes[0])
        #expect(bytes[50 * 200 + 100] == 0)
    }

    @Test("a frame continues beyond its edges as bright as it ends")
    func pictures() {
        var bytes = [UInt8](repeating: 200, count: 40 * 20)
        blur(&bytes, width: 40, BoxCascade(variance: 9, edge: 0.4))
        #expect(bytes.allSatisfy { $0 == 200 })
    }

    @Test("a bright edge beside a darker column is no brighter than white")
    func overshoot() {
        var bytes = (0..<40 * 20).map { $0 % 40 == 1 ? UInt8(235) : 255 }
        blur(&bytes, width: 40, BoxCascade(variance: 16, edge: 0.45))
        #expect(bytes[0] >= 250)
    }
}
