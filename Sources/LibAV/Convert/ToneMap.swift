internal import Glibc
import Media

/// Brings frames of a high dynamic range (PQ, HLG) to what SDR displays show.
///
/// - Diffuse white, 203 cd/m², is the most that SDR shows; what is brighter up to the peak is compressed into what lies
///   below it by BT.2390's curve, which leaves light below its knee as it is (93 cd/m² for a peak of 1000).
/// - The curve is that of the largest component; the others keep their share of it, and so every colour its hue. What
///   lies outside the target's primaries is cut, component by component, as SDR's wide colours are.
/// - HLG is taken as on a display of 1000 cd/m².
///
/// Source: BT.2390-11, 5.4.1 (the curve); BT.2408-7, 2.1 (diffuse white); BT.2100-2, table 5 (HLG's OOTF).
struct ToneMap: Sendable {
    /// Of PQ that does not say on what it was mastered (cd/m²).
    static let usualPeak = 1000.0

    private let row: ToneRow

    /// What a map is made for.
    private struct Kind: Hashable {
        let source: ColorDescription
        let target: ColorDescription
        let peak: Double?
    }

    /// A layer that moves asks anew with every frame.
    private static let known = Lock<[Kind: ToneMap]>([:])
    private static let knownLimit = 8

    /// As `init`, but made once.
    static func between(
        _ source: ColorDescription, _ target: ColorDescription, peak: Double?
    ) -> ToneMap? {
        let kind = Kind(source: source, target: target, peak: peak)
        if let found = known.withLock({ $0[kind] }) { return found }
        guard let map = ToneMap(from: source, to: target, peak: peak) else { return nil }
        known.withLock { known in
            if known.count >= knownLimit { known.removeAll() }
            known[kind] = map
        }
        return map
    }

    /// Nil where the source is no HDR or the target is.
    /// - Parameters:
    ///   - source, target: with nothing left open.
    ///   - peak: the brightest that the source means (cd/m²; nil: not known).
    init?(from source: ColorDescription, to target: ColorDescription, peak: Double? = nil) {
        guard source.rangeName != nil, ConformColors.displayTransfers.contains(target.transfer)
        else {
            return nil
        }
        let white = LightCurve.diffuseWhite
        let isScene = source.transfer == 18
        let lights = (0...65_535).map { index in
            let code = Double(index) / 65_535
            return Float(
                isScene ? LightCurve.scene(ofHLG: code) : LightCurve.light(ofPQ: code) / white)
        }
        let displayed =
            isScene
            ? LightTable { pow($0, LightCurve.hlgGamma - 1) * LightCurve.hlgPeak / white } : nil
        let most =
            isScene ? LightCurve.hlgPeak : min(10_000, max(peak ?? Self.usualPeak, white))
        let (own, wanted) = (ColorPrimaries(source.primaries), ColorPrimaries(target.primaries))
        let matrix = own.matrix(to: wanted).columns
        row = ToneRow(
            lights: lights, displayed: displayed, weights: SIMD3<Float>(own.luminance),
            columns: (SIMD3<Float>(matrix.0), SIMD3<Float>(matrix.1), SIMD3<Float>(matrix.2)),
            gains: LightTable { Self.compressed($0 * white, peak: most) / ($0 * white) },
            codes: DisplayCodes { LightCurve.code(ofDisplayed: $0, target.transfer) })
    }

    /// What BT.2390's curve makes of light (cd/m²) that reaches up to a peak.
    static func compressed(_ light: Double, peak: Double) -> Double {
        let (whole, white) = (LightCurve.pq(ofLight: peak), LightCurve.diffuseWhite)
        let most = LightCurve.pq(ofLight: white) / whole
        let knee = 1.5 * most - 0.5
        let code = min(1, LightCurve.pq(ofLight: light) / whole)
        guard code > knee, knee < 1 else { return min(light, white) }
        let part = (code - knee) / (1 - knee)
        let (square, cube) = (part * part, part * part * part)
        let result =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + part) * (1 - knee)
            + (3 * square - 2 * cube) * most
        return min(white, LightCurve.light(ofPQ: result * whole))
    }

    /// - Parameter target: another row, or the same.
    func apply(_ source: RGBRow, into target: RGBRow, count: Int) {
        row.apply(source, into: target, count: count)
    }
}
