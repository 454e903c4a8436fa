import Testing

@testable import Movie

struct CivilTimeTests {
    @Test("dates are right in leap years, at their edges and before the epoch")
    func civilDates() {
        let cases: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999_999_999, "2024-02-29T23:59:59.999Z"),
            (1_795_210_507_250_000_000, "2026-11-20T21:35:07.250Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (-1_000_000, "1969-12-31T23:59:59.999Z"),
        ]
        for (nanoseconds, text) in cases {
            #expect(CivilTime.text(nanosecondsSinceEpoch: nanoseconds) == text)
        }
    }
}
