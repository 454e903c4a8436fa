import Media

@testable import Recording
@testable import Writing

/// Stands in for the asset writer: keeps what it is given and cuts with the same pause gate.
final class ScriptedWriter: TakeWriting {
    struct State: Sendable {
        var samples: [[SampleBuffer]]
        var start: Int64?
        var end: Int64?
        var gate: PauseGate?
        var reported = 0
        var resumed = 0
        var markers: [MovieMarker] = []
        var isCancelled = false
        /// Frames of a track to refuse, as a full queue does.
        var refusals: [Int: Int] = [:]
        var failure: MediaError?
        var bytes: Int64 = 0
        /// What waits for the encoder of each track (bytes).
        var queuedBytes = 0
        var recoveries = 0
        /// How many more the closing brings.
        var recoveriesAtClosing = 0
        var hasReportedLimit = false
        /// Speeds asked for.
        var speeds: [EncodingSpeed] = []
    }

    let state: Lock<State>
    private let lead: Int?
    private let limit: Int64?
    /// None once it is over, as the asset writer has none: it holds the take, which holds the writer.
    private let listener: Lock<Listener>

    private struct Listener: Sendable {
        var handler: (@Sendable (AssetWriterEvent) -> Void)?
    }

    init(
        plans: [TrackPlan], limit: Int64? = nil,
        handler: @escaping @Sendable (AssetWriterEvent) -> Void
    ) {
        self.limit = limit
        lead = plans.first { $0.format.mediaType == .video }?.index
        listener = Lock(Listener(handler: handler))
        state = Lock(State(samples: Array(repeating: [], count: plans.count)))
    }

    /// As a writer that changes at once.
    func setEncodingSpeed(_ speed: EncodingSpeed) {
        let end = state.withLock { state in
            state.speeds.append(speed)
            return state.gate?.length(
                at: state.samples.last?.last?.presentationTime.nanoseconds() ?? 0)
        }
        handler(.presetChanged(track: 0, "\(speed)", at: .nanoseconds(end ?? 0)))
    }

    func startSession(atSourceTime time: MediaTime) throws(MediaError) {
        state.withLock { state in
            state.start = time.nanoseconds()
            state.gate = PauseGate(
                start: time.nanoseconds(), hasLead: lead != nil, stallLimit: 500_000_000,
                limit: limit)
        }
    }

    func append(
        _ sample: SampleBuffer, track: Int, waits: Bool
    ) throws(MediaError) -> Bool {
        let taken = try state.withLock { state throws(MediaError) in
            if let failure = state.failure { throw failure }
            if let left = state.refusals[track], left > 0 {
                state.refusals[track] = left - 1
                return false
            }
            state.samples[track].append(sample)
            state.bytes += 1_000
            let stamp = sample.presentationTime.nanoseconds()
            if track == lead {
                state.gate?.leadFrame(at: stamp)
            } else {
                state.gate?.progress(to: stamp)
            }
            return true
        }
        reportCuts()
        if !taken {
            handler(
                .dropped(
                    track: track,
                    SampleDrop(cause: .encoderBehind, count: 1, time: sample.presentationTime)))
        }
        return taken
    }

    func pause(at time: MediaTime) -> Bool {
        defer { reportCuts() }
        return state.withLock {
            $0.gate?.pause(at: time.nanoseconds(), notBefore: 0) ?? false
        }
    }

    func resume(at time: MediaTime) -> Bool {
        defer { reportCuts() }
        return state.withLock {
            $0.gate?.resume(at: time.nanoseconds(), notBefore: 0) ?? false
        }
    }

    func mark(_ text: String, at time: MediaTime) {
        let marker = state.withLock { state in
            let place = state.gate?.movieTime(of: time.nanoseconds()) ?? 0
            let marker = MovieMarker(text: text, movieTime: .nanoseconds(place))
            state.markers.append(marker)
            return marker
        }
        handler(.marked(marker))
    }

