package import Media

extension CaptureTime {
    /// Nanoseconds since 1970-01-01T00:00:00 where the picture was taken; in universal time where the camera
    /// states its offset. Nil for what is no time.
    package var instant: MediaTime? {
        let fields = text.split(whereSeparator: { $0 == ":" || $0 == " " }).map { Int64($0) }
        guard fields.count == 6, let year = fields[0], let month = fields[1], let day = fields[2],
            let hour = fields[3], let minute = fields[4], let second = fields[5],
            (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = Self.days(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - (offsetSeconds ?? 0)
        let digits = fraction.prefix(9)
        let padded = digits + String(repeating: "0", count: 9 - digits.count)
        return .nanoseconds(seconds * 1_000_000_000 + (Int64(padded) ?? 0))
    }

    /// East of Greenwich (seconds).
    private var offsetSeconds: Int64? {
        guard let offset, let sign = offset.first, sign == "+" || sign == "-" else { return nil }
        let parts = offset.dropFirst().split(separator: ":").map { Int64($0) }
        guard parts.count == 2, let hours = parts[0], let minutes = parts[1],
            (0...14).contains(hours), (0...59).contains(minutes)
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // years begin in March, so that the day that is sometimes there comes last
        let from = month <= 2 ? year - 1 : year
        let months = (month + 9) % 12
        let leaps = from / 4 - from / 100 + from / 400
        return 365 * from + leaps + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}
