internal import Media

/// The codes that a frame has for colours of eight bits.
struct ColorCodes: Sendable {
    private let red: Double
    private let blue: Double
    private let luma: (scale: Double, offset: Double)
    private let chroma: Double

    init(_ color: ColorDescription) {
        (red, blue) =
            switch color.matrix {
            case 1: (0.2126, 0.0722)
            case 9, 10: (0.2627, 0.0593)
            default: (0.299, 0.114)
            }
        let isFull = color.range == .full
        luma = isFull ? (1, 0) : (219.0 / 255, 16)
        chroma = isFull ? 1 : 224.0 / 255
    }

    /// - Parameters:
    ///   - red: 0…255, as the others.
    ///   - share: of how much of a pixel: the codes of a premultiplied colour are that much of its own.
    func codes(
        red r: Double, green g: Double, blue b: Double, share: Double = 1
    ) -> (luma: Double, blue: Double, red: Double) {
        let y = red * r + (1 - red - blue) * g + blue * b
        return (
            y * luma.scale + luma.offset * share,
            (b - y) / (2 * (1 - blue)) * chroma + 128 * share,
            (r - y) / (2 * (1 - red)) * chroma + 128 * share
        )
    }
}
