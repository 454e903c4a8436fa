internal import Glibc
internal import LibAV
internal import Media

/// Translates frames of HDR (PQ, HLG) and of wide colours (BT.2020, P3) into sRGB, for files that are taken for it.
/// Reentrant.
///
/// - HDR: light is what the codes mean on a display (of HLG one of 1000 cd/m²), and HDR's reference white of 203 cd/m²
///   stands for sRGB's white. Highlights are rolled off: the largest of a pixel's components keeps its light up to
///   95 % of white and comes nearer to white behind it, e^-1 of what is left for each further 5 %; the others keep
///   their share of it. Reference white itself thereby has the code 253.
/// - Colours outside sRGB's are clipped, component by component.
///
/// Source: BT.2408-7, 2.1 (reference white) and annex 5; BT.2100-2, tables 4 and 5 (PQ, HLG and its OOTF);
/// SMPTE EG 432-1 (P3); SMPTE ST 428-1 (DCI's curve); IEC 61966-2-1 (sRGB).
enum StandardColors {
    /// HDR's reference white (cd/m²).
    private static let white = 203.0
    /// Of HLG's display (cd/m²).
    private static let peak = 1000.0
    private static let knee = 0.95

    /// A frame whose colours are sRGB's, and what it is then; frames that need nothing are left as they are.
    /// - Parameters:
    ///   - frame: raw.
    ///   - format: of the frame.
    static func translate(
        _ frame: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> (PixelBuffer, VideoFormat) {
        guard format.color.wideName != nil, format.depth == nil else { return (frame, format) }
        var codes = format
        codes.coding = .raw(.rgb48le)
        let source = try PixelConverter(from: format, to: codes).convert(frame)
        var result = PixelBuffer(width: frame.width, height: frame.height, format: .rgb24)
        translate(source, format.color, into: &result)
        codes.coding = .raw(.rgb24)
        codes.color = ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full)
        return (result, codes)
    }

    private static func translate(
        _ source: PixelBuffer, _ color: ColorDescription, into result: inout PixelBuffer
    ) {
        let light = lights(of: color.transfer)
        let isScene = color.transfer == 18
        let weights = weights(of: color.primaries)
        let isHDR = color.rangeName != nil
        let matrix = matrix(from: color.primaries)
        let (width, height) = (source.width, source.height)
        result.withMutablePlanes { targets in
            source.withPlanes { sources in
                for row in 0..<height {
                    let from = UnsafeRawPointer(sources[0].row(row))
                    let to = targets[0].row(row)
                    for x in 0..<width {
                        func read(_ part: Int) -> Double {
                            let place = 6 * x + 2 * part
                            let code = from.loadUnaligned(fromByteOffset: place, as: UInt16.self)
                            return light[Int(UInt16(littleEndian: code))]
                        }
                        var pixel = SIMD3(read(0), read(1), read(2))
                        if isScene { pixel = displayed(pixel, weights) }
                        pixel = matrix.0 * pixel.x + matrix.1 * pixel.y + matrix.2 * pixel.z
                        if isHDR { pixel = rolledOff(pixel) }
                        for part in 0..<3 { to[3 * x + part] = code(ofLight: pixel[part]) }
                    }
                }
            }
        }
    }

    /// Of codes of 16 bits: 1 is white; of HLG light of the scene, 1 its most.
    private static func lights(of transfer: UInt8) -> [Double] {
        switch transfer {
        case 16: perceptual
        case 17: cinema
        case 18: logarithmic
        default: standard
        }
    }

    private static let perceptual: [Double] = table { code in
        let root = pow(code, 1 / 78.84375)
        let light = max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
        return pow(light, 1 / 0.1593017578125) * 10_000 / white
    }

    private static let logarithmic: [Double] = table { code in
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }

    /// A cinema's white is 48 of the 52.37 cd/m² that its codes reach.
    private static let cinema: [Double] = table { code in pow(code, 2.6) * 52.37 / 48 }

    private static let standard: [Double] = table { code in
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    private static func table(_ body: (Double) -> Double) -> [Double] {
        (0...65_535).map { body(Double($0) / 65_535) }
    }

    /// What red, green and blue have of white's luminance.
    private static func weights(of primaries: UInt8) -> SIMD3<Double> {
        switch primaries {
        case 9: SIMD3(0.2627, 0.6780, 0.0593)
        case 11, 12: SIMD3(0.2290, 0.6917, 0.0793)
        default: SIMD3(0.2126, 0.7152, 0.0722)
        }
    }

    /// HLG's light of the scene on its display, 1 being white.
    private static func displayed(
        _ scene: SIMD3<Double>, _ weights: SIMD3<Double>
    ) -> SIMD3<Double> {
        let luminance = (weights * scene).sum()
        guard luminance > 0 else { return .zero }
        return scene * (pow(luminance, 0.2) * peak / white)
    }

    /// Columns: what red, green and blue are in BT.709's primaries.
    private static func matrix(
        from primaries: UInt8
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        switch primaries {
        case 9:
            (
                SIMD3(1.660491, -0.124550, -0.018151), SIMD3(-0.587641, 1.132900, -0.100579),
                SIMD3(-0.072850, -0.008349, 1.118730)
            )
        // what DCI's white is, is white here too
        case 11, 12:
            (
                SIMD3(1.224940, -0.042057, -0.019638), SIMD3(-0.224940, 1.042057, -0.078636),
                SIMD3(0, 0, 1.098274)
            )
        default: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
        }
    }

    private static func rolledOff(_ pixel: SIMD3<Double>) -> SIMD3<Double> {
        let most = pixel.max()
        guard most > knee else { return pixel }
        let rest = 1 - knee
        return pixel * ((knee + rest * (1 - exp((knee - most) / rest))) / most)
    }

    /// By sRGB's curve.
    private static func code(ofLight light: Double) -> UInt8 {
        codes[Int((max(0, min(1, light)).squareRoot() * 65_535).rounded())]
    }

    /// By the root of the light, which is nearly as the codes are.
    private static let codes: [UInt8] = (0...65_535).map { root in
        let light = Double(root) / 65_535 * (Double(root) / 65_535)
        let code = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((code * 255).rounded())
    }
}
