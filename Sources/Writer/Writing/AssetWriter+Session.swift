public import Media
internal import Movie

extension AssetWriter {
    /// Opens the encoders and creates the file. Blocks for as long as that takes.
    /// - Throws: `invalidSetting` from an encoder, `cannotCreate`, `alreadyExists`, `notPermitted`, ….
    public func start() throws(MediaError) {
        let inputs = try state.withLock { state throws(MediaError) in
            guard state.phase == .configuring else {
                throw .state("start the writer", "it has started already.")
            }
            guard !state.tracks.isEmpty else {
                throw .state("start the writer", "it has no inputs.")
            }
            state.phase = .started
            return state.tracks
        }
        do throws(MediaError) {
            let pipeline = try makePipeline(inputs)
            try pipeline.start()
            state.withLock { $0.pipeline = pipeline }
        } catch {
            state.withLock { $0.phase = .ended }
            throw error
        }
    }

    private func makePipeline(_ inputs: [TrackInput]) throws(MediaError) -> WritingPipeline {
        let isOffline = configuration.mode == .offline
        var tracks: [WritingPipeline.Track] = []
        for (number, input) in inputs.enumerated() {
            let encoder = try EncoderChoice.encoder(for: input.coding, configuration)
            tracks.append(
                WritingPipeline.Track(
                    queue: input.queue, encoder: encoder, timescale: input.codedTimescale,
                    name: input.name, language: input.language,
                    isOffered: configuration.offeredInputs.contains(number)))
        }
        let disk = DiskQueue(
            video: tracks.map(\.isVideo), sparse: tracks.map(\.isMetadata),
            unknown: tracks.count { !$0.encoder.isFormatKnown },
            capacity: configuration.diskQueueBytes,
            flushInterval: configuration.fragmentInterval, waitsForAudio: isOffline)
        var metadata = configuration.metadata
        let fingerprints = tracks.compactMap(\.encoder.fingerprint)
        if metadata.encoderFingerprint == nil, !fingerprints.isEmpty {
            metadata.encoderFingerprint = fingerprints.joined(separator: "\n")
        }
        return WritingPipeline(
            tracks: tracks, disk: disk, metadata: metadata, post: post,
            container: container, onLoss: { [weak self] in self?.lost($0, at: $1) },
            onEnd: { [weak self] in self?.ended($0) })
    }

    /// Makes `time` the movie's zero: what is before it is left out. Starts the writer if need be.
    public func startSession(atSourceTime time: MediaTime) throws(MediaError) {
        if state.withLock({ $0.phase == .configuring }) { try start() }
        let start = time.nanoseconds()
        try state.withLock { state throws(MediaError) in
            guard state.phase == .started, state.pipeline != nil else {
                throw .state("start the session", "it has started or the writer has ended.")
            }
            state.phase = .session
            state.gate = SessionGate(
                tracks: state.tracks.map { $0.queueKind(of: SampleBuffer.self) },
                without: Set(state.tracks.indices.filter { state.tracks[$0].isFinished }),
                start: start,
                stallLimit: configuration.stallLimit.nanoseconds(),
                fade: configuration.fadeLength.nanoseconds(), heldLimit: Self.heldLimit,
                limit: configuration.maximumDuration?.nanoseconds())
            for command in state.early {
                switch command {
                case .pause(let time): _ = state.gate?.pause(at: time)
                case .resume(let time): _ = state.gate?.resume(at: time)
                }
            }
            state.early = []
            route(&state)
        }
    }

    /// Leaves a track out of the movie, before the session: its source will not say what players need to know
    /// of it. Its samples are refused from then on.
    package func leaveOut(track: Int) {
        let queue = state.withLock { state -> SampleQueue? in
            guard state.phase == .started, !state.tracks[track].isFinished else { return nil }
            state.tracks[track].finish()
            return state.tracks[track].queue
        }
        queue?.finish(discarding: true)
    }

