internal import Media

/// The audio of a recording as it is compared with another's: mono, at one of two rates. Thread-bound.
protocol AlignableSound: AnyObject {
    /// From its first audio frame to its last (seconds).
    var duration: Double { get }

    /// Frames from a place on; silence where there are none.
    /// - Parameters:
    ///   - frame: counted from the recording's time zero.
    ///   - count: how many.
    ///   - rate: `AlignmentScale.searchRate` or `.exactRate`.
    func read(from frame: Int64, count: Int, rate: Int) throws(MediaError) -> [Float]
}

/// What two recordings are compared in.
enum AlignmentScale {
    /// Where they are looked for (Hz).
    static let searchRate = 8000
    /// Where the result is measured (Hz).
    static let exactRate = 48_000
    /// Two clocks differ by at most this (seconds per second): ten times what a bad crystal does.
    static let greatestDrift = 500e-6
    /// What two recordings must have in common (seconds).
    static let leastOverlap = 3.0
}
