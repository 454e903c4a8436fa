internal import LibAV
internal import Media

/// What a grade makes of the codes of a film's frames: luma, blue and red difference.
struct CodeFunction: Sendable {
    private let mappings: [@Sendable (SIMD3<Double>) -> SIMD3<Double>]
    private let weights: SIMD3<Double>
    /// Codes without light and without colour.
    private let origin: SIMD3<Double>
    private let scale: SIMD3<Double>
    private let most: Double

    /// - Parameter color: with its matrix stated.
    /// - Throws: what reading a table throws.
    init(_ grade: ColorGrade, color: ColorDescription, depth: Int) throws(MediaError) {
        let light = FrameLight(color)
        let space = GradeSpace(light)
        mappings = try grade.steps().map { $0.mapping(in: space) }
        weights = light.lumaWeights
        let unit = Double(1 << (depth - 8))
        most = Double(1 << depth - 1)
        let isFull = color.range == .full
        let (luma, chroma) = isFull ? (most, most) : (219 * unit, 224 * unit)
        origin = SIMD3(isFull ? 0 : 16 * unit, 128 * unit, 128 * unit)
        scale = SIMD3(luma, chroma, chroma)
    }

    /// Not rounded; within what can be coded.
    func callAsFunction(_ codes: SIMD3<Double>) -> SIMD3<Double> {
        let plain = (codes - origin) / scale
        let red = plain.x + 2 * (1 - weights.x) * plain.z
        let blue = plain.x + 2 * (1 - weights.z) * plain.y
        let green = (plain.x - weights.x * red - weights.z * blue) / weights.y
        let source = SIMD3(red, green, blue)
        var color = source
        for mapping in mappings { color = mapping(color) }
        // an effect of someone else may make no number of it
        color.replace(with: source, where: color .!= color)
        // a display shows nothing beyond; what a camera coded beyond white may stay there
        color = color.clamped(
            lowerBound: SIMD3(repeating: min(0, source.min())),
            upperBound: SIMD3(repeating: max(1, source.max())))
        let luma = (color * weights).sum()
        let made = SIMD3(
            luma, (color.z - luma) / (2 * (1 - weights.z)), (color.x - luma) / (2 * (1 - weights.x))
        )
        return (origin + made * scale).clamped(
            lowerBound: .zero, upperBound: SIMD3(repeating: most))
    }
}
