public import Media

extension MediaTime {
    /// Reads a time as project files write it: `90`, `3.5s`, `250ms`, `1m30s`, `00:01:30.5`,
    /// `1001/30000`; a bare number is seconds. Exact where 31 bits of timescale hold it, else to the
    /// nanosecond. Nil when the text is no time.
    public init?(projectText text: some StringProtocol) {
        let isNegative = text.hasPrefix("-")
        let rest = String(isNegative ? text.dropFirst() : text[...])
        guard !rest.hasPrefix("-"), let seconds = ExactNumber(seconds: rest) else { return nil }
        let value = isNegative ? -seconds.dividend : seconds.dividend
        if let timescale = Int32(exactly: seconds.divisor) {
            self.init(value: value, timescale: timescale)
        } else {
            let nanoseconds =
                (Int128(value) * 1_000_000_000 + Int128(seconds.divisor / 2))
                / Int128(seconds.divisor)
            guard let whole = Int64(exactly: nanoseconds) else { return nil }
            self = .nanoseconds(whole)
        }
    }

    /// The shortest text that is read as this time: seconds as a decimal, or a rational.
    public var projectText: String {
        let time = reduced
        var scale: Int64 = 1
        var digits = 0
        while scale % Int64(time.timescale) != 0, digits < 9 {
            scale *= 10
            digits += 1
        }
        let (value, isTooLarge) = time.value.multipliedReportingOverflow(
            by: scale / Int64(time.timescale))
        guard scale % Int64(time.timescale) == 0, !isTooLarge else {
            return "\(time.value)/\(time.timescale)"
        }
        let text = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let sign = value < 0 ? "-" : ""
        return digits == 0
            ? sign + padded : sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}

extension ExactNumber {
    fileprivate init?(seconds text: String) {
        if text.contains("/") {
            guard let number = ExactNumber(rational: text) else { return nil }
            self = number
        } else if text.contains(":") {
            self.init(clock: text)
        } else if let number = ExactNumber(decimal: text) {
            self = number
        } else {
            self.init(units: text)
        }
    }

    /// `MM:SS` or `HH:MM:SS`, with a fraction of a second if wanted.
    private init?(clock text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last,
            let seconds = ExactNumber(decimal: last), seconds.dividend >= 0,
            seconds.dividend < 60 * seconds.divisor
        else { return nil }
        var minutes: Int64 = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard part.utf8.allSatisfy(\.isDigit), part.count <= 4, let number = Int64(part),
                index == 0 || number < 60
            else { return nil }
            minutes = minutes * 60 + number
        }
        self.init(
            Int128(minutes) * 60 * Int128(seconds.divisor) + Int128(seconds.dividend),
            over: Int128(seconds.divisor))
    }

    /// `1h`, `1m30s`, `1.5s`, `250ms`: each unit once, from large to small.
    private init?(units text: String) {
        let units: [(name: String, per: Int128, times: Int128)] = [
            ("h", 1, 3600), ("m", 1, 60), ("s", 1, 1), ("ms", 1000, 1), ("us", 1_000_000, 1),
        ]
        var total = ExactNumber(0, over: 1)
        var next = 0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let index = units.firstIndex(where: { $0.name == name }), index >= next,
                let number = ExactNumber(decimal: digits), let sum = total
            else { return nil }
            let unit = units[index]
            // a/b + c/d
            let (c, d) = (Int128(number.dividend) * unit.times, Int128(number.divisor) * unit.per)
            guard let divisor = Int64(exactly: d), let dividend = Int64(exactly: c) else {
                return nil
            }
            total = ExactNumber(
                Int128(sum.dividend) * Int128(divisor) + Int128(dividend) * Int128(sum.divisor),
                over: Int128(sum.divisor) * Int128(divisor))
            next = index + 1
        }
        guard next > 0, let total else { return nil }
        self = total
    }
}
