internal import Media

/// When the pictures of an animation begin, in ticks of one timescale.
///
/// A picture begins at the sum of the delays before it. The timescale is the least common multiple of
/// those of all delays where 31 bits hold it, and every time exact; else each begins at the tick of
/// 1/705,600,000 s nearest to its exact time, so that no errors add up.
struct PictureTimes {
    /// Of the ticks where no timescale holds all delays (1/s).
    static let fineTimescale: Int32 = 705_600_000

    let timescale: Int32
    let pictures: [ImageFile.Picture]

    /// - Parameters:
    ///   - delays: of each picture, as written.
    ///   - timescale: of the kind of file (1/s).
    /// - Throws: `over-limit`.
    init(
        _ delays: [MediaTime], timescale: Int32, rule: DelayRule, limits: ImageLimits,
        of path: String
    ) throws(MediaError) {
        let meant = delays.map { $0 < rule.least ? rule.substitute : $0 }
        let common = Self.common(timescale, Set(meant.map(\.reduced.timescale)))
        let scale = common ?? Self.fineTimescale
        var sum = FixedPointSum(timescale: scale)
        var starts: [Int64] = [0]
        starts.reserveCapacity(meant.count + 1)
        let most = limits.duration.ticks(per: scale, rounding: .down)
        for delay in meant {
            sum.add(delay)
            guard let end = sum.ticks, end <= most else {
                let hours = Int(limits.duration.approximateSeconds) / 3600
                throw .overLimit(path, "an animation of more than \(hours) h is")
            }
            // two pictures at one instant would leave one out
            starts.append(max(end, (starts.last ?? 0) + 1))
        }
        self.timescale = scale
        pictures = zip(starts, starts.dropFirst()).map {
            ImageFile.Picture(start: $0, duration: $1 - $0)
        }
    }

    private static func common(_ base: Int32, _ others: Set<Int32>) -> Int32? {
        var result = Int64(base)
        for other in others {
            var (a, b) = (result, Int64(other))
            while b != 0 { (a, b) = (b, a % b) }
            result = result / a * Int64(other)
            guard result <= Int64(Int32.max) else { return nil }
        }
        return Int32(result)
    }
}

/// A sum in ticks with 64 bits behind the point: of whole ticks exact; of 50,000 parts of ticks it
/// is off by less than a millionth of one.
private struct FixedPointSum {
    let timescale: Int32
    private var sum: Int128 = 0

    init(timescale: Int32) { self.timescale = timescale }

    /// - Parameter time: not negative.
    mutating func add(_ time: MediaTime) {
        let (ticks, rest) = (Int128(time.value) * Int128(timescale))
            .quotientAndRemainder(dividingBy: Int128(time.timescale))
        let (result, isOver) = sum.addingReportingOverflow(
            (min(ticks, 1 << 62) << 64) + (rest << 64) / Int128(time.timescale))
        sum = isOver ? .max : result
    }

    /// The nearest; nil where it is out of reach.
    var ticks: Int64? {
        let (rounded, isOver) = sum.addingReportingOverflow(1 << 63)
        return isOver ? nil : Int64(exactly: rounded >> 64)
    }
}
