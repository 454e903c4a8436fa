internal import Glibc

/// Light as it would be under another white.
public struct WhiteBalance: ColorEffect {
    /// Mired.
    public var temperature: Double
    /// Towards magenta.
    public var tint: Double

    /// See `ColorGrade.temperature` and `ColorGrade.tint`.
    public init(temperature: Double, tint: Double = 0) {
        (self.temperature, self.tint) = (temperature, tint)
    }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let columns = space.whiteBalance(warmth: temperature, tint: tint)
        return { color in
            let light = space.light(of: color)
            return space.codes(
                of: columns.0 * light.x + columns.1 * light.y + columns.2 * light.z)
        }
    }
}

/// Makes all light as much more.
public struct Exposure: ColorEffect {
    public var stops: Double

    /// See `ColorGrade.exposure`.
    public init(stops: Double) { self.stops = stops }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let factor = exp2(stops)
        return { space.codes(of: space.light(of: $0) * factor) }
    }
}

/// Moves codes away from middle grey, or towards it.
public struct Contrast: ColorEffect {
    public var factor: Double

    /// See `ColorGrade.contrast`.
    public init(factor: Double) { self.factor = factor }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let (factor, pivot) = (factor, SIMD3(repeating: space.middleGray))
        return { pivot + ($0 - pivot) * factor }
    }
}

/// Moves colours away from the grey of the same luma, or towards it.
public struct Saturation: ColorEffect {
    public var factor: Double

    /// See `ColorGrade.saturation`.
    public init(factor: Double) { self.factor = factor }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let (factor, weights) = (factor, space.lumaWeights)
        return { color in
            let gray = SIMD3(repeating: (color * weights).sum())
            return gray + (color - gray) * factor
        }
    }
}

/// Moves black, what lies between, and white of each of red, green and blue.
public struct LiftGammaGain: ColorEffect {
    public var lift: ChannelValues
    public var gamma: ChannelValues
    public var gain: ChannelValues

    /// See the values of the same names of `ColorGrade`.
    public init(lift: ChannelValues, gamma: ChannelValues, gain: ChannelValues) {
        (self.lift, self.gamma, self.gain) = (lift, gamma, gain)
    }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let (lift, exponent, gain) = (lift.vector, 1 / gamma.vector, gain.vector)
        let isBent = exponent != SIMD3(repeating: 1)
        return { color in
            let moved = gain * (color + lift * (1 - color))
            guard isBent else { return moved }
            func bent(_ value: Double, _ exponent: Double) -> Double {
                value < 0 ? -pow(-value, exponent) : pow(value, exponent)
            }
            return SIMD3(
                bent(moved.x, exponent.x), bent(moved.y, exponent.y), bent(moved.z, exponent.z))
        }
    }
}

/// Bends each of red, green and blue by a curve of its own.
public struct ToneCurves: ColorEffect {
    public var red: ToneCurve
    public var green: ToneCurve
    public var blue: ToneCurve

    /// One curve for each.
    public init(red: ToneCurve, green: ToneCurve, blue: ToneCurve) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let (red, green, blue) = (red.function, green.function, blue.function)
        return { SIMD3(red($0.x), green($0.y), blue($0.z)) }
    }
}
