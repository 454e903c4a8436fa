public import Media
internal import Movie

/// Writes one movie: raw or coded samples in, with pause and resume to the frame.
///
/// Life: make the inputs, `start`, `startSession`, append, `endSession`, `finish`. Times are source
/// times: one clock for all tracks (the host clock when recording). Thread-safe; appending in real time
/// never waits for encoder or disk.
///
/// A writer that is released without `finish` or `cancel` ends as if the program had been killed: its threads end, the
/// file is closed, and what is in it stays; `vcap repair` and `MovieRepair` give it an index.
///
/// Memory: at most `videoQueueBytes` or `audioQueueBytes` a track, twice `diskQueueBytes`, and what
/// encoders hold; while a pause waits for its frame at most 64 MiB more.
public final class AssetWriter: Sendable {
    private struct State: Sendable {
        var life = WriterLife()
        var router: TrackRouter
        /// What another program did to the closed file.
        var fileLoss: MediaError?

        func requireSession(_ track: Int) throws(MediaError) {
            try life.require(
                .session, to: "append a sample", else: "no session is running; start one before.")
            try router.requireOpen(track)
        }
    }

    // immutable
    public let configuration: AssetWriterConfiguration
    let post: EventPost
    let container: ContainerChoice
    private let copier: SampleCopier
    // guarded by itself
    private let state: Lock<State>

    /// - Parameters:
    ///   - configuration: the file, and what does not belong to one track.
    ///   - onEvent: called in order on a thread of the writer's own; it may call the writer.
    /// - Throws: `invalidSetting` naming the field.
    public convenience init(
        _ configuration: AssetWriterConfiguration,
        onEvent: @escaping @Sendable (AssetWriterEvent) -> Void = { _ in }
    ) throws(MediaError) {
        try self.init(
            configuration, onEvent: onEvent,
            container: ContainerChoice(for: configuration))
    }

    /// - Parameter container: creates the file when the writer starts.
    init(
        _ configuration: AssetWriterConfiguration,
        onEvent: @escaping @Sendable (AssetWriterEvent) -> Void,
        container: ContainerChoice
    ) throws(MediaError) {
        try configuration.validate()
        self.configuration = configuration
        self.container = container
        post = EventPost(onEvent)
        copier = SampleCopier(queueBytes: configuration.videoQueueBytes)
        state = Lock(State(router: TrackRouter(configuration, post)))
    }

    deinit {
        let pipeline = state.withLock { state in
            [.ended, .finishing].contains(state.life.phase) ? nil : state.router.pipeline
        }
        pipeline?.leave()
    }

    // MARK: Life

    func addInput(
        _ coding: TrackInput.Coding, _ name: String?, _ language: String?
    ) throws(MediaError) -> SampleBufferReceiver {
        let isVideo = coding.source.mediaType == .video
        let bytes = isVideo ? configuration.videoQueueBytes : configuration.audioQueueBytes
        let input = TrackInput(
            coding: coding, name: name, language: language, queueBytes: bytes,
            videoTimescale: configuration.container.videoTimescale,
            hidesSamples: configuration.container.hasEditLists,
            isOffline: configuration.mode == .offline)
        let track = try state.withLock { state throws(MediaError) in
            try state.life.require(
                .configuring, to: "add an input",
                else: "the writer has started; make inputs before.")
            return state.router.add(input)
        }
        return SampleBufferReceiver(track: track, writer: self)
    }

    /// Opens the encoders and creates the file. Blocks for as long as that takes.
    /// - Throws: `invalidSetting` from an encoder, `cannotCreate`, `alreadyExists`, `notPermitted`, ….
    public func start() throws(MediaError) {
        let inputs = try state.withLock { state throws(MediaError) in
            try state.life.start(hasInputs: !state.router.tracks.isEmpty)
            return state.router.tracks
        }
        do throws(MediaError) {
            let pipeline = try makePipeline(inputs)
            try pipeline.start()
            state.withLock { $0.router.open(pipeline) }
        } catch {
            state.withLock { $0.life.giveUp() }
            throw error
        }
    }

    /// Makes `time` the movie's zero: what is before it is left out. Starts the writer if need be.
    public func startSession(atSourceTime time: MediaTime) throws(MediaError) {
        if state.withLock({ $0.life.phase == .configuring }) { try start() }
        try state.withLock { state throws(MediaError) in
            let early = try state.life.beginSession(isOpen: state.router.pipeline != nil)
            state.router.begin(at: time.nanoseconds(), after: early)
        }
    }

    /// Leaves a track out of the movie, before the session: its source will not say what players need to know
    /// of it. Its samples are refused from then on.
    package func leaveOut(track: Int) {
        let queue = state.withLock { state -> SampleQueue? in
            guard state.life.phase == .started, !state.router.tracks[track].isFinished else {
                return nil
            }
            state.router.finishTrack(track)
            return state.router.tracks[track].queue
        }
        queue?.finish(discarding: true)
    }

