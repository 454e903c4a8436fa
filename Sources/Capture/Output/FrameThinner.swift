internal import Media

/// Lets at most so many frames a second pass, evenly by their times.
struct FrameThinner: Sendable {
    /// Between two that pass, on average (ns).
    private let distance: Int64
    /// When the next one is due (host clock, ns).
    private var due: Int64?

    init(_ rate: FrameRate) { distance = rate.frameDuration.nanoseconds() }

    /// At most so many of a second, or one of so many of a camera; `nil` where all pass.
    init?(_ rate: FrameRate?, of camera: FrameRate?, divisor: Int) {
        guard rate != nil || divisor > 1 else { return nil }
        let own = camera ?? FrameRate(30)
        let fastest = min(rate ?? own, own)
        // a rate above the camera's own changes nothing
        distance =
            (divisor > 1 ? fastest : rate ?? own).frameDuration.nanoseconds() * Int64(divisor)
    }

    /// Whether a frame of this time passes.
    mutating func passes(_ time: MediaTime) -> Bool {
        let now = time.nanoseconds()
        // behind a gap, and where times go back, the grid begins anew
        guard let due, abs(now - due) < 2 * distance else {
            due = now + distance
            return true
        }
        // a stamp that is a little early for its place is not a whole frame late for the next
        guard now >= due - distance / 8 else { return false }
        self.due = max(due, now - distance / 2) + distance
        return true
    }
}