    /// Asks for a pause: the movie ends, for now, at the first picture of the first video track at
    /// or after `time` (at `time` without video, or when that track is silent for the stall limit).
    /// Allowed before the session's start. What has been written already is not taken back: then the
    /// earliest instant still possible counts.
    /// - Returns: whether it changed anything; pausing twice is pausing once.
    @discardableResult
    public func pause(at time: MediaTime) throws(MediaError) -> Bool {
        try command("pause", .pause(time.nanoseconds()))
    }

    /// Asks to continue: the movie continues with the first picture of the first video track at or after
    /// `time`, which becomes a sync sample, and with the audio frame of that very instant.
    /// - Returns: whether it changed anything; resuming twice is resuming once.
    @discardableResult
    public func resume(at time: MediaTime) throws(MediaError) -> Bool {
        try command("resume", .resume(time.nanoseconds()))
    }

    private func command(
        _ attempt: String, _ command: State.EarlyCommand
    ) throws(MediaError) -> Bool {
        try state.withLock { state throws(MediaError) in
            switch state.phase {
            case .configuring, .started:
                let isPaused = if case .pause = state.early.last { true } else { false }
                let pauses = if case .pause = command { true } else { false }
                if isPaused != pauses { state.early.append(command) }
                return isPaused != pauses
            case .session:
                let changed =
                    switch command {
                    case .pause(let time): state.gate?.pause(at: time)
                    case .resume(let time): state.gate?.resume(at: time)
                    }
                route(&state)
                return changed ?? false
            case .finishing, .ended:
                throw .state(attempt, "the writer is finishing or has ended.")
            }
        }
    }

    /// Encodes pictures faster or again as asked for, from each track's next sync sample on, in the same track and with
    /// the same parameter sets: H.264 and HEVC in real time. What cannot be changed so stays as it is; what
    /// changes is reported (`presetChanged`). Has no effect before `start`.
    public func setEncodingSpeed(_ speed: EncodingSpeed) {
        for track in state.withLock({ $0.pipeline })?.tracks ?? [] { track.encoder.hurry(speed) }
    }

    /// Sets a marker at a source time; in a pause it lies at the cut.
    public func mark(_ text: String, at time: MediaTime) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            guard state.phase == .session else {
                throw .state("set a marker", "no session is running.")
            }
            state.gate?.mark(text, at: time.nanoseconds())
            route(&state)
        }
    }

    /// Ends the movie at `time`: the last picture lasts until then, audio ends at that very frame.
    /// Samples from before it may still come until `finish`.
    public func endSession(atSourceTime time: MediaTime) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            guard state.phase == .session else {
                throw .state("end the session", "no session is running.")
            }
            state.gate?.endSession(at: time.nanoseconds())
            route(&state)
        }
    }

    /// Where the movie stands on the sources' clock: the cuts as they are decided, what is asked for, the
    /// end as far as it is known; `nil` before the session's start.
    package var timeline: PauseGate? { state.withLock { $0.gate?.gate } }

    /// What is happening now. Cheap; for a status line.
    public var status: AssetWriterStatus {
        state.withLock { state in
            let progress = state.pipeline?.progress ?? (written: [], bytes: 0)
            var tracks = state.tracks.map { track in
                var counts = track.counts
                (counts.queuedSamples, counts.queuedBytes) = track.queue.load
                return counts
            }
            for (index, written) in progress.written.enumerated() {
                tracks[index].written = written
            }
            return AssetWriterStatus(
                state: currentState(state),
                movieTime: .nanoseconds(max(state.movieEnd, state.lastEnd)),
                bytesWritten: progress.bytes, bytesWaiting: state.pipeline?.disk.bytes ?? 0,
                tracks: tracks)
        }
    }

    private func currentState(_ state: State) -> AssetWriterStatus.State {
        if let outcome = state.outcome {
            if case .cancelled = outcome { return .cancelled }
            return state.pipeline?.failure == nil ? .finished : .failed
        }
        if state.pipeline?.failure != nil { return .failed }
        switch state.phase {
        case .configuring: return .configuring
        case .started: return .waiting
        case .finishing: return .finishing
        case .ended: return .failed
        case .session:
            return switch state.gate?.gate.phase {
            case .pausing: .pausing
            case .paused: .paused
            case .resuming: .resuming
            case .running, nil: .writing
            }
        }
    }
}
