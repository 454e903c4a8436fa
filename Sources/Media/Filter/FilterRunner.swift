/// The two threads of a filter: one works, the other delivers what is settled and waits for the first no longer than it
/// may. Thread-safe: nobody who brings frames waits, and nobody waits for the threads to end.
final class FilterRunner: Sendable {
    private struct State {
        var line: FilterLine
        var counts: FilterCounts
        var isFinished = false
    }

    private struct Handlers: Sendable {
        var events: (@Sendable (SourceEvent) -> Void)?
        var trouble: (@Sendable (FilteredSource.Trouble) -> Void)?
    }

    // immutable
    private let processor: any FrameProcessor

    // guarded by themselves
    private let state: BlockingLock<State>
    private let handlers = Lock(Handlers())

    /// Most bytes of frames that wait for a processor, and so how many.
    private static let (memory, fewest, most) = (72_000_000, 5, 24)
    /// So many frames that are processed one after the other are no accident (frames).
    private static let wellAgain = 30

    /// - Parameter timeout: how long a frame waits for the processor (ns).
    init(_ processor: any FrameProcessor, timeout: Int64) {
        self.processor = processor
        state = BlockingLock(
            State(
                line: Self.line(processor, timeout: timeout, capacity: Self.most),
                counts: FilterCounts(name: processor.name, fallback: processor.fallback)))
        // they hold no more than they work with: a processor that never returns keeps no source
        NamedThread(name: "vcap-filter") { [state, processor] in Self.work(state, processor) }
            .detach()
        NamedThread(name: "vcap-filtered") { [state, handlers] in Self.deliver(state, handlers) }
            .detach()
    }

    private static func line(
        _ processor: any FrameProcessor, timeout: Int64, capacity: Int
    ) -> FilterLine {
        let fallback = processor.fallback
        return FilterLine(
            lookAhead: min(processor.lookAhead, .nanoseconds(250_000_000)), timeout: timeout,
            capacity: capacity
        ) { frame in Self.fallback(fallback, for: frame) }
    }

