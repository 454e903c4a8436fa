import Media

extension MediaTime {
    /// An instant as it is typed, zero included: `0`, `90`, `1m30s`, `00:01:30.5`.
    init?(typed text: some StringProtocol) {
        guard let time = parseNanoseconds(String(text)), time >= 0,
            time <= 31 * 86_400 * 1_000_000_000
        else { return nil }
        self = MediaTime.nanoseconds(time).reduced
    }
}

extension ValueKind where Value == MediaTime {
    /// An instant of a film: as a duration, and zero too.
    static var instant: ValueKind {
        ValueKind("TIME", expected: "a time such as 3.2s, 1m30s or 00:01:30, at most 31 days") {
            MediaTime(typed: $0)
        }
    }

    /// `90`, `1m30s`, `00:01:30`; a bare number is seconds. More than nothing, at most 31 days.
    static var duration: ValueKind {
        ValueKind(
            "DURATION",
            expected: "a duration such as 90, 1m30s or 00:01:30, above 0 and at most 31 days"
        ) { text in
            guard let length = parseNanoseconds(text) else { return nil }
            let limit: Int64 = 31 * 86_400 * 1_000_000_000
            return length > 0 && length <= limit ? .nanoseconds(length) : nil
        }
    }
}

/// Reads a duration as nanoseconds.
private func parseNanoseconds(_ text: String) -> Int64? {
    if text.contains(":") { return parseClock(text) }
    if let seconds = scaledDecimal(text, scale: 9) { return seconds }
    return parseUnits(text)
}

/// `MM:SS` or `HH:MM:SS`, with a fraction of a second if wanted.
private func parseClock(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last,
        let seconds = scaledDecimal(last, scale: 9), seconds < 60_000_000_000
    else { return nil }
    var minutes: Int64 = 0
    for (index, part) in parts.dropLast().enumerated() {
        guard let number = scaledDecimal(part, scale: 0), number < 10_000 else { return nil }
        if index > 0, number >= 60 { return nil }
        minutes = minutes * 60 + number
    }
    return minutes * 60_000_000_000 + seconds
}

/// `1h`, `1m30s`, `1.5s`, `250ms`: each unit once, from large to small.
private func parseUnits(_ text: String) -> Int64? {
    let units: [(name: String, scale: Int, factor: Int64)] = [
        ("d", 9, 86_400), ("h", 9, 3600), ("m", 9, 60), ("s", 9, 1), ("ms", 6, 1), ("us", 3, 1),
    ]
    var total: Int64 = 0
    var next = 0
    var rest = text[...]
    while !rest.isEmpty {
        let number = rest.prefix { $0.isNumber || $0 == "." }
        rest = rest.dropFirst(number.count)
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        guard let index = units.firstIndex(where: { $0.name == name }), index >= next,
            let value = scaledDecimal(number, scale: units[index].scale)
        else { return nil }
        let (product, tooLarge) = value.multipliedReportingOverflow(by: units[index].factor)
        let (sum, overflow) = total.addingReportingOverflow(product)
        if tooLarge || overflow { return nil }
        total = sum
        next = index + 1
    }
    return next > 0 ? total : nil
}
