/// The frames of a camera on their way through a filter, and what lies between them. A pure value: times come with the
/// calls.
///
/// ```
///           looked at         processed, or failed
///   waiting ─────────▶ known ─────────────────────▶ settled ─▶ out, when it is the first
///      └──────────────────┴────────────────────────▶ settled by the fallback: it has waited for `timeout`, or
///                                                     more than `capacity` wait
/// ```
/// Every frame goes out, once, in its order and with its time. Only where nobody takes what is settled, frames that come
/// are dropped, and said to be.
struct FilterLine {
    /// What is to be done with a frame.
    struct Job {
        enum Kind { case look, process }
        let kind: Kind
        let number: Int
        let frame: SampleBuffer
    }

    /// What goes out, and of a frame how that came about.
    struct Settled {
        var event: SourceEvent
        /// `nil`: it is no frame.
        var outcome: FrameFiltering.Outcome?
        /// Of a processed frame (count).
        var covered = 0
        /// Of a failed one.
        var failure: String?
    }

    private struct Entry {
        let number: Int
        let event: SourceEvent
        /// When it came (host clock, ns).
        let arrival: Int64
        var isLookedAt = false
        /// Handed to the processor.
        var isTaken = false
        /// `nil`: not settled.
        var result: Settled?

        var frame: SampleBuffer? {
            if case .sample(let sample) = event { sample } else { nil }
        }
    }

    // immutable
    /// How long a frame waits for its processor (ns).
    let timeout: Int64
    private let lookAhead: MediaTime
    /// Most frames that wait for the processor (frames).
    var capacity: Int
    private let fallback: @Sendable (SampleBuffer) -> SourceEvent

    private var entries: [Entry] = []
    private var lastNumber = 0
    /// Of the newest frame that was looked at.
    private var lastLook: MediaTime?
    private var late: SampleDrop?
    /// How long the processor is expected to take for a frame (ns).
    private var cost: Int64 = 0
    /// How long it is expected to take for a look (ns).
    private var lookCost: Int64 = 0
    /// A look that took less was none: it was not time for it yet (ns).
    private static let shortestLook: Int64 = 1_000_000
    /// The first frame that the processor may still get: it gets them in their order, and what it left out for want of
    /// time stays out.
    private var next = 0
    /// Whether the processor has a frame.
    private var isProcessing = false

    /// - Parameters:
    ///   - lookAhead: how far behind a frame others are looked at before it is processed.
    ///   - timeout: how long a frame waits for its processor (ns).
    ///   - capacity: most frames that wait for it (frames).
    ///   - fallback: what goes out in place of a frame.
    init(
        lookAhead: MediaTime, timeout: Int64, capacity: Int,
        fallback: @escaping @Sendable (SampleBuffer) -> SourceEvent
    ) {
        (self.lookAhead, self.timeout, self.capacity) = (lookAhead, timeout, capacity)
        self.fallback = fallback
    }

    /// Frames in it.
    var count: Int { entries.reduce(0) { $0 + ($1.frame == nil ? 0 : 1) } }

    mutating func push(_ event: SourceEvent, at now: Int64) {
        if case .sample(let sample) = event, count >= 2 * capacity {
            // nobody takes what is settled
            let drop = SampleDrop(
                cause: .late, count: 1 + (late?.count ?? 0),
                time: late?.time ?? sample.presentationTime)
            late = drop
            return
        }
        if let late { append(.dropped(late), at: now) }
        late = nil
        append(event, at: now)
        settleOverfull()
    }

    private mutating func append(_ event: SourceEvent, at now: Int64) {
        lastNumber += 1
        var entry = Entry(number: lastNumber, event: event, arrival: now)
        if entry.frame == nil { entry.result = Settled(event: event) }
        entries.append(entry)
    }

    /// Frames that are not settled (frames).
    private var unsettled: Int { entries.reduce(0) { $0 + ($1.result == nil ? 1 : 0) } }

    /// The oldest frames of more than wait may not wait longer.
    private mutating func settleOverfull() {
        var waiting = unsettled
        for index in entries.indices where waiting > capacity && entries[index].result == nil {
            settle(index, as: .late)
            waiting -= 1
        }
    }

    /// By the fallback.
    private mutating func settle(
        _ index: Int, as outcome: FrameFiltering.Outcome, failure: String? = nil
    ) {
        guard let frame = entries[index].frame else { return }
        // what was left out for its cost while the processor had nothing to do: it may be dear no longer
        if outcome == .late, !isProcessing { cost /= 2 }
        entries[index].result = Settled(
            event: fallback(frame), outcome: outcome, failure: failure)
    }

    // MARK: The processor's side

