public import Media

/// The depth of a photo's moment, or why it has none.
public struct PhotoDepth: Sendable {
    /// The map nearest to the photo's frame, upright, as its own camera sees the scene; `nil` where none was near.
    public let data: DepthData?
    /// When it was begun (host clock); `nil` without a map.
    public let presentationTime: MediaTime?
    /// What brought it.
    public let origin: SourceOrigin
    /// Why there is a map, or none.
    public let outcome: SynchronizedSamples.Outcome
    /// How far a map may be from the photo's frame: half a frame of the camera that has fewer of them (seconds).
    public let reach: MediaTime
    /// Why its source brings nothing at all, as a sentence: it is unplugged, or its file has ended; `nil` while it works.
    public let interruption: String?
}

/// What brings photos their depth while a session runs. Thread-safe.
final class PhotoDepthFeed: Sendable {
    private typealias Answer = @Sendable (PhotoDepth) -> Void

    private struct State: Sendable {
        var desk: PhotoDepthDesk<UInt64>
        var next: UInt64 = 0
        var answers: [UInt64: (reach: Int64, body: Answer)] = [:]
        /// Why the source brings nothing.
        var interruption: String?
    }

    /// How long a map is waited for: what computes it may be slow (seconds).
    private static let timeout = MediaTime.seconds(2)

    // immutable
    let source: any SampleSource
    private let clock: any MediaClock
    private let state: Lock<State>

    /// - Parameter interval: from frame to frame of the photos' camera (`nil`: not known).
    /// - Throws: `invalidState` for a source of no session, `unsupported` for one of no depth.
    init(
        _ source: any SampleSource, clock: any MediaClock, interval: MediaTime?
    ) throws(MediaError) {
        try source.requireFormat()
        guard source.format.video?.depth != nil else { throw .noDepth(source.origin.name) }
        self.source = source
        self.clock = clock
        state = Lock(
            State(
                desk: PhotoDepthDesk(source.format, interval: interval?.nanoseconds() ?? 0)))
        source.setHandler { [weak self] in self?.take($0) }
    }

    /// Whether a map has come.
    var hasMap: Bool { state.withLock { $0.desk.hasMap } }

    /// Answers who waits, with what there is.
    /// - Parameter keepsHandler: whether the source's handler is another's by now.
    func stop(keepsHandler: Bool) {
        if !keepsHandler { source.setHandler(nil) }
        answer(state.withLock { Self.open($0.desk.end(), &$0) })
    }

    /// The depth of a frame.
    /// - Parameters:
    ///   - time: of the frame (host clock).
    ///   - interval: from frame to frame of its camera (`nil`: not known).
    ///   - completion: called once, on a thread of the source's or the system's.
    func depth(
        at time: MediaTime, interval: MediaTime?,
        completion: @escaping @Sendable (PhotoDepth) -> Void
    ) {
        let (moment, span) = (time.nanoseconds(), interval?.nanoseconds() ?? 0)
        let (ticket, found, reach) = state.withLock { state in
            state.next += 1
            let reach = state.desk.reach(interval: span)
            let found = state.desk.ask(state.next, at: moment, interval: span)
            if found == nil { state.answers[state.next] = (reach, completion) }
            return (state.next, found, reach)
        }
        if let found { return completion(depth(found, reach)) }
        Task { [weak self] in
            try? await Task.sleep(for: .nanoseconds(Self.timeout.nanoseconds()))
            self?.expire(ticket)
        }
    }

    private func expire(_ ticket: UInt64) {
        answer(
            state.withLock { state in
                Self.open(state.desk.expire(ticket).map { [(ticket, $0)] } ?? [], &state)
            })
    }

    /// Called on the source's thread.
    private func take(_ event: SourceEvent) {
        var event = event
        if case .sample(let sample) = event { event = .sample(sample.onOwnMemory) }
        let now = clock.now().nanoseconds()
        answer(
            state.withLock { state in
                switch event {
                case .interrupted(let interruption): state.interruption = interruption.message
                case .ended: state.interruption = "\(source.origin.name) has ended."
                case .resumed, .sample: state.interruption = nil
                case .dropped: break
                }
                return Self.open(state.desk.take(event, arrival: now), &state)
            })
    }

    private typealias Given = (samples: SynchronizedSamples, reach: Int64, body: Answer)

    private static func open(
        _ decided: [(UInt64, SynchronizedSamples)], _ state: inout State
    ) -> [Given] {
        decided.compactMap { ticket, samples in
            state.answers.removeValue(forKey: ticket).map { (samples, $0.reach, $0.body) }
        }
    }

    private func answer(_ given: [Given]) {
        for (samples, reach, body) in given { body(depth(samples, reach)) }
    }

    private func depth(_ found: SynchronizedSamples, _ reach: Int64) -> PhotoDepth {
        let data = found.sample.flatMap { sample in try? DepthData(sample) }
        return PhotoDepth(
            data: data, presentationTime: data == nil ? nil : found.sample?.presentationTime,
            origin: source.origin, outcome: found.outcome, reach: .nanoseconds(reach),
            interruption: data == nil ? state.withLock { $0.interruption } : nil)
    }
}
