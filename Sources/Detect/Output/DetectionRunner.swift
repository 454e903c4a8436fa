internal import Media

/// The thread of one detector, and what is said of its frames. Thread-safe: nobody who brings frames waits for the
/// detector, and nobody waits for its thread to end.
final class DetectionRunner: Sendable {
    /// What the metadata samples have.
    let format: MetadataFormat

    private struct State {
        var desk = DetectionDesk()
        /// The frame that is to be looked at next.
        var frame: SampleBuffer?
        /// What ends the source, kept until the last frame was looked at.
        var end: SourceEvent?
        var isFinished = false
        var lastFailure: MediaError?
    }

    private struct Handlers: Sendable {
        var samples: (@Sendable (SourceEvent) -> Void)?
        var objects: (@Sendable (DetectedObjects) -> Void)?
        /// When no more are found.
        var end: (@Sendable () -> Void)?
        /// How often the two above were set.
        var turn = 0
    }

    // guarded by themselves
    private let state = BlockingLock(State())
    private let handlers = Lock(Handlers())
    /// Held while something is said, so that it is said in its order.
    private let order = Lock(0)

    init(_ detector: any FrameDetector, format: MetadataFormat) {
        self.format = format
        // it holds no more than what it works with: a detector that never returns keeps no output
        NamedThread(name: "vcap-detect") { [weak self, state] in
            while let frame = Self.next(state) {
                let outcome = Result { try detector.found(in: frame) }
                guard let self else { return }
                self.finish(frame, outcome)
            }
        }.detach()
    }

    var counts: DetectionCounts { state.read { $0.desk.counts } }
    var lastFailure: MediaError? { state.read { $0.lastFailure } }

    func setSampleHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        handlers.withLock { $0.samples = handler }
    }

    /// - Parameters:
    ///   - end: called when the source has ended.
    ///   - turn: whose handler it takes the place of; `nil`: anybody's. Where another one has it, nothing changes.
    /// - Returns: its own turn.
    @discardableResult
    func setObjectsHandler(
        _ handler: (@Sendable (DetectedObjects) -> Void)?, end: (@Sendable () -> Void)? = nil,
        inPlaceOf turn: Int? = nil
    ) -> Int {
        let old = handlers.withLock { handlers in
            let old = handlers
            guard turn ?? old.turn == old.turn else { return old }
            (handlers.objects, handlers.end, handlers.turn) = (handler, end, old.turn + 1)
            return old
        }
        // outside the lock: what goes may come back here
        return withExtendedLifetime(old) { old.turn + 1 }
    }

    /// Ends the thread, now or when the detector returns.
    func finish() { state.withLock { $0.isFinished = true } }

    /// Called on the output's thread.
    /// - Parameter length: how long a frame lasts where those behind it are left out.
    func take(_ event: SourceEvent, length: MediaTime? = nil) {
        switch event {
        case .sample(let sample):
            say { state in
                let (looks, statement) = state.desk.take(
                    sample.presentationTime, length: length)
                if looks { state.frame = sample }
                return statement
            }
        case .dropped(let drop):
            // what the camera lost is no detection that was skipped
            let why: DetectionCounts.Skip? =
                switch drop.cause {
                case .late: .busy
                case .undecodable: .undecodable
                default: nil
                }
            if let why { state.withLock { $0.desk.skip(why, drop.count) } }
        case .interrupted(let interruption):
            say { $0.desk.interrupt(at: interruption.time) }
        case .resumed: break
        case .ended:
            state.withLock { $0.end = event }
            sayEnd()
        }
    }

    /// The next frame, waiting for one; `nil` once finished.
    private static func next(_ state: BlockingLock<State>) -> SampleBuffer? {
        state.wait { state -> SampleBuffer?? in
            if state.isFinished { return .some(nil) }
            guard let frame = state.frame else { return nil }
            state.frame = nil
            return .some(frame)
        }
    }

    /// Called on the detector's thread.
    private func finish(
        _ frame: SampleBuffer, _ outcome: Result<[any MetadataObject], any Error>
    ) {
        // before the next frame is taken: its reader looks at one frame after the other
        if case .success(let objects) = outcome, let pixels = frame.pixelBuffer {
            let handler = handlers.withLock { $0.objects }
            handler?(
                DetectedObjects(
                    time: frame.presentationTime,
                    frameSize: PixelSize(pixels.width, pixels.height), objects: objects))
        }
        say { state in
            if case .failure(let error) = outcome { state.lastFailure = Self.failure(error) }
            return state.desk.finish(try? outcome.get())
        }
        sayEnd()
    }

    /// Nothing comes behind the end, so it waits for the frame that is being looked at.
    private func sayEnd() {
        let end = state.withLock { state -> SourceEvent? in
            guard !state.desk.isLooking, let end = state.end else { return nil }
            state.end = nil
            return end
        }
        guard let end else { return }
        let handlers = handlers.withLock { $0 }
        handlers.samples?(end)
        handlers.end?()
    }

    /// Changes the state, and gives what is then to be said to who listens.
    private func say(_ change: (inout State) -> DetectionDesk.Statement?) {
        order.withLock { _ in
            guard let statement = state.withLock(change),
                let sample = try? self.sample(statement)
            else { return }
            let handler = handlers.withLock { $0.samples }
            handler?(.sample(sample))
        }
    }

    private func sample(
        _ statement: DetectionDesk.Statement
    ) throws(MediaError) -> SampleBuffer {
        let items = statement.objects.compactMap { ($0 as? any RecordedObject)?.item }
        let group = TimedMetadataGroup(
            items: items, start: statement.time,
            duration: statement.end.map { $0 - statement.time })
        return try SampleBuffer(group, format: format)
    }

    private static func failure(_ error: any Error) -> MediaError {
        error as? MediaError
            ?? MediaError(
                code: .decoderFailed, subject: "detector", message: "The detector failed: \(error)."
            )
    }
}
