import Media
import TestSupport

@testable import Compose

/// Random values of what projects hold. Times are on the timeline's grid, colours are of 8 bits, as texts have them.
struct Draw {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { int(0...99) < percent }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Mostly a few digits, sometimes all that a number has.
    mutating func real(_ range: ClosedRange<Double>) -> Double {
        let value = Double.random(in: range, using: &random)
        guard chance(80) else { return value }
        return min(max((value * 1000).rounded() / 1000, range.lowerBound), range.upperBound)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[int(0...(elements.count - 1))]
    }

    mutating func pick<Element: CaseIterable>(_ type: Element.Type) -> Element {
        pick(Array(type.allCases))
    }

    /// Something, as often as `percent` says.
    mutating func maybe<Value>(
        _ percent: Int, _ make: (inout Draw) -> Value
    ) -> Value? {
        chance(percent) ? make(&self) : nil
    }

    mutating func several<Value>(
        _ range: ClosedRange<Int>, _ make: (inout Draw, Int) -> Value
    ) -> [Value] {
        (0..<int(range)).map { make(&self, $0) }
    }

    mutating func milliseconds(_ range: ClosedRange<Int>, step: Int = 1) -> MediaTime {
        .milliseconds(Int64(int((range.lowerBound / step)...(range.upperBound / step)) * step))
    }

    /// Up to a number of seconds: in milliseconds, frames of 30000/1001, or ticks of 1/90,000 s.
    mutating func time(upTo seconds: Int) -> MediaTime {
        switch int(0...2) {
        case 0: milliseconds(0...(seconds * 1000))
        case 1:
            MediaTime(value: Int64(int(0...(seconds * 29))) * 1001, timescale: 30_000)
        default: MediaTime(value: Int64(int(0...(seconds * 90_000))), timescale: 90_000)
        }
    }

    mutating func color() -> Color {
        func part() -> Double { Double(int(0...255)) / 255 }
        return Color(
            red: part(), green: part(), blue: part(), alpha: chance(70) ? 1 : part())
    }

    mutating func opaque() -> Color {
        var color = color()
        color.alpha = 1
        return color
    }

    mutating func curve() -> TimingCurve {
        chance(50)
            ? .linear
            : chance(60)
                ? pick([.easeIn, .easeOut, .easeInOut])
                : .cubicBezier(real(0...1), real(-1...2), real(0...1), real(-1...2))
    }

    private static let words = [
        "Summer", "été", "two\nlines", "\"quoted\"", "a\\b", "夏", "{place}", "100 %", "it's", "a/b",
    ]

    mutating func text() -> String { pick(Self.words) + " \(int(0...99))" }

    mutating func family() -> String { pick(["Serif", "Mono", "DejaVu Sans"]) }

    /// In order of time.
    mutating func times(_ count: ClosedRange<Int>) -> [MediaTime] {
        var last = 0
        return several(count) { draw, _ in
            last += draw.int(1...400)
            return .milliseconds(Int64(last))
        }
    }
}
