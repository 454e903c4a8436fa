public import Media

/// Delivers together what several sources have for one moment. The first source gives the moments: one for each of its
/// frames, and for each that it lost. With each come the other sources' samples of the same time, or why there is none:
/// lost, not there, or not there in time. Thread-safe.
///
/// The sources are outputs of sessions that are configured, or branches of a `SharedSource`; the synchronizer takes
/// their handlers. Memory holds what comes within twice the timeout; frames that lie in a driver's memory are copied.
public final class DataOutputSynchronizer: Sendable {
    private struct State: Sendable {
        var matcher: MomentMatcher
        /// In the order of the sources.
        let identities: [ObjectIdentifier]
        let limit: Int
        var ready = FIFO<SynchronizedData>()
        var skipped = 0
        var isStopping = false

        /// Moves what is decided to what waits for the handler. Where many are decided at once, because a source that had
        /// been silent delivers, the handler is not behind.
        mutating func decide(at now: Int64) {
            let isBehind = ready.count >= limit
            while let moment = matcher.next(at: now) {
                guard !isBehind else {
                    skipped += 1
                    continue
                }
                let data = SynchronizedData(
                    time: .nanoseconds(moment.time), sources: moment.sources,
                    skippedMoments: skipped, identities: identities)
                ready.append(data, weight: 1)
                skipped = 0
            }
        }
    }

    /// From a handler to the next.
    private struct Run: Sendable {
        let state: Lock<State>
        let signal: WakeSignal
        /// Whether it is over with the first source, as a sequence is.
        let endsWithSource: Bool
        /// The sources' handlers, in their order.
        let places: [(place: HandlerPlace, turn: Int)]
    }

    // immutable
    /// In the order of `SynchronizedData.sources`; the first one gives the moments.
    public let sources: [any SampleSource]
    /// How long a moment waits for samples of other sources, from its own arrival on, and from its end on where one of
    /// them is audio (default: 250 ms).
    public let timeout: MediaTime
    /// Moments that may wait for the handler, beside those that were decided at once; newer ones are skipped, and
    /// counted (moments; default 8).
    public let queueLimit: Int
    private let clock: any MediaClock
    // guarded by itself
    private let run = Lock<Run?>(nil)

    /// - Parameters:
    ///   - sources: the first one has video or metadata; no source comes twice.
    ///   - timeout: how long a moment waits (seconds).
    ///   - queueLimit: moments that may wait for the handler (moments).
    ///   - clock: the sessions'.
    /// - Precondition: there is a source, the timeout is not negative, the limit is positive.
    public init(
        _ sources: [any SampleSource], timeout: MediaTime = .milliseconds(250),
        queueLimit: Int = 8, clock: any MediaClock = HostClock()
    ) {
        precondition(!sources.isEmpty, "a synchronizer needs a source that gives the moments")
        precondition(
            Set(sources.map { ObjectIdentifier($0) }).count == sources.count,
            "a source is synchronized once")
        precondition(timeout >= .zero, "a timeout cannot be negative")
        precondition(queueLimit > 0, "a moment must be able to wait")
        self.sources = sources
        self.timeout = timeout
        self.queueLimit = queueLimit
        self.clock = clock
    }

    deinit { stop() }

    /// Sets who gets the moments, in their order and on a thread of the synchronizer's own; `nil` ends delivery and gives
    /// the sources' handlers back, unless another synchronizer or shared source has taken them since. One moment that is
    /// on its way may still come. A session that is stopped and started again delivers again.
    /// - Precondition: the sources' sessions are configured; the first source is not one of audio.
    public func setHandler(_ handler: (@Sendable (SynchronizedData) -> Void)?) {
        stop()
        if let handler { _ = start(handler, endsWithSource: false, whenOver: {}) }
    }

    /// The moments as one sequence, from now until it is released or the first source has ended. It keeps the
    /// synchronizer and takes the handler's place. A reader that falls behind by `queueLimit` moments skips the newer ones,
    /// and they are counted.
    /// - Precondition: as `setHandler`'s.
    public func sequence() -> AsyncStream<SynchronizedData> {
        let (stream, continuation) = AsyncStream<SynchronizedData>.makeStream(
            bufferingPolicy: .bufferingOldest(queueLimit))
        let skipped = Lock(0)
        stop()
        let pass: @Sendable (SynchronizedData) -> Void = { data in
            skipped.withLock { skipped in
                let moments = data.skippedMoments + skipped
                if case .dropped = continuation.yield(data.skipping(moments)) {
                    skipped = moments + 1
                } else {
                    skipped = 0
                }
            }
        }
        let run = start(pass, endsWithSource: true, whenOver: { continuation.finish() })
        // the sequence keeps the synchronizer, as a loop over it is all that its user holds
        continuation.onTermination = { _ in self.stop(run) }
        return stream
    }

    private func start(
        _ handler: @escaping @Sendable (SynchronizedData) -> Void, endsWithSource: Bool,
        whenOver: @escaping @Sendable () -> Void
    ) -> Run {
        let formats = sources.map(\.format)
        precondition(formats[0].audio == nil, "the first source has frames, which give the moments")
        let state = Lock(
            State(
                matcher: MomentMatcher(formats, timeout: timeout.nanoseconds()),
                identities: sources.map { ObjectIdentifier($0) }, limit: queueLimit))
        let places = sources.map { source in
            let place = HandlerPlace.of(source)
            return (place, place.nextTurn())
        }
        let fresh = Run(
            state: state, signal: WakeSignal(), endsWithSource: endsWithSource, places: places)
        run.withLock { $0 = fresh }
        NamedThread(name: "vcap-sync") { [clock] in
            Self.deliver(fresh, clock, to: handler)
            whenOver()
        }.detach()
        for (index, source) in sources.enumerated() {
            let (place, turn) = places[index]
            place.take(source, turn) { [clock] event in
                let (now, kept) = (clock.now().nanoseconds(), event.onOwnMemory)
                fresh.state.withLock { state in
                    state.matcher.take(kept, from: index, arrival: now)
                    state.decide(at: now)
                }
                fresh.signal.raise()
            }
        }
        return fresh
    }

    /// - Parameter only: where another one has taken its place, nothing is to be done.
    private func stop(_ only: Run? = nil) {
        let last = run.withLock { run -> Run? in
            if let only, only.signal !== run?.signal { return nil }
            defer { run = nil }
            return run
        }
        guard let last else { return }
        for (source, (place, turn)) in zip(sources, last.places) { place.giveBack(source, turn) }
        last.state.withLock { $0.isStopping = true }
        last.signal.raise()
    }

    /// Until it is stopped, or the first source has ended: what is ready, then whatever a timeout decides.
    private static func deliver(
        _ run: Run, _ clock: any MediaClock, to handler: @Sendable (SynchronizedData) -> Void
    ) {
        while true {
            run.signal.lower()
            let now = clock.now()
            let (data, deadline, isOver) = run.state.withLock { state in
                state.decide(at: now.nanoseconds())
                let data = state.isStopping ? nil : state.ready.popFirst()
                let isOver =
                    state.isStopping
                    || run.endsWithSource && data == nil && state.matcher.isOver
                return (data, state.matcher.deadline, isOver)
            }
            if isOver { return }
            if let data {
                handler(data)
            } else {
                let wake = deadline.map { MediaTime.nanoseconds($0) } ?? now + .seconds(3600)
                _ = clock.wait(until: wake, orSignal: run.signal)
            }
        }
    }
}

extension SourceEvent {
    fileprivate var onOwnMemory: SourceEvent {
        if case .sample(let sample) = self { .sample(sample.onOwnMemory) } else { self }
    }
}
