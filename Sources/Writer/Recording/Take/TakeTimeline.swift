internal import Media

/// Where the movie lies on the host clock: its start, its cuts, and where it must end.
///
/// A pure value, fed by what the writer tells. Times are host nanoseconds unless said.
struct TakeTimeline: Sendable {
    private(set) var start: Int64?
    private(set) var cuts: [MoviePause] = []
    /// When the pause that is asked for, but not carried out, was asked.
    private var pausing: Int64?
    private var isResuming = false
    /// Length after which the movie ends (movie time, ns).
    private let wanted: Int64?

    init(duration: MediaTime?) { wanted = duration?.nanoseconds() }

    mutating func begin(at time: Int64) { start = time }

    mutating func askedToPause(at time: Int64) {
        pausing = time
        isResuming = false
    }

    mutating func askedToResume() { isResuming = true }

    mutating func paused(_ pause: MoviePause) {
        cuts.append(pause)
        pausing = nil
    }

    mutating func resumed(_ pause: MoviePause) {
        if cuts.isEmpty { cuts.append(pause) } else { cuts[cuts.count - 1] = pause }
        isResuming = false
        // a resume that undid a pause before it was carried out leaves no cut
        pausing = nil
    }

    /// Whether the movie stands still now, as far as the writer has told.
    var isPaused: Bool {
        guard let last = cuts.last else { return false }
        return last.resumeTime == nil
    }

    /// Length of the movie at a host time (movie time, ns).
    func movieTime(at time: Int64) -> Int64 {
        guard let start else { return 0 }
        let asked = pausing.map { min($0, time) } ?? time
        guard let cut = cuts.last(where: { $0.cutTime.nanoseconds() <= asked }) else {
            return max(0, asked - start)
        }
        guard let resumed = cut.resumeTime?.nanoseconds(), resumed <= asked else {
            return cut.movieTime.nanoseconds()
        }
        return cut.movieTime.nanoseconds() + asked - resumed
    }

    /// The first instant that must not be in the movie; `nil` without a wanted length, and while
    /// a pause makes it unknown.
    var end: Int64? {
        guard let wanted, let start else { return nil }
        guard let cut = cuts.last else { return beforePause(start + wanted) }
        guard let resumed = cut.resumeTime?.nanoseconds() else { return nil }
        return beforePause(resumed + wanted - cut.movieTime.nanoseconds())
    }

    private func beforePause(_ end: Int64) -> Int64? {
        guard let pausing, pausing < end else { return end }
        return nil
    }
}
