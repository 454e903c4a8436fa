public import Media

/// Photos of a camera while it runs, beside all else that listens to it: a movie that is recorded loses nothing.
/// Each is the camera's own frame nearest to its shutter; an MJPEG camera's frame is the photo. Thread-safe.
public final class PhotoOutput: Sendable {
    // immutable
    /// The camera's own samples, the newest ones: a photo is of now.
    let frames = VideoDataOutput(lateFrames: .dropOldest, queueLimit: 8)
    private let clock: any MediaClock
    /// What brings photos their depth; `nil` where nothing does.
    private let depthFeed = Lock<PhotoDepthFeed?>(nil)
    private let state = Lock(State())

    private struct State {
        var desk = PhotoDesk<UInt64>()
        var next: UInt64 = 0
        var answers: [UInt64: Answer] = [:]
        /// Why no frames come; `nil` while they do.
        var interruption: MediaError?
    }

    private struct Answer {
        let shutter: MediaTime
        let body: @Sendable (Result<CapturedPhoto, MediaError>) -> Void
        /// Ends the waiting.
        var timer: Task<Void, Never>?

        func callAsFunction(_ result: Result<CapturedPhoto, MediaError>) {
            timer?.cancel()
            body(result)
        }
    }

    /// How long a frame is waited for at least (a slow camera: five of its frames).
    private static let timeout = MediaTime.seconds(2)

    /// - Parameter clock: the session's.
    public init(clock: any MediaClock = HostClock()) {
        self.clock = clock
        frames.setHandler { [weak self] in self?.take($0) }
    }

    deinit { depthFeed.withLock { $0 }?.stop(keepsHandler: false) }

    /// Photos that are waited for (photos).
    var waitingCount: Int { state.withLock { $0.answers.count } }

    /// The camera behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { frames.origin }

    /// The camera's frames as they come: coded or raw; `orientation` says how they lie.
    /// - Precondition: the output is configured in a session.
    public var format: VideoFormat {
        guard let format = frames.format.video else {
            preconditionFailure("a photo output got the format of audio")
        }
        return format
    }

    /// Takes a photo of a moment.
    /// - Parameter shutter: on the session's clock (default: now). A moment that is past gets the newest frame; one to
    ///   come is waited for.
    /// - Parameter isDepthDataDeliveryEnabled: whether it gets the depth of its moment, which is waited for (default: no;
    ///   see `setDepthSource`). A photo of whose moment there is none says so (`CapturedPhoto.depth`).
    /// - Returns: the frame nearest to it, of which nothing is decoded or encoded yet.
    /// - Throws: `deviceGone` when the camera went away, `damagedFile` and the like when it is a file that cannot be
    ///   read, `sourceSilent` when no frame came (the session must be running); at once `invalidState` for an output
    ///   in no session or in one that was stopped, and for depth without a source of it, and `cancelled` when the task
    ///   is cancelled.
    public func capturePhoto(
        at shutter: MediaTime? = nil, isDepthDataDeliveryEnabled: Bool = false
    ) async throws(MediaError) -> CapturedPhoto {
        let answer = AwaitedAnswer<CapturedPhoto>()
        let give: @Sendable (Result<CapturedPhoto, MediaError>) -> Void = { answer.give($0) }
        let ticket = ask(shutter, isDepthDataDeliveryEnabled ? withDepth(give) : give)
        let cancelled = MediaError(
            code: .cancelled, subject: "photo",
            message: "The photo was cancelled before it was taken.")
        return try await answer.wait(orWhenCancelled: cancelled) { [weak self] in
            self?.cancel(ticket)
        }
    }

