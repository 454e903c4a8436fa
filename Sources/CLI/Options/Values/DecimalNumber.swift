/// Reads a plain decimal number exactly, scaled by a power of ten: "1.5" at scale 9 is 1,500,000,000.
/// No sign, no exponent; digits past the scale must be zero. `nil` when it is not one or too large.
func scaledDecimal(_ text: some StringProtocol, scale: Int) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard parts.count == 1 || !fraction.isEmpty else { return nil }
    guard fraction.dropFirst(scale).allSatisfy({ $0 == "0" }) else { return nil }
    let kept = fraction.prefix(scale)
    let digits = whole + kept + String(repeating: "0", count: scale - kept.count)
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int64(digits)
}
