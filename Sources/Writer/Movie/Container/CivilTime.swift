/// A wall-clock reading in words, without a time zone database.
package enum CivilTime {
    /// UTC in ISO 8601 with milliseconds: `2026-01-31T09:05:07.250Z`.
    package static func text(nanosecondsSinceEpoch nanoseconds: Int64) -> String {
        let milliseconds = floorDivide(nanoseconds, 1_000_000)
        let seconds = floorDivide(milliseconds, 1000)
        let days = floorDivide(seconds, 86_400)
        let inDay = seconds - days * 86_400
        let (year, month, day) = date(daysSinceEpoch: days)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time =
            "\(padded(inDay / 3600, 2)):\(padded(inDay / 60 % 60, 2)):\(padded(inDay % 60, 2))"
        return "\(date)T\(time).\(padded(milliseconds - seconds * 1000, 3))Z"
    }

    /// The proleptic Gregorian date; the year is counted from March, so that the leap day is last.
    private static func date(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSinceEpoch + 719_468  // days from 0000-03-01 to 1970-01-01
        let era = floorDivide(shifted, 146_097)  // days of 400 years
        let inEra = shifted - era * 146_097
        let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * inYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, inYear - (153 * fromMarch + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