    /// As `capturePhoto(at:)`, without waiting.
    /// - Parameters:
    ///   - shutter: on the session's clock (default: now).
    ///   - isDepthDataDeliveryEnabled: whether it gets the depth of its moment (default: no).
    ///   - completion: called once, on a thread of the output's, the depth's or the system's. It must not block: the
    ///     next frames wait for it.
    public func capturePhoto(
        at shutter: MediaTime? = nil, isDepthDataDeliveryEnabled: Bool = false,
        completion: @escaping @Sendable (Result<CapturedPhoto, MediaError>) -> Void
    ) {
        _ = ask(shutter, isDepthDataDeliveryEnabled ? withDepth(completion) : completion)
    }

    /// Whether photos can have depth: a source of it was set.
    public var isDepthDataDeliverySupported: Bool { depthFeed.withLock { $0 } != nil }

    /// Whether the source of depth has delivered a map: before that no photo has depth.
    public var hasDepthData: Bool { depthFeed.withLock { $0 }?.hasMap ?? false }

    /// Asks for the depth of a photo that was taken without, which must be new: maps are held for half a second.
    /// - Parameter completion: called once, with the photo and its depth, or why it has none; without a source of depth
    ///   with the photo as it is.
    package func findDepth(
        of photo: CapturedPhoto, completion: @escaping @Sendable (CapturedPhoto) -> Void
    ) {
        guard let feed = depthFeed.withLock({ $0 }) else { return completion(photo) }
        let interval = photo.format.nominalRate?.frameDuration
        feed.depth(at: photo.presentationTime, interval: interval) { depth in
            var photo = photo
            photo.depth = depth
            completion(photo)
        }
    }

    /// Sets what brings photos their depth: a `DepthDataOutput`, or whatever makes depth of two cameras, in a session
    /// that is configured. Its maps of the last half second are held. It takes the source's handler.
    /// - Parameter source: of depth; `nil`: photos have none from now on.
    /// - Throws: `invalidState` for a source of no session, `unsupported` where it turned out to deliver no depth.
    public func setDepthSource(_ source: (any SampleSource)?) throws(MediaError) {
        let fresh: PhotoDepthFeed?
        if let source {
            // the photos' own camera may come later
            let isConnected = (try? requireFrames()) != nil
            fresh = try PhotoDepthFeed(
                source, clock: clock,
                interval: isConnected ? format.nominalRate?.frameDuration : nil)
        } else {
            fresh = nil
        }
        let old = depthFeed.withLock { feed in
            defer { feed = fresh }
            return feed
        }
        // one that follows itself has the handler by now
        old?.stop(keepsHandler: old?.source === source)
    }

    /// A completion that is called when the photo has its depth, or there is none.
    private func withDepth(
        _ completion: @escaping @Sendable (Result<CapturedPhoto, MediaError>) -> Void
    ) -> @Sendable (Result<CapturedPhoto, MediaError>) -> Void {
        guard isDepthDataDeliverySupported else {
            return { _ in
                completion(
                    .failure(
                        MediaError(
                            code: .invalidState, subject: "photo",
                            message: "No depth can be delivered with the photo: set a source of it "
                                + "(PhotoOutput.setDepthSource) first.")))
            }
        }
        return { [weak self] result in
            guard case .success(let photo) = result, let self else { return completion(result) }
            findDepth(of: photo) { completion(.success($0)) }
        }
    }

    /// - Returns: its ticket; `nil` where it is answered already.
    private func ask(
        _ shutter: MediaTime?,
        _ completion: @escaping @Sendable (Result<CapturedPhoto, MediaError>) -> Void
    ) -> UInt64? {
        do throws(MediaError) { try requireFrames() } catch {
            completion(.failure(error))
            return nil
        }
        let now = clock.now()
        let time = shutter ?? now
        let duration = format.nominalRate?.frameDuration
        let answer = Answer(shutter: time, body: completion)
        // nothing shows this moment, and what comes once the camera is back is another one
        if time <= now, let interruption = state.withLock({ $0.interruption }) {
            completion(.failure(interruption))
            return nil
        }
        let (ticket, chain) = state.withLock { state in
            state.next += 1
            let chain = state.desk.ask(state.next, at: time, frameDuration: duration)
            if chain == nil { state.answers[state.next] = answer }
            return (state.next, chain)
        }
        if let chain {
            completion(.success(photo(chain, time)))
            return nil
        }
        let ahead = max(.zero, time - now)
        expire(ticket, after: ahead + max(Self.timeout, (duration ?? .zero) * 5))
        return ticket
    }