    /// What is to be done next; `nil`: nothing as things stand.
    mutating func nextJob(at now: Int64) -> Job? {
        // what would come too late is left to the fallback, so that not every frame does
        let waiting = entries.indices.filter { isWaiting(entries[$0]) }
        let inTime = waiting.first { index in
            let needed = cost + (entries[index].isLookedAt ? 0 : lookCost)
            return now - entries[index].arrival + needed < timeout
        }
        guard let first = inTime ?? waiting.last, let frame = entries[first].frame else {
            return nil
        }
        if entries[first].isLookedAt, isDue(first, frame, now) {
            entries[first].isTaken = true
            (isProcessing, next) = (true, entries[first].number)
            return Job(kind: .process, number: entries[first].number, frame: frame)
        }
        for index in first..<entries.count
        where entries[index].result == nil && !entries[index].isLookedAt {
            guard let frame = entries[index].frame else { continue }
            next = entries[first].number
            return Job(kind: .look, number: entries[index].number, frame: frame)
        }
        return nil
    }

    private func isWaiting(_ entry: Entry) -> Bool {
        entry.result == nil && !entry.isTaken && entry.number >= next
    }

    /// Whether enough is known of what comes behind it.
    private func isDue(_ index: Int, _ frame: SampleBuffer, _ now: Int64) -> Bool {
        if lookAhead <= .zero { return true }
        // the next but one would push it out
        if unsettled >= capacity - 1 { return true }
        if let lastLook, lastLook - frame.presentationTime >= lookAhead { return true }
        if now - entries[index].arrival >= timeout / 2 {
            return !isWorthLooking(behind: index, now)
        }
        return isKnownToEnd(behind: index)
    }

    /// Whether there is time for a look at what has come behind a frame, before that frame is processed.
    private func isWorthLooking(behind index: Int, _ now: Int64) -> Bool {
        guard now - entries[index].arrival + lookCost + cost < timeout else { return false }
        for entry in entries[(index + 1)...] {
            switch entry.event {
            case .interrupted, .resumed, .ended: return false
            case .sample: if entry.result == nil, !entry.isLookedAt { return true }
            case .dropped: continue
            }
        }
        return false
    }

    /// Whether an end lies behind a frame, behind which nothing comes that could be looked at, and all in front of the
    /// end was.
    private func isKnownToEnd(behind index: Int) -> Bool {
        for entry in entries[(index + 1)...] {
            switch entry.event {
            case .interrupted, .resumed, .ended: return true
            case .sample: if entry.result == nil, !entry.isLookedAt { return false }
            case .dropped: continue
            }
        }
        return false
    }

    /// When there may be something to do without anything coming (host clock, ns).
    var nextDue: Int64? {
        entries.first(where: isWaiting).map { $0.arrival + timeout / 2 }
    }

    /// - Parameter took: how long the look took (ns).
    mutating func lookedAt(_ number: Int, _ frame: SampleBuffer, took: Int64 = 0) {
        lastLook = frame.presentationTime
        if took > Self.shortestLook {
            lookCost = lookCost == 0 ? took : (lookCost + took) / 2
        }
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries[index].isLookedAt = true
    }

    /// - Parameters:
    ///   - result: `nil`: the processor failed.
    ///   - covered: what it covered in it (count).
    ///   - failure: why it failed.
    ///   - took: how long it worked (ns); `nil`: it only looked.
    mutating func finish(
        _ number: Int, _ result: SampleBuffer?, covered: Int = 0, failure: String? = nil,
        took: Int64? = nil
    ) {
        if let took {
            isProcessing = false
            // frames are due when half of their time is over: one that was dear must leave some of the other half
            cost = lookAhead > .zero ? min(took, timeout / 8 * 3) : took
        }
        guard let index = entries.firstIndex(where: { $0.number == number }),
            entries[index].result == nil
        else { return }
        if let result {
            entries[index].result = Settled(
                event: .sample(result), outcome: .processed, covered: covered)
        } else {
            settle(index, as: .failed, failure: failure)
        }
    }

    // MARK: The listener's side

    /// What goes out next; `nil`: nothing yet.
    mutating func takeOut(at now: Int64) -> Settled? {
        guard let first = entries.first else {
            defer { late = nil }
            return late.map { Settled(event: .dropped($0)) }
        }
        if first.result == nil, now - first.arrival >= timeout { settle(0, as: .late) }
        guard let result = entries[0].result else { return nil }
        entries.removeFirst()
        return result
    }

    /// Until when the first frame waits (host clock, ns).
    var nextDeadline: Int64? { entries.first.map { $0.arrival + timeout } }

    mutating func removeAll() { (entries, late, lastLook) = ([], nil, nil) }
}
