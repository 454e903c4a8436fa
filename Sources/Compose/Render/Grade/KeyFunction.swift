internal import LibAV
internal import Media

/// What a key makes of the codes of a film's frames.
struct KeyFunction: Sendable {
    /// Of the screen above black (codes).
    private let luma: Float
    private let blue: Float
    private let red: Float
    /// The screen's chroma by its own length squared: the share of a chroma on its way.
    private let alongBlue: Float
    private let alongRed: Float
    private let lower: Float
    private let slope: Float
    private let spill: Float
    let black: Float
    let middle: Float
    let most: Float

    /// - Parameter color: of the film.
    init(_ key: ChromaKey, color: ColorDescription, depth: Int) {
        let codes = ColorCodes(color, depth: depth)
        let (r, g, b) = (Float(key.color.red), Float(key.color.green), Float(key.color.blue))
        let chroma = codes.chroma(r, g, b)
        let unit = Float(1 << (depth - 8))
        black = color.range == .full ? 0 : 16 * unit
        middle = 128 * unit
        most = Float(1 << depth - 1)
        luma = codes.luma(r, g, b) - black
        (blue, red) = (chroma.blue - middle, chroma.red - middle)
        let square = max(blue * blue + red * red, 1)
        (alongBlue, alongRed) = (blue / square, red / square)
        // transparent from `upper` on, whole up to `lower`
        let upper = Float(1 - max(0.01, key.tolerance))
        lower = max(0, upper - Float(key.softness))
        slope = 1 / max(upper - lower, 1 / 1024)
        spill = Float(key.spill)
    }

    /// How much of the screen is in a chroma: 1 on it, not above 0 for what is none of it.
    @inline(__always)
    func difference(_ u: Float, _ v: Float) -> Float {
        let (u, v) = (u - middle, v - middle)
        return u * alongBlue + v * alongRed - abs(u * alongRed - v * alongBlue)
    }

    /// The share of the screen that is seen through, of a difference.
    @inline(__always)
    func screen(_ difference: Float) -> Float { min(1, max(0, (difference - lower) * slope)) }

    /// What of a screen's value is taken from a code, and what the rest is multiplied by, at a difference.
    @inline(__always)
    private func parts(_ difference: Float) -> (taken: Float, gain: Float) {
        let screen = screen(difference)
        // the screen's part is a share of its colour that was added to what shows now by itself
        let gain = 1 / max(1 - screen, 1 / 16)
        return (max(0, difference) * gain, gain)
    }

    /// Of a pixel's luma, and of its chroma's difference.
    @inline(__always)
    func luma(_ y: Float, _ difference: Float) -> Float {
        let (taken, gain) = parts(difference)
        let plain = (y - black) * gain - luma * taken
        return y + (max(0, plain) + black - y) * spill
    }

    @inline(__always)
    func chroma(_ u: Float, _ v: Float, _ difference: Float) -> (Float, Float) {
        let (taken, gain) = parts(difference)
        let (plainU, plainV) = (
            (u - middle) * gain - blue * taken, (v - middle) * gain - red * taken
        )
        return (u + (plainU + middle - u) * spill, v + (plainV + middle - v) * spill)
    }
}
