import Capture
import Media

extension ValueKind where Value == [BracketedExposure] {
    /// `-2,0,+2` (EV), or times: `5ms,10ms,20ms`, `1/200,1/100`.
    static var bracket: ValueKind {
        ValueKind(
            "EXPOSURES",
            expected:
                "2 to 32 exposures with commas between, in EV from -10 to 10 such as -2,0,+2, or as times such as "
                + "5ms,10ms,20ms or 1/200,1/100"
        ) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            guard (2...32).contains(parts.count) else { return nil }
            let biases = parts.compactMap(bias)
            if biases.count == parts.count { return biases.map { .targetBias($0) } }
            let times = parts.compactMap(time)
            return times.count == parts.count ? times.map { .duration($0) } : nil
        }
    }

    private static func bias(_ text: String) -> Double? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let thousandths = scaledDecimal(digits, scale: 3), thousandths <= 10_000 else {
            return nil
        }
        return Double(isNegative ? -thousandths : thousandths) / 1000
    }

    /// A bare number is an EV and no time.
    private static func time(_ text: String) -> MediaTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let value = Int64(parts[0]), let unit = Int32(parts[1]), (1...60).contains(value),
                unit > 0
            else { return nil }
            return MediaTime(value: value, timescale: unit)
        }
        guard text.last == "s", let time = ValueKind<MediaTime>.duration.parse(text),
            time <= .seconds(60)
        else { return nil }
        return time
    }
}
