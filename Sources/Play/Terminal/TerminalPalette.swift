/// How many colours a terminal has.
package enum TerminalColors: Sendable {
    /// Every colour by its parts.
    case trueColor
    /// 256: a cube of 6x6x6 and 24 greys (xterm's).
    case palette
}

/// The 256 colours that xterm began with, without the first sixteen, which people change.
enum TerminalPalette {
    private static let steps: [Int] = [0, 95, 135, 175, 215, 255]

    /// The number of the colour that is nearest.
    static func nearest(to color: RGB) -> UInt8 {
        let parts = [color.red, color.green, color.blue].map { Int($0) }
        let places = parts.map(step)
        let cube = zip(places, parts).reduce(0) { $0 + square(steps[$1.0] - $1.1) }
        let mean = parts.reduce(0, +) / 3
        let grey = min(23, max(0, (mean - 3) / 10))
        let level = 8 + 10 * grey
        let greyness = parts.reduce(0) { $0 + square(level - $1) }
        return greyness < cube
            ? UInt8(232 + grey) : UInt8(16 + 36 * places[0] + 6 * places[1] + places[2])
    }

    /// What a number of 16 and more looks like.
    static func color(_ number: UInt8) -> RGB {
        if number >= 232 {
            let level = UInt8(8 + 10 * (Int(number) - 232))
            return RGB(level, level, level)
        }
        let cube = max(0, Int(number) - 16)
        func part(_ place: Int) -> UInt8 { UInt8(steps[place]) }
        return RGB(part(cube / 36), part(cube / 6 % 6), part(cube % 6))
    }

    /// The place of the nearest step.
    private static func step(_ level: Int) -> Int {
        level < 48 ? 0 : level < 115 ? 1 : min(5, (level - 35) / 40)
    }

    private static func square(_ value: Int) -> Int { value * value }
}
