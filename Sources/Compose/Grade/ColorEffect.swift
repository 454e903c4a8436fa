internal import LibAV
internal import Media

/// Something that changes colours, whatever pixel they belong to. `ColorGrade` applies those of vcap in a fixed order
/// and then any other ones.
public protocol ColorEffect: Sendable, Hashable {
    /// What becomes of each colour: red, green and blue as they are coded, 0 being black and 1 white (of a high dynamic
    /// range the most that can be coded). What comes and goes may lie beyond both. The same colour always becomes the
    /// same one.
    /// - Parameter space: what the codes mean.
    func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double>
}

/// What red, green and blue of a film's frames mean.
public struct GradeSpace: Sendable {
    private let frames: FrameLight

    init(_ frames: FrameLight) { self.frames = frames }

    /// What red, green and blue count in luma (sum 1).
    public var lumaWeights: SIMD3<Double> { frames.lumaWeights }

    /// The code of middle grey, which reflects 18 % of what white does.
    public var middleGray: Double { frames.code(ofLight: 0.18) }

    /// Codes as light, 1 being white, of a high dynamic range diffuse white.
    public func light(of codes: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            frames.light(ofCode: codes.x), frames.light(ofCode: codes.y),
            frames.light(ofCode: codes.z))
    }

    /// Light as codes.
    public func codes(of light: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            frames.code(ofLight: light.x), frames.code(ofLight: light.y),
            frames.code(ofLight: light.z))
    }

    /// What light becomes under another white than daylight.
    /// - Parameters:
    ///   - warmth: how much warmer (mired).
    ///   - tint: towards magenta (thousandths of three units of CIE 1960's uv, across the line of temperatures).
    func whiteBalance(
        warmth: Double, tint: Double
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        frames.adaptation(
            from: BlackBody.white(mired: BlackBody.daylight, tint: 0),
            to: BlackBody.white(mired: BlackBody.daylight + warmth, tint: tint))
    }
}
