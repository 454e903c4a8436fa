/// Lengths of audio in frames and in nanoseconds, rounded to nearest.
enum AudioTiming {
    private static let second: Int64 = 1_000_000_000

    /// The length of `frames` frames (ns).
    static func nanoseconds(of frames: Int, rate: Int) -> Int64 {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        return Int64(seconds) * second + rounded(Int64(rest) * second, by: Int64(rate))
    }

    /// The frames nearest to a length (ns); negative for a negative length.
    static func frames(in nanoseconds: Int64, rate: Int) -> Int {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: second)
        return Int(seconds) * rate + Int(rounded(rest * Int64(rate), by: second))
    }

    private static func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
        let half = divisor / 2
        return (value >= 0 ? value + half : value - half) / divisor
    }
}
