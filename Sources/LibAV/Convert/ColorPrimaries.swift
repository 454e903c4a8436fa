import Media

/// The colours of which a pixel's components state amounts, as chromaticities.
///
/// Source: ITU-T H.273, table 2.
struct ColorPrimaries: Hashable {
    private let red: SIMD2<Double>
    private let green: SIMD2<Double>
    private let blue: SIMD2<Double>
    private let white: SIMD2<Double>

    private static let daylight = SIMD2(0.3127, 0.3290)
    private static let illuminantC = SIMD2(0.310, 0.316)

    /// - Parameter number: of H.273; what it reserves is taken as BT.709's.
    init(_ number: UInt8) {
        white =
            switch number {
            case 4, 8: Self.illuminantC
            case 10: SIMD2(1.0 / 3, 1.0 / 3)
            case 11: SIMD2(0.314, 0.351)
            default: Self.daylight
            }
        (red, green, blue) =
            switch number {
            case 4: (SIMD2(0.67, 0.33), SIMD2(0.21, 0.71), SIMD2(0.14, 0.08))
            case 5: (SIMD2(0.64, 0.33), SIMD2(0.29, 0.60), SIMD2(0.15, 0.06))
            case 6, 7: (SIMD2(0.630, 0.340), SIMD2(0.310, 0.595), SIMD2(0.155, 0.070))
            case 8: (SIMD2(0.681, 0.319), SIMD2(0.243, 0.692), SIMD2(0.145, 0.049))
            case 9: (SIMD2(0.708, 0.292), SIMD2(0.170, 0.797), SIMD2(0.131, 0.046))
            case 10: (SIMD2(1, 0), SIMD2(0, 1), SIMD2(0, 0))
            case 11, 12: (SIMD2(0.680, 0.320), SIMD2(0.265, 0.690), SIMD2(0.150, 0.060))
            case 22: (SIMD2(0.630, 0.340), SIMD2(0.295, 0.605), SIMD2(0.155, 0.077))
            default: (SIMD2(0.64, 0.33), SIMD2(0.30, 0.60), SIMD2(0.15, 0.06))
            }
    }

    /// From linear light to CIE XYZ, white having the luminance 1.
    var toXYZ: ColorMatrix {
        func column(_ place: SIMD2<Double>) -> SIMD3<Double> {
            SIMD3(place.x, place.y, 1 - place.x - place.y)
        }
        let plain = ColorMatrix(column(red), column(green), column(blue))
        let amounts = plain.inverse * (column(white) / white.y)
        return ColorMatrix(
            plain.columns.0 * amounts.x, plain.columns.1 * amounts.y, plain.columns.2 * amounts.z)
    }

    /// What red, green and blue have of white's luminance.
    var luminance: SIMD3<Double> {
        let matrix = toXYZ.columns
        return SIMD3(matrix.0.y, matrix.1.y, matrix.2.y)
    }

    /// Linear light of these primaries as that of others; white becomes white.
    func matrix(to other: ColorPrimaries) -> ColorMatrix {
        if other == self { return ColorMatrix(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)) }
        let inverse = other.toXYZ.inverse
        let own = toXYZ.columns
        let plain = ColorMatrix(inverse * own.0, inverse * own.1, inverse * own.2)
        // where the whites differ
        let white = plain * SIMD3(1, 1, 1)
        return ColorMatrix(
            plain.columns.0 / white, plain.columns.1 / white, plain.columns.2 / white)
    }
}

/// Three by three, in columns.
struct ColorMatrix {
    let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        columns = (first, second, third)
    }

    static func * (matrix: ColorMatrix, vector: SIMD3<Double>) -> SIMD3<Double> {
        matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
    }

    var inverse: ColorMatrix {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (a, b, c) = columns
        let rows = (cross(b, c), cross(c, a), cross(a, b))
        let determinant = (a * rows.0).sum()
        return ColorMatrix(
            SIMD3(rows.0.x, rows.1.x, rows.2.x) / determinant,
            SIMD3(rows.0.y, rows.1.y, rows.2.y) / determinant,
            SIMD3(rows.0.z, rows.1.z, rows.2.z) / determinant)
    }
}
