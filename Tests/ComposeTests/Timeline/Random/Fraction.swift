import Media

/// An exact fraction: the arithmetic that random timelines are compared with shares nothing with the program's.
struct Fraction: Comparable {
    let numerator: Int128
    /// Positive.
    let denominator: Int128

    init(_ numerator: Int128, _ denominator: Int128 = 1) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = max(1, Int128(a)) * (denominator < 0 ? -1 : 1)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    init(_ time: MediaTime) { self.init(Int128(time.value), Int128(time.timescale)) }

    init(_ rate: FrameRate) { self.init(Int128(rate.numerator), Int128(rate.denominator)) }

    /// The largest whole number that is not above it.
    var floor: Int128 {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return rest < 0 ? whole - 1 : whole
    }

    /// The smallest whole number that is not below it.
    var ceiling: Int128 { -Fraction(-numerator, denominator).floor }

    /// The nearest whole number, of two the greater one.
    var nearest: Int128 { (self + Fraction(1, 2)).floor }

    static func + (left: Fraction, right: Fraction) -> Fraction {
        Fraction(
            left.numerator * right.denominator + right.numerator * left.denominator,
            left.denominator * right.denominator)
    }

    static func - (left: Fraction, right: Fraction) -> Fraction {
        left + Fraction(-right.numerator, right.denominator)
    }

    static func * (left: Fraction, right: Fraction) -> Fraction {
        // crosswise first, so that nothing outgrows its bits
        let (a, b) = (
            Fraction(left.numerator, right.denominator), Fraction(right.numerator, left.denominator)
        )
        return Fraction(a.numerator * b.numerator, a.denominator * b.denominator)
    }

    static func / (left: Fraction, right: Fraction) -> Fraction {
        left * Fraction(right.denominator, right.numerator)
    }

    static func < (left: Fraction, right: Fraction) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }
}
