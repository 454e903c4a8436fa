package import Media

/// What colours of SDR are in a frame of a high dynamic range: codes of BT.709 as a display shows them, white being
/// diffuse white, as codes of PQ or HLG.
///
/// Source: BT.2408-7, 2.1; BT.2100-2, tables 4 and 5; BT.1886 (the display).
package struct StandardCodes: Sendable {
    private static let steps = 4095

    /// By codes: light, 1 being diffuse white.
    private let lights: [Float]
    /// By light.
    private let codes: LightTable
    /// Of HLG: what the display does not add, by luminance.
    private let scenes: LightTable?
    private let weights: SIMD3<Float>
    private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    private static let known = Lock<[ColorDescription: StandardCodes]>([:])

    /// Nil where the frame has no high dynamic range.
    /// - Parameter target: of the frame.
    package static func inFrames(of target: ColorDescription) -> StandardCodes? {
        guard target.rangeName != nil else { return nil }
        if let found = known.withLock({ $0[target] }) { return found }
        let made = StandardCodes(target)
        known.withLock { $0[target] = made }
        return made
    }

    private init(_ target: ColorDescription) {
        let white = LightCurve.diffuseWhite
        lights = (0...Self.steps).map {
            Float(LightCurve.displayed(Double($0) / Double(Self.steps)))
        }
        let own = ColorPrimaries(target.primaries)
        weights = SIMD3<Float>(own.luminance)
        let matrix = ColorPrimaries(1).matrix(to: own).columns
        columns = (SIMD3<Float>(matrix.0), SIMD3<Float>(matrix.1), SIMD3<Float>(matrix.2))
        if target.transfer == 18 {
            let share = white / LightCurve.hlgPeak
            codes = LightTable { LightCurve.hlg(ofScene: $0) }
            scenes = LightTable {
                share * LightCurve.power($0 * share, 1 / LightCurve.hlgGamma - 1)
            }
        } else {
            codes = LightTable { LightCurve.pq(ofLight: $0 * white) }
            scenes = nil
        }
    }

    /// - Parameters: components 0…1.
    package func codes(_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float) {
        func light(_ code: Float) -> Float {
            lights[Int((max(0, min(1, code)) * Float(Self.steps)).rounded())]
        }
        var pixel = columns.0 * light(red) + columns.1 * light(green) + columns.2 * light(blue)
        if let scenes {
            let luminance = (weights * pixel).sum()
            pixel *= luminance > 0 ? scenes[luminance] : 0
        }
        func code(_ light: Float) -> Float { light > LightTable.least ? codes[light] : 0 }
        return (code(pixel.x), code(pixel.y), code(pixel.z))
    }

    /// - Parameter target: another row, or the same.
    func apply(_ source: RGBRow, into target: RGBRow, count: Int) {
        let unit = Float(65_535)
        for x in 0..<count {
            let made = codes(
                Float(source.red[x]) / unit, Float(source.green[x]) / unit,
                Float(source.blue[x]) / unit)
            target.red[x] = UInt16((made.0 * unit).rounded())
            target.green[x] = UInt16((made.1 * unit).rounded())
            target.blue[x] = UInt16((made.2 * unit).rounded())
        }
    }
}
