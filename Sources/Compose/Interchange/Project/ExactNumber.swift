/// A decimal or rational number, exactly.
struct ExactNumber: Equatable {
    /// In lowest terms; the divisor is positive.
    let dividend: Int64
    let divisor: Int64

    init?(_ dividend: Int128, over divisor: Int128) {
        guard divisor > 0 else { return nil }
        let (a, b) = lowestTerms(dividend < 0 ? -dividend : dividend, divisor)
        guard let first = Int64(exactly: dividend < 0 ? -a : a), let second = Int64(exactly: b)
        else { return nil }
        (self.dividend, self.divisor) = (first, second)
    }

    /// `1.5`, `-3`, `2e-3`; at most 18 digits each side of the point.
    init?(decimal text: some StringProtocol) {
        let parts = text.lowercased().split(
            separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        var mantissa = parts[0]
        let isNegative = mantissa.hasPrefix("-")
        if isNegative { mantissa.removeFirst() }
        let pieces = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count <= 2, let whole = pieces.first, !whole.isEmpty else { return nil }
        let fraction = pieces.count == 2 ? pieces[1] : ""
        guard pieces.count == 1 || !fraction.isEmpty, whole.count <= 18, fraction.count <= 18,
            (whole + fraction).utf8.allSatisfy(\.isDigit), let digits = Int128(whole + fraction)
        else { return nil }
        var exponent = -fraction.count
        if parts.count == 2 {
            guard parts[1].count <= 4, let given = Int(parts[1]) else { return nil }
            exponent += given
        }
        guard (-18...18).contains(exponent) else { return nil }
        let power = (0..<exponent.magnitude).reduce(Int128(1)) { value, _ in value * 10 }
        let signed = isNegative ? -digits : digits
        if exponent >= 0 {
            self.init(signed * power, over: 1)
        } else {
            self.init(signed, over: power)
        }
    }

    /// `1001/30000`.
    init?(rational text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.allSatisfy(\.isDigit),
            parts[0].drop(while: { $0 == "-" }).utf8.allSatisfy(\.isDigit),
            let dividend = Int64(parts[0]), let divisor = Int64(parts[1])
        else { return nil }
        self.init(Int128(dividend), over: Int128(divisor))
    }

    /// Both parts as 31-bit numbers, if they are positive and fit.
    var small: (Int32, Int32)? {
        guard dividend > 0, let first = Int32(exactly: dividend),
            let second = Int32(exactly: divisor)
        else { return nil }
        return (first, second)
    }
}
