internal import Media

/// Which map is the depth of which photo: the one nearest to the photo's frame, at most half a frame away, of the camera
/// that has fewer of them. A pure value: times come with the samples.
///
/// ```
///          map          photo       map
///   ────────●─────────────┃──────────●────▶   decided when a map behind the photo is there,
///           └── nearest ──┘                   or the timeout is over
/// ```
struct PhotoDepthDesk<Ticket: Hashable & Sendable>: Sendable {
    private struct Waiting: Sendable {
        let ticket: Ticket
        let moment: Int64
        let interval: Int64
    }

    /// A frame that was taken is no older (ns).
    private static var memory: Int64 { 500_000_000 }

    private var line: FrameLine
    private var waiting: [Waiting] = []
    /// From frame to frame of the slowest camera that asked so far (ns).
    private var slowest: Int64
    /// Whether a photo has waited in vain since the last map.
    private var isOverdue = false

    /// - Parameter interval: from frame to frame of the photos' camera (ns; 0: not known).
    init(_ format: FormatDescription, interval: Int64 = 0) {
        line = FrameLine(format)
        slowest = interval
    }

    /// Whether a map has come.
    private(set) var hasMap = false

    /// Maps in memory.
    var frameCount: Int { line.frameCount }

    /// The depth of a photo is wanted.
    /// - Parameters:
    ///   - moment: when the camera began the photo's frame (host ns).
    ///   - interval: from frame to frame of that camera (ns; 0: not known).
    /// - Returns: what there is; `nil` while that may still change.
    mutating func ask(_ ticket: Ticket, at moment: Int64, interval: Int64) -> SynchronizedSamples? {
        let wanted = Waiting(ticket: ticket, moment: moment, interval: interval)
        slowest = max(slowest, interval)
        if isOverdue || line.isDecided(for: moment, within: reach(wanted)) { return match(wanted) }
        waiting.append(wanted)
        return nil
    }

    /// - Returns: what photos have that are decided by this event.
    mutating func take(
        _ event: SourceEvent, arrival: Int64
    ) -> [(Ticket, SynchronizedSamples)] {
        if case .sample = event { (hasMap, isOverdue) = (true, false) }
        line.take(event, arrival: arrival)
        // the nearest map of a frame that is as old as it may be is half a frame older
        line.forget(olderThan: Self.memory + max(slowest, line.interval))
        let decided = waiting.filter { line.isDecided(for: $0.moment, within: reach($0)) }
        guard !decided.isEmpty else { return [] }
        let tickets = Set(decided.map(\.ticket))
        waiting.removeAll { tickets.contains($0.ticket) }
        return decided.map { ($0.ticket, match($0)) }
    }

    /// The timeout of a photo is over.
    /// - Returns: what there is; `nil` where it has its answer.
    mutating func expire(_ ticket: Ticket) -> SynchronizedSamples? {
        guard let place = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        isOverdue = true
        return match(waiting.remove(at: place))
    }

    /// No maps come any more.
    mutating func end() -> [(Ticket, SynchronizedSamples)] {
        defer { waiting = [] }
        return waiting.map { ($0.ticket, match($0)) }
    }

    /// How far a map may be from a photo (ns).
    func reach(interval: Int64) -> Int64 { max(interval, line.interval) / 2 }

    private func reach(_ wanted: Waiting) -> Int64 { reach(interval: wanted.interval) }

    /// What is taken stays there for the next photo, which may be of the same frame.
    private func match(_ wanted: Waiting) -> SynchronizedSamples {
        var line = line
        return line.takeMatch(for: wanted.moment, within: reach(wanted))
    }
}
