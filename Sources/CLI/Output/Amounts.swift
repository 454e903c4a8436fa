import Media

/// Quantities as people read them.
enum Amounts {
    /// `00:01:30` or `00:01:30.250`.
    static func clock(_ time: MediaTime, fractionDigits: Int = 0) -> String {
        let scale: Int64 = (0..<fractionDigits).reduce(1) { product, _ in product * 10 }
        let total = max(0, time.ticks(per: Int32(scale), rounding: .down))
        let (seconds, fraction) = total.quotientAndRemainder(dividingBy: scale)
        let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        let text = fields.joined(separator: ":")
        return fractionDigits > 0 ? "\(text).\(padded(fraction, fractionDigits))" : text
    }

    /// `1 clip`, `2 clips`.
    static func count(_ number: some BinaryInteger, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// `12.3 MB`, in powers of ten.
    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "B" ? "\(count) B" : "\(decimal(value, 1)) \(unit)" }
            value /= 1000
        }
        return "\(decimal(value, 1)) TB"
    }

    /// `3d04h`, `2h13m`, `13m`, `45s`.
    static func roughly(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 360_000_000 else { return "∞" }
        let whole = Int(max(0, seconds))
        if whole >= 86_400 { return "\(whole / 86_400)d\(padded(Int64(whole / 3600 % 24), 2))h" }
        if whole >= 3600 { return "\(whole / 3600)h\(padded(Int64(whole / 60 % 60), 2))m" }
        return whole >= 60 ? "\(whole / 60)m" : "\(whole)s"
    }

    /// A number with a fixed count of decimals.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        let rounded = Int64((abs(value) * scale).rounded())
        let (whole, fraction) = rounded.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && rounded > 0 ? "-" : ""
        return digits > 0 ? "\(sign)\(whole).\(padded(fraction, digits))" : "\(sign)\(whole)"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
