package import Media

/// Between a frame's red, green and blue as they are coded (0…1) and the light they stand for, 1 being diffuse white.
/// Of an SDR frame that is what BT.1886's display shows, of HLG the scene's.
///
/// Source: BT.1886, annex 1; BT.2100-2, tables 4 and 5; BT.2408-7, 2.1.
package struct FrameLight: Sendable {
    /// What red, green and blue count in luma (sum 1).
    package let lumaWeights: SIMD3<Double>
    private let transfer: UInt8
    private let primaries: ColorPrimaries
    /// Of HLG: diffuse white's light.
    private static let hlgWhite = LightCurve.scene(ofHLG: 0.75)

    /// - Parameter color: of the frame; where its matrix is none, BT.709's weights.
    package init(_ color: ColorDescription) {
        transfer = color.transfer
        primaries = ColorPrimaries(color.primaries)
        var nearest = color
        // BT.2020's matrix of constant luminance is shown as its other one
        if nearest.matrix == 10 { nearest.matrix = 9 }
        let (red, blue) = nearest.lumaWeights ?? (0.2126, 0.0722)
        lumaWeights = SIMD3(Double(red), 1 - Double(red) - Double(blue), Double(blue))
    }

    /// - Parameter code: below 0 it is as far below no light.
    package func light(ofCode code: Double) -> Double {
        let size = code.magnitude
        let light =
            switch transfer {
            case 16: LightCurve.light(ofPQ: min(size, 1)) / LightCurve.diffuseWhite
            case 18: LightCurve.scene(ofHLG: size) / Self.hlgWhite
            default: LightCurve.displayed(size)
            }
        return code < 0 ? -light : light
    }

    package func code(ofLight light: Double) -> Double {
        let size = light.magnitude
        let code =
            switch transfer {
            case 16: LightCurve.pq(ofLight: size * LightCurve.diffuseWhite)
            case 18: LightCurve.hlg(ofScene: size * Self.hlgWhite)
            default: LightCurve.power(size, 1 / 2.4)
            }
        return light < 0 ? -code : code
    }

    /// What makes the light of a white that is daylight that of another one, in these primaries: columns of a matrix.
    /// - Parameter white: chromaticities of both (CIE xy).
    ///
    /// Source: the linear Bradford transform (CIE 160:2004, annex).
    package func adaptation(
        from first: SIMD2<Double>, to second: SIMD2<Double>
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        let cones = ColorMatrix(
            SIMD3(0.8951, -0.7502, 0.0389), SIMD3(0.2664, 1.7135, -0.0685),
            SIMD3(-0.1614, 0.0367, 1.0296))
        func response(_ white: SIMD2<Double>) -> SIMD3<Double> {
            cones * SIMD3(white.x / white.y, 1, (1 - white.x - white.y) / white.y)
        }
        let gains = response(second) / response(first)
        let (back, home) = (cones.inverse, primaries.toXYZ.inverse)
        func column(_ own: SIMD3<Double>) -> SIMD3<Double> {
            home * (back * (gains * (cones * own)))
        }
        let own = primaries.toXYZ.columns
        return (column(own.0), column(own.1), column(own.2))
    }
}