    var counts: FilterCounts { state.read { $0.counts } }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        handlers.withLock { $0.events = handler }
        if handler == nil { state.withLock { $0.line.removeAll() } }
    }

    func setTroubleHandler(_ handler: (@Sendable (FilteredSource.Trouble) -> Void)?) {
        handlers.withLock { $0.trouble = handler }
    }

    /// Ends the threads, now or when the processor returns.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.line.removeAll()
        }
    }

    /// Called on the source's thread.
    func take(_ event: SourceEvent) {
        let now = HostClock().now().nanoseconds()
        state.withLock { state in
            guard !state.isFinished else { return }
            if case .sample(let sample) = event, let frame = sample.pixelBuffer {
                state.line.capacity = Self.capacity(of: frame)
            }
            state.line.push(event, at: now)
        }
    }

    private static func capacity(of frame: PixelBuffer) -> Int {
        let bytes = frame.format.layout.planes.reduce(0) {
            $0 + $1.bytesPerRow(width: frame.width) * $1.rows(height: frame.height)
        }
        return min(max(memory / max(bytes, 1), fewest), most)
    }

    private static func fallback(_ kind: FrameFallback, for frame: SampleBuffer) -> SourceEvent {
        guard let pixels = frame.pixelBuffer, let video = frame.format.video else {
            return .dropped(
                SampleDrop(cause: .undecodable, count: 1, time: frame.presentationTime))
        }
        guard kind == .black else { return .sample(frame) }
        var result = frame
        result.payload = .pixels(
            .black(
                width: pixels.width, height: pixels.height, format: pixels.format,
                range: video.color.range))
        return .sample(result)
    }

    // MARK: The threads

    private static func work(_ state: BlockingLock<State>, _ processor: any FrameProcessor) {
        while let job = nextJob(state) {
            switch job.kind {
            case .look:
                let start = HostClock().now().nanoseconds()
                let outcome = Result { try processor.look(at: job.frame) }
                let took = HostClock().now().nanoseconds() - start
                state.withLock { state in
                    state.line.lookedAt(job.number, job.frame, took: took)
                    if case .failure(let error) = outcome {
                        state.line.finish(job.number, nil, failure: sentence(error))
                    }
                }
            case .process:
                let (start, before) = (HostClock().now().nanoseconds(), processor.covered)
                let outcome = Result { try processor.processed(job.frame) }
                let took = HostClock().now().nanoseconds() - start
                let covered = processor.covered - before
                state.withLock { state in
                    switch outcome {
                    case .success(let frame):
                        state.line.finish(job.number, frame, covered: covered, took: took)
                    case .failure(let error):
                        state.line.finish(job.number, nil, failure: sentence(error), took: took)
                    }
                }
            }
        }
    }

    /// The next thing to do, waiting for one; `nil` once finished.
    private static func nextJob(_ state: BlockingLock<State>) -> FilterLine.Job? {
        while true {
            let due = state.read { $0.line.nextDue }
            let now = HostClock().now().nanoseconds()
            let found = wait(state, until: due.map { max($0 - now, 1_000_000) }) {
                state -> FilterLine.Job?? in
                if state.isFinished { return .some(nil) }
                if let job = state.line.nextJob(at: HostClock().now().nanoseconds()) {
                    return .some(job)
                }
                return nil
            } again: {
                due == nil && $0.line.nextDue != nil
            }
            if let found { return found }
        }
    }

    private static func deliver(_ state: BlockingLock<State>, _ handlers: Lock<Handlers>) {
        var isTroubled = false
        // processed one after the other
        var well = 0
        while true {
            let deadline = state.read { $0.line.nextDeadline }
            let now = HostClock().now().nanoseconds()
            let found = wait(state, until: deadline.map { max($0 - now, 1_000_000) }) {
                state -> Delivery?? in
                if state.isFinished { return .some(nil) }
                guard let out = state.line.takeOut(at: HostClock().now().nanoseconds()) else {
                    return nil
                }
                let filtering = state.counts.filtering(of: out)
                if let filtering { state.counts.count(filtering) }
                return .some(Delivery(event: out.event, filtering: filtering))
            } again: {
                deadline == nil && $0.line.nextDeadline != nil
            }
            guard let found else { continue }
            guard let delivery = found else { return }
            let (events, trouble) = handlers.withLock { ($0.events, $0.trouble) }
            well = delivery.filtering?.outcome == .processed ? well + 1 : 0
            if let news = delivery.news(isTroubled, well: well) {
                isTroubled = news != .over
                trouble?(news)
            }
            events?(delivery.marked)
        }
    }

    private struct Delivery {
        let event: SourceEvent
        let filtering: FrameFiltering?

        /// With what was done with it.
        var marked: SourceEvent {
            guard case .sample(var sample) = event, let filtering else { return event }
            sample.attachments.filterings.append(filtering)
            return .sample(sample)
        }

        /// What is to be said where it was well, or was not.
        /// - Parameter well: so many frames were processed one after the other.
        func news(_ isTroubled: Bool, well: Int) -> FilteredSource.Trouble? {
            switch filtering?.outcome {
            case .processed: isTroubled && well >= FilterRunner.wellAgain ? .over : nil
            case .late: isTroubled ? nil : .late
            case .failed: isTroubled ? nil : .failed(filtering?.failure ?? "it failed")
            case nil: nil
            }
        }
    }

    /// Waits for an answer, but no longer than `nanoseconds` and, where that is `nil`, until there is something to wait for.
    private static func wait<Answer>(
        _ state: BlockingLock<State>, until nanoseconds: Int64?,
        _ ready: (inout State) -> Answer?, again: (State) -> Bool
    ) -> Answer? {
        guard let nanoseconds else {
            return state.wait { state -> Answer?? in
                if let answer = ready(&state) { return .some(answer) }
                return again(state) ? .some(nil) : nil
            }
        }
        return state.wait(nanoseconds: nanoseconds, ready)
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? MediaError)?.message ?? "\(error)"
    }
}

extension FilterCounts {
    fileprivate func filtering(of settled: FilterLine.Settled) -> FrameFiltering? {
        settled.outcome.map {
            FrameFiltering(
                name: name, fallback: fallback, outcome: $0, covered: settled.covered,
                failure: settled.failure)
        }
    }
}
