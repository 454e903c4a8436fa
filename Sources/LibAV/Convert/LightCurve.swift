internal import Glibc

/// Between codes (0…1) and the light they stand for (cd/m²; of HLG the scene's, 1 its most).
///
/// Source: BT.2100-2, tables 4 and 5; BT.1886, annex 1; IEC 61966-2-1 (sRGB).
enum LightCurve {
    /// HDR's diffuse white, which SDR's white stands for (cd/m²). Source: BT.2408-7, 2.1.
    static let diffuseWhite = 203.0
    /// Of the display that HLG is made for (cd/m²).
    static let hlgPeak = 1000.0
    /// The exponent by which HLG's light of the scene becomes that display's.
    static let hlgGamma = 1.2

    static func light(ofPQ code: Double) -> Double {
        let root = pow(code, 1 / 78.84375)
        let light = max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
        return pow(light, 1 / 0.1593017578125) * 10_000
    }

    static func pq(ofLight light: Double) -> Double {
        let power = pow(max(light, 0) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    static func scene(ofHLG code: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }

    static func hlg(ofScene light: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return light <= 1.0 / 12 ? (3 * max(light, 0)).squareRoot() : a * log(12 * light - b) + c
    }

    /// What BT.1886's display shows of a code, 1 being its white.
    static func displayed(_ code: Double) -> Double { pow(code, 2.4) }

    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// The code of a display's light, 1 being its white.
    /// - Parameter transfer: of H.273. The curves that cameras use are undone by BT.1886's display.
    static func code(ofDisplayed light: Double, _ transfer: UInt8) -> Double {
        switch transfer {
        case 4: pow(light, 1 / 2.2)
        case 5: pow(light, 1 / 2.8)
        case 13: light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        default: pow(light, 1 / 2.4)
        }
    }
}
