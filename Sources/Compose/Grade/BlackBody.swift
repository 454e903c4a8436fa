internal import Glibc

/// The colour of what glows.
///
/// Source: Krystek's rational approximation of the Planckian locus in CIE 1960's uv (1985).
enum BlackBody {
    /// Of daylight at 6,504 K (mired).
    static let daylight = 1e6 / 6504

    /// The chromaticity (CIE xy) of a temperature.
    /// - Parameters:
    ///   - mired: a million by the temperature in kelvin.
    ///   - tint: how far beside the line of temperatures, towards magenta (3,000 for one unit of uv).
    static func white(mired: Double, tint: Double) -> SIMD2<Double> {
        let place = uv(mired)
        let way = uv(mired + 0.5) - uv(mired - 0.5)
        let length = (way * way).sum().squareRoot()
        // green lies above the line
        let across = SIMD2(-way.y, way.x) / length
        let green = across.y > 0 ? across : -across
        let point = place - green * (tint / 3000)
        let sum = 2 * point.x - 8 * point.y + 4
        return SIMD2(3 * point.x / sum, 2 * point.y / sum)
    }

    private static func uv(_ mired: Double) -> SIMD2<Double> {
        let kelvin = 1e6 / mired
        let square = kelvin * kelvin
        return SIMD2(
            (0.860_117_757 + 1.541_182_54e-4 * kelvin + 1.286_412_12e-7 * square)
                / (1 + 8.424_202_35e-4 * kelvin + 7.081_451_63e-7 * square),
            (0.317_398_726 + 4.228_062_45e-5 * kelvin + 4.204_816_91e-8 * square)
                / (1 - 2.897_418_16e-5 * kelvin + 1.614_560_53e-7 * square))
    }
}
