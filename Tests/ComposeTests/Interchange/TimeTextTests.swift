import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct TimeTextTests {
    @Test func timesAreReadExactly() {
        let table: [(String, MediaTime)] = [
            ("90", .seconds(90)), ("3.5", .milliseconds(3500)), ("3s", .seconds(3)),
            ("1m30s", .seconds(90)), ("250ms", .milliseconds(250)), ("1h", .seconds(3600)),
            ("1.5s", .milliseconds(1500)), ("1s500ms", .milliseconds(1500)),
            ("00:01:30.5", .milliseconds(90_500)), ("01:30", .seconds(90)),
            ("1001/30000", MediaTime(value: 1001, timescale: 30_000)), ("0", .zero),
            ("2e-3", .milliseconds(2)), ("-1.5", .milliseconds(-1500)),
            ("100us", .nanoseconds(100_000)),
            ("0.3333333333", .nanoseconds(333_333_333)),
        ]
        for (text, time) in table { #expect(MediaTime(projectText: text) == time, "\(text)") }
    }

    @Test func whatIsNoTimeIsNone() {
        let texts = [
            "", "s", "1x", "1s2m", "1s1s", "1:60", "::", "1:2:3:4", "1/0", "1/-2", "a/2", "1.",
            ".5",
            "1e99", "0x10", "1 s", "١", "1/2/3", "1.2.3", "--1", "9999999999999999999",
        ]
        for text in texts { #expect(MediaTime(projectText: text) == nil, "\(text)") }
    }

    @Test func whatIsWrittenIsReadBack() {
        #expect(MediaTime(value: 7, timescale: 2).projectText == "3.5")
        #expect(MediaTime(value: -1, timescale: 8).projectText == "-0.125")
        #expect(MediaTime(value: 1, timescale: 3).projectText == "1/3")
        var random = SplitMix(seed: 7)
        for _ in 0..<2000 {
            let time = MediaTime(
                value: Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random),
                timescale: Int32.random(in: 1...1_000_000, using: &random))
            #expect(MediaTime(projectText: time.projectText) == time)
        }
    }
}