    func command(_ command: WriterLife.Command) throws(MediaError) -> Bool {
        try state.withLock { state throws(MediaError) in
            try state.life.command(command) ?? state.router.command(command)
        }
    }

    /// Changes a session that runs.
    /// - Throws: `invalidState` outside one, with what was attempted.
    func inSession(
        _ attempt: String, _ change: (inout TrackRouter) throws(MediaError) -> Void
    ) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            try state.life.require(.session, to: attempt, else: "no session is running.")
            try change(&state.router)
        }
    }

    var pipeline: WritingPipeline? { state.withLock { $0.router.pipeline } }

    /// Where the movie stands on the sources' clock: the cuts as they are decided, what is asked for, the
    /// end as far as it is known; `nil` before the session's start.
    package var timeline: PauseGate? { state.withLock { $0.router.timeline } }

    /// What is going on now. Cheap; for a status line.
    public var status: AssetWriterStatus {
        state.withLock { state in
            let (life, router) = (state.life, state.router)
            return AssetWriterStatus(
                state: life.state(
                    hasFailed: router.pipeline?.failure != nil, router.timeline?.phase),
                movieTime: .nanoseconds(router.length),
                bytesWritten: router.pipeline?.progress.bytes ?? 0,
                bytesWaiting: router.pipeline?.disk.bytes ?? 0, tracks: router.counts)
        }
    }

    // MARK: Samples

    /// The queue of a track that takes samples.
    func openQueue(_ track: Int) throws(MediaError) -> SampleQueue {
        try state.withLock { state throws(MediaError) in
            try state.requireSession(track)
            return state.router.tracks[track].queue
        }
    }

    /// The track's queue and what the next sample may need in it; nil when none is taken.
    func nextRoom(_ track: Int) -> (SampleQueue, Int)? {
        state.withLock { state in
            guard state.life.phase == .session, (try? state.router.requireOpen(track)) != nil
            else { return nil }
            return (state.router.tracks[track].queue, state.router.nextWeight(track))
        }
    }

    /// Through the gate and into the queues.
    /// - Returns: whether nothing of the track was dropped.
    func take(_ appended: SampleBuffer, _ track: Int) throws(MediaError) -> Bool {
        guard var sample = copier.keepable(appended, track: track) else {
            state.withLock { $0.router.drop(appended, track: track, .encoderBehind) }
            return false
        }
        sample.findSync()
        return try state.withLock { state throws(MediaError) in
            try state.requireSession(track)
            return try state.router.append(sample, track: track)
        }
    }

    /// An encoder had to leave out a frame that was kept.
    /// - Parameter time: where it would be (movie time).
    func lost(_ track: Int, at time: MediaTime) {
        state.withLock { $0.router.lost(track, at: time.nanoseconds()) }
    }

    func finishTrack(_ track: Int) { state.withLock { $0.router.finishTrack(track) } }

    // MARK: The end

    /// - Returns: what closes the movie, where it ends (movie time, ns), and whether something behind that is to
    ///   be hidden.
    func beginFinishing() throws(MediaError) -> (WritingPipeline?, Int64, Bool) {
        try state.withLock { state throws(MediaError) in
            try state.life.finish()
            state.router.finish()
            return (state.router.pipeline, state.router.end, state.router.endsInside)
        }
    }

    /// - Returns: what there is to end; `nil` where nothing is written, or not any more.
    func abandon() -> WritingPipeline? {
        state.withLock { $0.life.abandon() ? $0.router.pipeline : nil }
    }

    func giveUp() { state.withLock { $0.life.giveUp() } }

    func waitForEnd() async {
        await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
            if !state.withLock({ $0.life.wait(next) }) { next.resume() }
        }
    }

    /// The file is closed (on the events' thread, after every event).
    func ended(_ outcome: WritingPipeline.Outcome) {
        let loss = settleFile(outcome)
        let waiting = state.withLock { state in
            state.fileLoss = loss
            return state.life.end(outcome)
        }
        for next in waiting { next.resume() }
    }

    /// What has become of the movie; the writer has ended.
    func result(_ pipeline: WritingPipeline) -> AssetWriterResult {
        let status = status
        return state.withLock { state in
            var bytes = status.bytesWritten
            var duration = MediaTime.nanoseconds(state.router.end)
            if case .finished(let summary) = state.life.outcome {
                bytes = summary.fileBytes
                // its samples alone state how long it is
                if pipeline.tracks.allSatisfy(\.isMetadata) { duration = summary.duration }
            }
            let tracks = pipeline.tracks.enumerated().map { index, track in
                AssetWriterResult.Track(
                    format: track.encoder.format, encoderFingerprint: track.encoder.fingerprint,
                    counts: status.tracks[index])
            }
            return AssetWriterResult(
                path: configuration.outputPath, duration: duration,
                byteCount: bytes, tracks: tracks, pauses: state.router.pauses,
                markers: state.router.markers,
                failure: pipeline.failure ?? state.fileLoss ?? state.router.failure,
                isUnfinished: pipeline.isUnfinished)
        }
    }
}
