internal import Media

/// Rendered frames by their number, within a bound: those that will be shown next, and behind them those that were.
/// A pure value.
struct FrameStore {
    /// Most frames (count; positive).
    let capacity: Int
    private var frames: [Int64: PixelBuffer] = [:]

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { frames.count }

    subscript(number: Int64) -> PixelBuffer? { frames[number] }

    func contains(_ number: Int64) -> Bool { frames[number] != nil }

    /// The stored frame nearest to one, at most so many away.
    func nearest(to number: Int64, within distance: Int64) -> Int64? {
        frames.keys.filter { abs($0 - number) <= distance }.min {
            abs($0 - number) < abs($1 - number)
        }
    }

    /// Keeps a frame; another one goes where there is no room: of those that are behind the playhead the farthest,
    /// then the farthest ahead of it.
    /// - Parameters:
    ///   - playhead: the frame on show.
    ///   - isForward: where it moves to.
    ///   - length: after so many frames the first one comes again; nil: it does not.
    mutating func keep(
        _ frame: PixelBuffer, as number: Int64, playhead: Int64, isForward: Bool, length: Int64?
    ) {
        frames[number] = frame
        guard frames.count > capacity else { return }
        func cost(_ number: Int64) -> Int64 {
            var ahead = isForward ? number - playhead : playhead - number
            if let length, ahead < 0 { ahead += length }
            return ahead < 0 ? Int64.max / 2 - ahead : ahead
        }
        if let worst = frames.keys.max(by: { cost($0) < cost($1) }) { frames[worst] = nil }
    }

    mutating func removeAll() { frames = [:] }
}
