import Media
import TestSupport

@testable import Compose

/// A row of random clips, and by plain arithmetic when each lies where and what it shows.
struct RandomRow {
    /// A clip in the film.
    struct Placed: CustomStringConvertible {
        let source: Int
        /// Ticks of the timeline.
        let range: Range<Int64>
        /// Shared with the clip before (ticks).
        let overlap: Int64
        /// Of the source (seconds).
        let start: Fraction
        let end: Fraction
        let isReversed: Bool
        let isFrozen: Bool
        let speed: Fraction

        var description: String {
            let way = isFrozen ? "standing still" : isReversed ? "backwards" : "forwards"
            return "source \(source) from \(start.numerator)/\(start.denominator) s, \(way) at "
                + "\(speed.numerator)/\(speed.denominator)"
        }
    }

    static let second: Int64 = 705_600_000

    private(set) var items: [VideoItem] = []
    private(set) var clips: [Placed] = []
    var end: Int64 { clips.last?.range.upperBound ?? 0 }

    private static let speeds = [
        Speed.normal, .normal, .normal, Speed(1, per: 4), Speed(1, per: 3), Speed(1, per: 2),
        Speed(2, per: 3), Speed(3, per: 4), Speed(1001, per: 1000), Speed(5, per: 4),
        Speed(3, per: 2), Speed(2), Speed(3), Speed(4),
    ]

    /// - Parameter step: of the film's frames (ticks).
    mutating func add(
        of sources: [NumberedSource], step: Int64, by random: inout SplitMix
    ) throws {
        let index = Int.random(in: 0..<sources.count, using: &random)
        let source = sources[index]
        let isFrozen = Int.random(in: 0..<10, using: &random) == 0
        let speed = isFrozen ? Speed.normal : Self.speeds.randomElement(using: &random) ?? .normal
        let factor = Fraction(Int128(speed.numerator), Int128(speed.denominator))
        // how long it shows, about
        let length =
            Fraction(Int128(Int.random(in: 120...900, using: &random)), 1000) * factor
        let whole = Fraction(source.end)
        let room = max(Fraction(0), whole - length)
        let start = Self.time(upTo: room, in: source, step, by: &random)
        var item = VideoItem(source.path, start: start, speed: speed)
        var until = Self.time(
            upTo: min(whole, Fraction(start) + length), in: source, step, by: &random)
        if Fraction(until) <= Fraction(start) + Fraction(1, 20) { until = source.end }
        var ticks: Int64
        if isFrozen {
            let stands = MediaTime.milliseconds(Int64.random(in: 50...900, using: &random))
            item.freeze = stands
            ticks = Int64((Fraction(stands) * Fraction(Int128(Self.second))).nearest)
        } else {
            item.end = until
            item.isReversed = Int.random(in: 0..<4, using: &random) == 0
            // of a length that is not whole ticks of the timeline the rest is cut off
            ticks = Int64(
                ((Fraction(until) - Fraction(start)) / factor * Fraction(Int128(Self.second)))
                    .floor)
        }
        let (begin, overlap) = place(&item, ticks, step, by: &random)
        items.append(item)
        clips.append(
            Placed(
                source: index, range: begin..<begin + ticks, overlap: overlap,
                start: Fraction(start), end: Fraction(until), isReversed: item.isReversed,
                isFrozen: isFrozen, speed: factor))
    }

    /// After the one before: at once, with a dissolve, behind a gap or at a time.
    private func place(
        _ item: inout VideoItem, _ ticks: Int64, _ step: Int64, by random: inout SplitMix
    ) -> (begin: Int64, overlap: Int64) {
        let isOnFrame = Bool.random(using: &random)
        func some(_ most: Int64) -> Int64 {
            let free = Int64.random(in: 1...max(1, most), using: &random)
            return isOnFrame && most >= step ? max(step, free / step * step) : free
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            guard let before = clips.last else { break }
            let overlap = some(min(ticks, before.range.upperBound - before.range.lowerBound) / 2)
            item.transition = .dissolve(.timeline(overlap))
            return (end - overlap, overlap)
        case 2:
            let gap = some(Self.second / 2)
            item.gap = .timeline(gap)
            return (end + gap, 0)
        case 3:
            let begin = end + some(Self.second / 2)
            item.at = .timeline(begin)
            return (begin, 0)
        default: break
        }
        return (end, 0)
    }

    /// A time of a source: of one of its frames, of the film's, in milliseconds or in ticks of 1/90,000 s.
    private static func time(
        upTo most: Fraction, in source: NumberedSource, _ step: Int64, by random: inout SplitMix
    ) -> MediaTime {
        let part = Fraction(Int128(Int.random(in: 0...1000, using: &random)), 1000)
        let wanted = most * part
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let number = (wanted * Fraction(source.rate)).floor
            return MediaTime(
                value: Int64(number) * Int64(source.rate.denominator),
                timescale: source.rate.numerator)
        case 1:
            let film = Fraction(Int128(step), Int128(second))
            return .timeline(Int64((wanted / film).floor) * step)
        case 2: return .milliseconds(Int64((wanted * Fraction(1000)).floor))
        default:
            return MediaTime(
                value: Int64((wanted * Fraction(90_000)).floor), timescale: 90_000)
        }
    }
}
