import Compose
import Media

/// A part of a film: `5s..20s`, `..20s` from its beginning, `5s..` to its end.
struct TimeSpan: Sendable, Equatable {
    var start: MediaTime
    /// `nil`: to the end.
    var end: MediaTime?

    /// On a film of a length; `nil` when nothing of the film is in it.
    func range(within duration: MediaTime) -> MediaTimeRange? {
        // what is typed and a film's times need a grid that both are on
        func onGrid(_ time: MediaTime) -> MediaTime {
            time.scaled(to: Composition.timescale, rounding: .nearest)
        }
        let (first, last) = (onGrid(start), onGrid(min(end ?? duration, duration)))
        return first < last ? MediaTimeRange(from: first, to: last) : nil
    }

    /// One sentence of a part that ends behind what it is of; nil where it does not.
    /// - Parameters:
    ///   - duration: of that.
    ///   - what: names it.
    func excess(over duration: MediaTime, of what: String) -> String? {
        // what was printed in milliseconds may be later by part of one
        guard let end, end > duration + .milliseconds(1) else { return nil }
        return
            "the range ends at \(Amounts.clock(end, fractionDigits: 3)), after the end of \(what) at "
            + Amounts.clock(duration, fractionDigits: 3)
    }
}

extension ValueKind where Value == TimeSpan {
    static var timeSpan: ValueKind {
        ValueKind("FROM..TO", expected: "a range such as 5s..20s, ..20s or 5s..") { text in
            let parts = text.components(separatedBy: "..")
            guard parts.count == 2, parts != ["", ""] else { return nil }
            guard let start = parts[0].isEmpty ? .zero : MediaTime(typed: parts[0]) else {
                return nil
            }
            if parts[1].isEmpty { return TimeSpan(start: start, end: nil) }
            guard let end = MediaTime(typed: parts[1]), start < end else { return nil }
            return TimeSpan(start: start, end: end)
        }
    }
}

extension String {
    /// Parts between the places where `separator` stands.
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let found = rest.firstRange(of: separator) {
            parts.append(String(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return parts + [String(rest)]
    }
}
