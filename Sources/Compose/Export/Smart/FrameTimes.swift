internal import Media

/// When the frames of one track are shown and decoded, by number.
struct FrameTimes: Sendable, Hashable {
    private enum Line: Sendable, Hashable {
        /// So long each, from zero on.
        case even(MediaTime)
        /// When each begins, in order.
        case own([MediaTime])
    }

    private let line: Line
    /// When the last one ends.
    let end: MediaTime

    /// On an even grid from zero on.
    init(every frameDuration: MediaTime, until end: MediaTime) {
        (line, self.end) = (.even(frameDuration), end)
    }

    /// - Parameter starts: in order, no two of them equal.
    init(_ starts: [MediaTime], until end: MediaTime) {
        (line, self.end) = (.own(starts), end)
    }

    func start(of number: Int64) -> MediaTime {
        switch line {
        case .even(let frameDuration): frameDuration * number
        case .own(let starts): starts[Int(number)]
        }
    }

    /// How long a frame is shown that begins at a time.
    func duration(from start: MediaTime) -> MediaTime {
        switch line {
        case .even(let frameDuration): return min(frameDuration, end - start)
        case .own(let starts):
            let next = starts.partitioningIndex { $0 > start }
            return (next < starts.count ? starts[next] : end).since(start)
        }
    }

    /// When a sample is decoded: constantly as many frames ahead as the track needs.
    /// - Parameters:
    ///   - sample: in decode order.
    ///   - reorder: frames ahead of being shown (count).
    func decode(_ sample: Int64, ahead reorder: Int) -> MediaTime {
        let number = sample - Int64(reorder)
        switch line {
        case .even(let frameDuration): return frameDuration * number
        case .own(let starts):
            if number >= 0 { return starts[Int(min(number, Int64(starts.count) - 1))] }
            // before the first one, as far apart as they are on the whole
            let length = end.since(starts[0]).nanoseconds()
            let step = MediaTime.nanoseconds(max(1, length / Int64(starts.count)))
            return starts[0].since(step * -number)
        }
    }
}
