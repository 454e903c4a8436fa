import Media

/// A wanted frame rate.
enum WantedRate: Sendable, Equatable {
    case exactly(FrameRate)
    /// The highest the camera lists at the size.
    case max
}

extension ValueKind where Value == WantedRate {
    /// `30`, `30000/1001`, `29.97`, `max`.
    static var rate: ValueKind {
        ValueKind(
            "RATE", expected: "a rate such as 30, 30000/1001 or max",
            completion: .words(["24", "25", "30", "50", "60", "30000/1001", "max"])
        ) { text in
            text == "max" ? .max : parseFrameRate(text).map(WantedRate.exactly)
        }
    }
}

/// Reads frames per second: a whole number, a fraction, or a decimal; 23.976, 29.97 and 59.94 are the
/// broadcast rates they stand for. 1/1000…1,000 per second.
private func parseFrameRate(_ text: String) -> FrameRate? {
    let broadcast: [String: FrameRate] = [
        "23.976": FrameRate(24_000, per: 1001), "23.98": FrameRate(24_000, per: 1001),
        "29.97": FrameRate(30_000, per: 1001), "59.94": FrameRate(60_000, per: 1001),
    ]
    if let rate = broadcast[text] { return rate }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numerator: Int64?
    let denominator: Int64?
    if parts.count == 2 {
        numerator = scaledDecimal(parts[0], scale: 0)
        denominator = scaledDecimal(parts[1], scale: 0)
    } else {
        numerator = scaledDecimal(text, scale: 3)
        denominator = 1000
    }
    guard let numerator = numerator.flatMap({ Int32(exactly: $0) }), numerator > 0,
        let denominator = denominator.flatMap({ Int32(exactly: $0) }), denominator > 0
    else { return nil }
    let rate = FrameRate(numerator, per: denominator)
    return rate >= FrameRate(1, per: 1000) && rate <= FrameRate(1000) ? rate : nil
}
