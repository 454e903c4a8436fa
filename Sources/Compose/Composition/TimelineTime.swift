internal import Media

extension MediaTime {
    /// Ticks of the timeline (1/705,600,000 s), the nearest.
    var timelineTicks: Int64 { ticks(per: Composition.timescale, rounding: .nearest) }

    /// The time on the timeline's grid.
    func onTimeline(rounding: MediaTimeRounding = .nearest) -> MediaTime {
        scaled(to: Composition.timescale, rounding: rounding)
    }

    static func timeline(_ ticks: Int64) -> MediaTime {
        MediaTime(value: ticks, timescale: Composition.timescale)
    }

    /// For messages: seconds, to the microsecond.
    var spoken: String {
        let micros = (try? checkedTicks(per: 1_000_000, rounding: .nearest)) ?? .max
        let (whole, part) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(part)
        var fraction = String(repeating: "0", count: 6 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = micros < 0 ? "-" : ""
        return sign + (fraction.isEmpty ? "\(whole) s" : "\(whole).\(fraction) s")
    }
}

extension MediaError {
    static func setting(_ subject: String, _ message: String) -> MediaError {
        MediaError(code: .invalidSetting, subject: subject, message: message)
    }

    static func edit(_ subject: String, _ message: String) -> MediaError {
        MediaError(code: .invalidEdit, subject: subject, message: message)
    }
}
