internal import LibAV
internal import Media

/// Codes of RGB colours in the target's matrix, range and depth.
///
/// sRGB's and the target's primaries and curves are taken as one, as players show them; but in HDR sRGB's white is
/// diffuse white.
struct ColorCodes {
    private let red: Float
    private let blue: Float
    private let lumaScale: Float
    private let chromaScale: Float
    private let lumaBlack: Float
    private let chromaBlack: Float
    private let most: Float
    private let hdr: StandardCodes?

    init(_ color: ColorDescription, depth: Int) {
        // BT.2020's matrix of constant luminance is shown as its other one
        var nearest = color
        if nearest.matrix == 10 { nearest.matrix = 9 }
        hdr = StandardCodes.inFrames(of: color)
        (red, blue) = nearest.lumaWeights ?? (0.2126, 0.0722)
        let unit = Float(1 << (depth - 8))
        most = Float(1 << depth - 1)
        let isFull = color.range == .full
        lumaScale = isFull ? most : 219 * unit
        chromaScale = isFull ? most : 224 * unit
        lumaBlack = isFull ? 0 : 16 * unit
        chromaBlack = 128 * unit
    }

    /// Luma of a colour (components 0…1).
    @inline(__always)
    func luma(_ r: Float, _ g: Float, _ b: Float) -> Float {
        let (r, g, b) = hdr?.codes(r, g, b) ?? (r, g, b)
        return clamped(lumaBlack + lumaScale * (red * r + (1 - red - blue) * g + blue * b))
    }

    @inline(__always)
    func chroma(_ r: Float, _ g: Float, _ b: Float) -> (blue: Float, red: Float) {
        let (r, g, b) = hdr?.codes(r, g, b) ?? (r, g, b)
        let luma = red * r + (1 - red - blue) * g + blue * b
        return (
            clamped(chromaBlack + chromaScale * (b - luma) / (2 * (1 - blue))),
            clamped(chromaBlack + chromaScale * (r - luma) / (2 * (1 - red)))
        )
    }

    /// A colour's codes, rounded to nearest.
    func codes(_ color: Color) -> [Int] {
        let (r, g, b) = (Float(color.red), Float(color.green), Float(color.blue))
        let chroma = chroma(r, g, b)
        return [luma(r, g, b), chroma.blue, chroma.red].map { Int($0.rounded()) }
    }

    @inline(__always)
    private func clamped(_ value: Float) -> Float { max(0, min(most, value)) }
}
