public import Media

/// The movies of live photos: holds the last seconds of a camera and a microphone, and cuts out of them what was before
/// and after a photo, 1.5 s each. Movies may overlap. Thread-safe.
///
/// While it runs, each frame is encoded as H.264 of at most 1280 pixels a side; nothing is written before a movie is
/// wanted. It listens to outputs of its own: a recording of the same devices loses nothing.
public final class LivePhotoRecorder: Sendable {
    // immutable
    private let camera: any SampleSource
    private let microphone: (any SampleSource)?
    private let queue = BoundedQueue<LivePhotoInput>(capacity: mostFrames)
    private let state = Lock(State())

    private struct State {
        var start: MediaTime?
        var isStarted = false
        /// Events of the camera (count).
        var events = 0
        /// Shots that are not answered, by number.
        var waiting: Set<Int> = []
        var shots = 0
    }

    /// What a movie shows before and after its photo (seconds), where it could be had.
    public static let span = LivePhotoShots.span
    /// Frames that may wait to be encoded (frames).
    private static let mostFrames = 8
    /// How long a camera may deliver nothing before those who wait get what there is.
    private static let timeout = MediaTime.seconds(6)
    /// Elements of all kinds that may wait (count): minutes of audio.
    private static let mostWaiting = 8192

    /// - Parameters:
    ///   - camera: an output with raw frames, configured in a session, for this recorder alone.
    ///   - microphone: likewise; `nil`: movies without audio.
    public init(camera: any SampleSource, microphone: (any SampleSource)? = nil) {
        self.camera = camera
        self.microphone = microphone
    }

    /// Begins to hold what the devices deliver. Called once.
    /// - Throws: `unsupported` for a camera's output without raw frames; `invalidState` for an output that is in no
    ///   session, and when it was started before; what the encoder refuses of its format.
    public func start() throws(MediaError) {
        try camera.requireFormat()
        try microphone?.requireFormat()
        guard let video = camera.format.video else {
            throw MediaError(
                code: .unsupported, subject: camera.origin.identifier,
                message: "Live photos are made with a camera; \(camera.origin.name) is none.")
        }
        let work = try LivePhotoWork(camera: video, microphone: microphone?.format.audio)
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else {
            throw MediaError(
                code: .invalidState, subject: camera.origin.identifier,
                message: "The recorder of live photos was started before; make another one.")
        }
        NamedThread(name: "vcap-live") { [queue, state] in Self.run(work, queue, state) }.detach()
        camera.setHandler { [weak self] in self?.takeVideo($0) }
        microphone?.setHandler { [weak self] in self?.takeAudio($0) }
    }

    /// When the oldest frame that is held began (host clock); `nil` before the first.
    public var beginning: MediaTime? { state.withLock { $0.start } }

    /// The movie around a moment, when what comes after it has come.
    /// - Parameter moment: the photo's, on the host clock.
    ///   One that is to come is waited for.
    /// - Throws: `sourceSilent` when there was no frame, also because `stop()` came before the moment; `invalidState`
    ///   before `start()` and after `stop()`; `cancelled` at once when the task is; what the encoder failed with. A
    ///   camera that delivers nothing for six seconds is waited for no longer.
    public func captureMovie(
        around moment: MediaTime
    ) async throws(MediaError) -> LivePhotoMovie {
        let answer = AwaitedAnswer<LivePhotoMovie>()
        let number = ask(moment) { answer.give($0) }
        let cancelled = MediaError(
            code: .cancelled, subject: "live photo",
            message: "The movie of a live photo was cancelled before it was there.")
        return try await answer.wait(orWhenCancelled: cancelled) { [queue, state] in
            state.withLock { _ = $0.waiting.remove(number) }
            queue.pushAnyway(.forgotten(number), weight: 0)
        }
    }

    /// As `captureMovie(around:)`, without waiting.
    /// - Parameters:
    ///   - moment: the photo's, on the host clock.
    ///   - completion: called once, on the recorder's thread: it must not block.
    public func captureMovie(
        around moment: MediaTime,
        completion: @escaping @Sendable (Result<LivePhotoMovie, MediaError>) -> Void
    ) {
        _ = ask(moment, completion)
    }

    /// - Returns: the shot's number.
    private func ask(
        _ moment: MediaTime,
        _ completion: @escaping @Sendable (Result<LivePhotoMovie, MediaError>) -> Void
    ) -> Int {
        guard state.withLock({ $0.isStarted }) else {
            completion(
                .failure(
                    MediaError(
                        code: .invalidState, subject: "live photo",
                        message: "The recorder of live photos holds nothing yet: start it first.")))
            return 0
        }
        let number = state.withLock { state in
            state.shots += 1
            state.waiting.insert(state.shots)
            return state.shots
        }
        let shot = LivePhotoShot(number: number, moment: moment) { [state] result in
            state.withLock { _ = $0.waiting.remove(number) }
            completion(result)
        }
        guard queue.pushAnyway(.shot(shot), weight: 0) == .taken else {
            state.withLock { _ = $0.waiting.remove(number) }
            completion(
                .failure(
                    MediaError(
                        code: .invalidState, subject: camera.origin.identifier,
                        message: "Live photos of \(camera.origin.name) have been stopped.")))
            return number
        }
        Task { [queue, state] in await Self.watch(number, queue, state) }
        return number
    }

    /// Ends the waiting for a camera that delivers nothing.
    private static func watch(
        _ number: Int, _ queue: BoundedQueue<LivePhotoInput>, _ state: Lock<State>
    ) async {
        var seen = state.withLock { $0.events }
        while state.withLock({ $0.waiting.contains(number) }) {
            try? await Task.sleep(for: .nanoseconds(timeout.nanoseconds()))
            let events = state.withLock { $0.events }
            if events == seen { queue.pushAnyway(.cameraGone, weight: 0) }
            seen = events
        }
    }

    /// Movies that are waited for (movies).
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Ends it: movies that still wait get what there is. Does not wait for them.
    public func stop() {
        camera.setHandler(nil)
        microphone?.setHandler(nil)
        queue.finish()
    }

    deinit { stop() }

    private static func run(
        _ work: LivePhotoWork, _ queue: BoundedQueue<LivePhotoInput>, _ state: Lock<State>
    ) {
        var work = work
        while let input = queue.pop() {
            work.take(input)
            let start = work.start
            state.withLock { $0.start = start }
        }
        work.finish()
    }

    private func takeVideo(_ event: SourceEvent) {
        state.withLock { $0.events += 1 }
        switch event {
        case .sample(let sample):
            if queue.push(.frame(sample)) == .full {
                queue.pushAnyway(.lost(1, at: sample.presentationTime), weight: 0)
            }
        case .dropped(let drop):
            queue.pushAnyway(.lost(drop.count, at: drop.time), weight: 0)
        case .interrupted, .ended: queue.pushAnyway(.cameraGone, weight: 0)
        case .resumed: break
        }
    }

    private func takeAudio(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            guard queue.count < Self.mostWaiting else { return }
            queue.pushAnyway(.audio(sample), weight: 0)
        case .interrupted, .ended: queue.pushAnyway(.microphoneGone, weight: 0)
        case .dropped, .resumed: break  // the next samples' times show it
        }
    }
}