    func endSession(atSourceTime time: MediaTime) {
        state.withLock { state in
            state.end = time.nanoseconds()
            state.gate?.endSession(at: time.nanoseconds())
            state.gate?.finish()
        }
        reportCuts()
    }

    func close() async throws(MediaError) -> AssetWriterResult {
        listener.withLock { $0.handler = nil }
        return state.withLock { state in
            state.recoveries += state.recoveriesAtClosing
            return AssetWriterResult(
                path: "take.mp4",
                duration: .nanoseconds(state.gate?.movieTime(of: state.end ?? 0) ?? 0),
                byteCount: state.bytes, tracks: [],
                pauses: (state.gate?.cuts ?? []).map { MoviePause($0) }, markers: state.markers,
                failure: state.failure)
        }
    }

    func cancel() async {
        listener.withLock { $0.handler = nil }
        state.withLock { $0.isCancelled = true }
    }

    var recoveries: Int { state.withLock { $0.recoveries } }

    var timeline: PauseGate? { state.withLock { $0.gate } }

    var status: AssetWriterStatus {
        state.withLock { state in
            AssetWriterStatus(
                state: .writing, movieTime: .zero, bytesWritten: state.bytes, bytesWaiting: 0,
                tracks: state.samples.map { samples in
                    var counts = AssetWriterStatus.Track(
                        mediaType: samples.first?.format.mediaType ?? .video)
                    counts.queuedBytes = state.queuedBytes
                    counts.kept = samples.reduce(0) { $0 + Self.kept($1, state) }
                    return counts
                })
        }
    }

    /// Frames of a sample that are in the movie; audio to the frame.
    private static func kept(_ sample: SampleBuffer, _ state: State) -> Int64 {
        let stamp = sample.presentationTime.nanoseconds()
        guard let gate = state.gate else { return 0 }
        guard let length = sample.duration, sample.format.audio != nil else {
            return gate.keeps(stamp) ? 1 : 0
        }
        let share =
            gate.movieTime(of: stamp + length.nanoseconds()) - gate.movieTime(of: stamp)
        return (share * Int64(length.timescale) + 500_000_000) / 1_000_000_000
    }

    /// Reports pauses and resumes that the gate has decided since.
    private func reportCuts() {
        let events = state.withLock { state -> [AssetWriterEvent] in
            var events: [AssetWriterEvent] = []
            for (index, cut) in (state.gate?.cuts ?? []).enumerated() {
                if index >= state.reported {
                    events.append(.paused(MoviePause(cut)))
                    state.reported = index + 1
                }
                if cut.end != nil, index >= state.resumed {
                    events.append(.resumed(MoviePause(cut)))
                    state.resumed = index + 1
                }
            }
            if let end = state.gate?.reachedLimit, !state.hasReportedLimit {
                state.hasReportedLimit = true
                events.append(.reachedMaximum(at: .nanoseconds(end)))
            }
            return events
        }
        for event in events { handler(event) }
    }

    private func handler(_ event: AssetWriterEvent) { listener.withLock { $0 }.handler?(event) }

    // MARK: What a test asks

    func samples(_ track: Int) -> [SampleBuffer] { state.withLock { $0.samples[track] } }

    func stamps(_ track: Int) -> [Int64] {
        samples(track).map { $0.presentationTime.nanoseconds() }
    }

    /// Movie times of the samples that are in the movie.
    func movieTimes(_ track: Int) -> [Int64] {
        guard let gate = state.withLock({ $0.gate }) else { return [] }
        return stamps(track).compactMap { stamp in
            if case .kept(let time, _) = gate.fate(of: stamp) { time } else { nil }
        }
    }

    /// All frames of an audio track, one after the other.
    func sound(_ track: Int) -> [Int16] {
        samples(track).flatMap { sample in
            sample.block?.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } ?? []
        }
    }
}
