internal import Media

/// Which frame is looked at, and what is said of it: one at a time, the others are skipped. A pure value: times come
/// with the frames.
///
/// ```
///          frame                       result
///   idle ─────────▶ looking ─────────────────────────────▶ idle   said of the frame
///                     │  a frame comes 2 s later or more
///                     ▼                       result
///                   overdue ─────────────────────────────▶ idle   said before: nothing is known; the result is late
/// ```
struct DetectionDesk: Sendable {
    /// How long a result is waited for: what was seen before is not said to be there for longer.
    static let limit = MediaTime.seconds(2)

    /// What is said of a frame.
    struct Statement: Sendable {
        let objects: [any MetadataObject]
        let time: MediaTime
        /// Until when it holds; nil: until the next one.
        let end: MediaTime?
    }

    private struct Look: Sendable {
        let time: MediaTime
        /// Where the frame ends, if the one behind it is left out before it comes here.
        let end: MediaTime?
        /// Of the first frame that was skipped meanwhile.
        var firstSkipped: MediaTime?
        var isOverdue = false
    }

    private var look: Look?
    private var lastTime: MediaTime?
    private(set) var counts = DetectionCounts()

    /// Whether a frame is being looked at.
    var isLooking: Bool { look != nil }

    /// A frame came.
    /// - Parameter length: how long it lasts, where the frames behind it are left out; nil: the next one comes.
    /// - Returns: whether it is to be looked at, and what is said because of it.
    mutating func take(
        _ time: MediaTime, length: MediaTime? = nil
    ) -> (looks: Bool, statement: Statement?) {
        guard var look else {
            look = Look(time: time, end: length.map { time + $0 })
            return (true, nil)
        }
        skip(.busy, 1)
        look.firstSkipped = look.firstSkipped ?? time
        var statement: Statement?
        if !look.isOverdue, time - look.time >= Self.limit {
            look.isOverdue = true
            statement = self.statement([], at: look.time, until: nil)
        }
        self.look = look
        return (false, statement)
    }

    /// The detector is done with its frame.
    /// - Parameter objects: what it found; nil: it failed.
    /// - Returns: what is said of the frame.
    mutating func finish(_ objects: [any MetadataObject]?) -> Statement? {
        guard let look else { return nil }
        self.look = nil
        if look.isOverdue {
            skip(.late, 1)
            return nil
        }
        guard let objects else {
            skip(.failed, 1)
            return statement([], at: look.time, until: nil)
        }
        counts.analyzed += 1
        counts.found += objects.count
        // of what was not looked at nothing is said, where something could have changed
        let ends = [look.end, look.firstSkipped].compactMap(\.self)
        let end = objects.isEmpty ? nil : ends.min()
        return statement(objects, at: look.time, until: end)
    }

    /// Frames stop coming: nothing is known from then on.
    mutating func interrupt(at time: MediaTime) -> Statement? {
        look?.isOverdue = true
        return lastTime == nil ? nil : statement([], at: time, until: nil)
    }

    mutating func skip(_ why: DetectionCounts.Skip, _ count: Int) {
        counts.skipped[why, default: 0] += count
    }

    /// Statements are in the order of their times, whatever comes.
    private mutating func statement(
        _ objects: [any MetadataObject], at time: MediaTime, until end: MediaTime?
    ) -> Statement? {
        guard lastTime.map({ $0 < time }) ?? true else { return nil }
        lastTime = time
        return Statement(objects: objects, time: time, end: end.flatMap { $0 > time ? $0 : nil })
    }
}
