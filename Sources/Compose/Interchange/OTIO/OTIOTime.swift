internal import Media

/// Times of OpenTimelineIO: a number of frames at a rate, both floating point.
enum OTIOTime {
    /// Exact up to 2^53 ticks; at the film's rate where it is whole there.
    static func value(_ time: MediaTime, rate: FrameRate) -> JSONValue {
        let frames = Int128(time.value) * Int128(rate.numerator)
        let per = Int128(time.timescale) * Int128(rate.denominator)
        let number = Double(rate.numerator) / Double(rate.denominator)
        if frames % per == 0,
            exact(number).map({ $0 == rate.numerator && $1 == rate.denominator }) ?? false
        {
            return record(Double(frames / per), number)
        }
        let reduced = time.reduced
        return record(Double(reduced.value), Double(reduced.timescale))
    }

    static func range(
        _ start: MediaTime, _ duration: MediaTime, rate: FrameRate
    ) -> JSONValue {
        .object([
            ("OTIO_SCHEMA", .string("TimeRange.1")),
            ("start_time", value(start, rate: rate)), ("duration", value(duration, rate: rate)),
        ])
    }

    private static func record(_ value: Double, _ rate: Double) -> JSONValue {
        .object([
            ("OTIO_SCHEMA", .string("RationalTime.1")), ("value", .number(written: "\(value)")),
            ("rate", .number(written: "\(rate)")),
        ])
    }

    /// The rate that a time is counted at; nil: it is none of frames.
    static func rate(_ node: JSONValue?) -> FrameRate? {
        guard let rate = node?["rate"]?.number, rate >= 1, rate <= 1000 else { return nil }
        return exact(rate).map { FrameRate($0, per: $1) }
    }

    /// Nil when it is no time that a timeline can have.
    static func time(_ node: JSONValue?) -> MediaTime? {
        guard let value = node?["value"]?.number, let rate = node?["rate"]?.number, rate > 0,
            rate <= 2_147_483_647, value.magnitude < 9e15
        else { return nil }
        if let (numerator, denominator) = exact(rate), value == value.rounded() {
            let ticks = Int128(value) * Int128(denominator)
            if let ticks = Int64(exactly: ticks) {
                return MediaTime(value: ticks, timescale: numerator).reduced
            }
        }
        let ticks = (value / rate * Double(Composition.timescale)).rounded()
        return ticks.magnitude < 9e18 ? .timeline(Int64(ticks)) : nil
    }

    /// A rate as a fraction: a whole number, or one of NTSC's.
    private static func exact(_ rate: Double) -> (Int32, Int32)? {
        if rate == rate.rounded() { return (Int32(rate), 1) }
        let whole = (rate * 1.001).rounded()
        guard (rate * 1.001 - whole).magnitude < 0.002 * whole / 24, whole * 1000 < 2e9 else {
            return nil
        }
        return (Int32(whole) * 1000, 1001)
    }
}