    /// - Throws: `invalidState` where no frame can come before a session is configured or started.
    private func requireFrames() throws(MediaError) {
        try frames.requireFormat()
        guard frames.hasEnded else { return }
        throw MediaError(
            code: .invalidState, subject: origin.identifier,
            message:
                "\(origin.name) delivers no more frames: its session was stopped, or the output "
                + "was removed from it; start it first.")
    }

    private func expire(_ ticket: UInt64, after limit: MediaTime) {
        let timer = Task { [weak self] in
            do { try await Task.sleep(for: .nanoseconds(limit.nanoseconds())) } catch { return }
            self?.expire(ticket)
        }
        let waits = state.withLock { state in
            state.answers[ticket]?.timer = timer
            return state.answers[ticket] != nil
        }
        if !waits { timer.cancel() }
    }

    /// Nobody waits for it any more.
    private func cancel(_ ticket: UInt64?) {
        guard let ticket else { return }
        let answer = state.withLock { state in
            _ = state.desk.cancel(ticket)
            return state.answers.removeValue(forKey: ticket)
        }
        answer?.timer?.cancel()
    }

    private func expire(_ ticket: UInt64) {
        let (answer, interruption) = state.withLock { state in
            let waits = state.desk.cancel(ticket)
            return (waits ? state.answers.removeValue(forKey: ticket) : nil, state.interruption)
        }
        answer?(
            .failure(
                interruption
                    ?? MediaError(
                        code: .sourceSilent, subject: origin.identifier,
                        message: "\(origin.name) delivered no frame for the photo: "
                            + "check that it is connected and switched on, and take it again.")))
    }

    /// Called on the output's thread.
    private func take(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            let photos = state.withLock { state in
                state.interruption = nil
                return state.desk.take(sample).map { ticket, chain in
                    (state.answers.removeValue(forKey: ticket), chain)
                }
            }
            for case (let answer?, let chain) in photos {
                answer(.success(photo(chain, answer.shutter)))
            }
        case .dropped: state.withLock { $0.desk.lose() }
        case .resumed: state.withLock { $0.interruption = nil }
        case .interrupted(let interruption):
            fail(interruption.failure ?? .deviceGone, interruption.message)
        case .ended: fail(.deviceGone, "\(origin.name) delivers no more frames.")
        }
    }

    private func fail(_ code: MediaError.Code, _ message: String) {
        let error = MediaError(code: code, subject: origin.identifier, message: message)
        let answers = state.withLock { state in
            state.interruption = error
            return state.desk.end().compactMap { state.answers.removeValue(forKey: $0) }
        }
        for answer in answers { answer(.failure(error)) }
    }

    private func photo(_ chain: [SampleBuffer], _ shutter: MediaTime) -> CapturedPhoto {
        var chain = chain
        // the one frame that is kept: driver memory would starve the camera
        chain[chain.count - 1] = chain[chain.count - 1].onOwnMemory
        return CapturedPhoto(chain, shutter: shutter, origin: origin)
    }
}

extension CaptureConfiguration {
    /// Connects a camera to an output for photos. A camera that is connected already gets one more listener.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: PhotoOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        try add(input, output.frames, connection)
    }

    /// Why an input cannot be connected to an output for photos; `nil` when it can, as far as can be known before the
    /// device is opened.
    public func refusal(of input: CaptureDeviceInput, _ output: PhotoOutput) -> MediaError? {
        refusal(of: input, output.frames)
    }

    /// Takes an output for photos away, and its device when nothing else listens to it. One that is not there is no
    /// error.
    public mutating func remove(_ output: PhotoOutput) { remove(output.frames) }
}
