/// Mixing rows of samples: `base` where the weight is 0, `source` where it is `one`, rounded to nearest.
/// A weight has 15 bits, so that it and its complement fit 16 and the products vectorise.
enum BlendKernels {
    static let one: UInt16 = 32_768

    /// The weight of an opacity 0…1.
    static func weight(_ opacity: Double) -> UInt16 {
        UInt16((max(0, min(1, opacity)) * Double(one)).rounded())
    }

    /// A number of 0…65,535 to the nearest whole one. Added to 2²³ it stands in the lower bits, which vectorises; a
    /// conversion that checks its range does not (six times the time of a soft mask).
    @inline(__always)
    static func whole(_ value: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }

    @inline(__always)
    static func mix<Sample: FixedWidthInteger & UnsignedInteger>(
        _ base: Sample, _ source: Sample, _ weight: UInt16
    ) -> Sample {
        let rest = UInt32(truncatingIfNeeded: base) &* UInt32(one &- weight)
        let share = UInt32(truncatingIfNeeded: source) &* UInt32(weight)
        return Sample(truncatingIfNeeded: (rest &+ share &+ 16_384) &>> 15)
    }

    /// One weight below `one` for a whole row.
    ///
    /// The difference of 8-bit samples is brought up to 16 bits with its sign, so that the upper half of one
    /// signed product holds the answer and 6 bits below it: rounding is at most 1/64 of a code off, and equal
    /// samples stay what they are.
    @inline(__always)
    static func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ target: UnsafeMutablePointer<Sample>, _ base: UnsafePointer<Sample>,
        _ source: UnsafePointer<Sample>, _ weight: UInt16, _ count: Int
    ) {
        guard MemoryLayout<Sample>.size == 1 else {
            for x in 0..<count { target[x] = mix(base[x], source[x], weight) }
            return
        }
        let factor = Int32(Int16(truncatingIfNeeded: min(weight, one &- 1)))
        for x in 0..<count {
            let old = Int16(truncatingIfNeeded: base[x])
            let difference = (Int16(truncatingIfNeeded: source[x]) &- old) &<< 7
            let share = Int16(truncatingIfNeeded: (Int32(difference) &* factor) &>> 16)
            target[x] = Sample(truncatingIfNeeded: old &+ ((share &+ 32) &>> 6))
        }
    }

    @inline(__always)
    static func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ target: UnsafeMutablePointer<Sample>, _ base: UnsafePointer<Sample>,
        _ source: UnsafePointer<Sample>, _ weights: UnsafePointer<UInt16>, _ count: Int
    ) {
        for x in 0..<count { target[x] = mix(base[x], source[x], weights[x]) }
    }

    /// Weights times one more weight.
    @inline(__always)
    static func scale(
        _ target: UnsafeMutablePointer<UInt16>, _ weights: UnsafePointer<UInt16>, _ factor: UInt16,
        _ count: Int
    ) {
        for x in 0..<count {
            target[x] = UInt16(
                truncatingIfNeeded: (UInt32(weights[x]) &* UInt32(factor) &+ 16_384) &>> 15)
        }
    }

    /// Weights times weights.
    @inline(__always)
    static func multiply(
        _ target: UnsafeMutablePointer<UInt16>, _ weights: UnsafePointer<UInt16>, _ count: Int
    ) {
        for x in 0..<count {
            target[x] = UInt16(
                truncatingIfNeeded: (UInt32(target[x]) &* UInt32(weights[x]) &+ 16_384) &>> 15)
        }
    }
}
