internal import LibAV
internal import Media
internal import Movie
internal import Synchronization

/// Everything behind the gate: an encoder thread for each track and the writing thread, which
/// alone touches the container. Thread-safe.
final class WritingPipeline: Sendable {
    /// One track from its queue to the container.
    struct Track: Sendable {
        let queue: SampleQueue
        let encoder: any TrackEncoder
        let timescale: Int32
        let name: String?
        var language: String?
        /// Whether players take it only when asked.
        var isOffered = false
        /// Whether the container cuts it where the movie ends, and hides what is decoded before it begins.
        var isCutAtEnd = false

        var isVideo: Bool { encoder.format.mediaType == .video }
        var isMetadata: Bool { encoder.format.mediaType == .metadata }

        var container: ContainerTrack {
            var track = ContainerTrack(
                format: encoder.format, timescale: timescale, language: language, name: name)
            track.isEnabled = !isOffered
            track.hasLead = isCutAtEnd
            return track
        }
    }

    /// How the file ended.
    enum Outcome: Sendable {
        case finished(ContainerSummary)
        case unfinished(MediaError)
        case cancelled
    }

    private struct State: Sendable {
        var failure: MediaError?
        var isUnfinished = false
        var written: [Int]
        var bytes: Int64 = 0
        var movieEnd: MediaTime?
        var cutsAll = false
        var timeCode: MovieTimeCode?
    }

    // immutable
    let tracks: [Track]
    let disk: DiskQueue
    private let metadata: MovieMetadata
    private let awaitsTimeCode: Bool
    private let post: EventPost
    private let choice: ContainerChoice
    private let onLoss: @Sendable (Int, MediaTime) -> Void
    private let onEnd: @Sendable (Outcome) -> Void
    // guarded by itself
    private let state: Lock<State>
    private let isLeaving = Atomic(false)
    private let startup = BlockingLock<Result<Void, MediaError>?>(nil)

    /// - Parameters:
    ///   - onLoss: runs for each frame that an encoder had to leave out (a track's number, movie time), on the
    ///     encoder's thread.
    ///   - onEnd: runs once, after every event, when the file is closed.
    init(
        tracks: [Track], disk: DiskQueue, metadata: MovieMetadata, post: EventPost,
        awaitsTimeCode: Bool, container choice: ContainerChoice,
        onLoss: @escaping @Sendable (Int, MediaTime) -> Void,
        onEnd: @escaping @Sendable (Outcome) -> Void
    ) {
        self.tracks = tracks
        self.disk = disk
        self.metadata = metadata
        self.post = post
        self.awaitsTimeCode = awaitsTimeCode
        self.choice = choice
        self.onLoss = onLoss
        self.onEnd = onEnd
        state = Lock(State(written: tracks.map { _ in 0 }))
    }

    /// Creates the file and starts the threads.
    func start() throws(MediaError) {
        NamedThread(name: "vcap-write") { self.runWriting() }.detach()
        try startup.wait { $0 }.get()
        for index in tracks.indices {
            let kind = tracks[index].encoder.format.mediaType.rawValue
            NamedThread(name: "vcap-\(kind)\(index)") { self.runEncoding(index) }.detach()
        }
    }

    /// No more samples: encoders hand out what they hold, then the file is closed.
    /// - Parameter cutsAll: whether tracks may hold samples from behind the end that the container has to hide.
    func finish(at end: MediaTime, cutsAll: Bool = false) {
        state.withLock { ($0.movieEnd, $0.cutsAll) = (end, cutsAll) }
        for track in tracks { track.queue.finish() }
    }

    /// Before the first sample.
    func setTimeCode(_ code: MovieTimeCode) { state.withLock { $0.timeCode = code } }

    /// Whether everything is known that the movie's beginning says.
    private var isReady: Bool { !awaitsTimeCode && tracks.allSatisfy(\.encoder.isFormatKnown) }

    /// Ends at once and closes the file as it is, without an index.
    func leave() {
        isLeaving.store(true, ordering: .relaxed)
        cancel()
    }

    func cancel() {
        disk.cancel()
        for track in tracks { track.queue.finish(discarding: true) }
    }

    /// Whether the file stays without what finishing adds; the failure then says how it is added.
    var isUnfinished: Bool { state.withLock { $0.isUnfinished } }

    /// The first failure; it is reported once.
    var failure: MediaError? { state.withLock { $0.failure } }

    func fail(_ error: MediaError) {
        let isFirst = state.withLock { state in
            defer { state.failure = state.failure ?? error }
            return state.failure == nil
        }
        if isFirst { post.post(.failed(error)) }
    }

    /// Samples written by track, and their bytes.
    var progress: (written: [Int], bytes: Int64) { state.withLock { ($0.written, $0.bytes) } }

    // MARK: Encoder threads

    private func runEncoding(_ index: Int) {
        let track = tracks[index]
        var isBroken = false
        var isKnown = track.encoder.isFormatKnown
        while let item = track.queue.pop() {
            if isBroken { continue }
            isBroken = !encode(index) { () throws(MediaError) in
                switch item {
                case .sample(let sample): try track.encoder.encode(sample)
                case .pause: try track.encoder.drain()
                }
            }
            if let time = track.encoder.takeLostFrame() { onLoss(index, time) }
            if let change = track.encoder.takePresetChange() {
                post.post(.presetChanged(track: index, change.preset, at: change.time))
            }
            guard case .sample = item else { continue }
            if !isKnown { disk.formatKnown() }
            isKnown = true
        }
        if !isKnown { disk.formatKnown() }
        if !isBroken {
            _ = encode(index) { () throws(MediaError) in try track.encoder.finish() }
        }
        track.encoder.close()
        disk.end(track: index, at: track.isVideo ? state.withLock { $0.movieEnd } : nil)
    }

    /// - Returns: whether the track can continue.
    private func encode(
        _ index: Int, _ body: () throws(MediaError) -> [SampleBuffer]
    ) -> Bool {
        do throws(MediaError) {
            for sample in try body() {
                guard disk.push(sample, track: index, isVideo: tracks[index].isVideo) else {
                    throw MediaError(
                        code: .ioError, subject: "track \(index)",
                        message: "The disk has not taken any audio for too long; the movie ends "
                            + "here: use a faster disk.")
                }
            }
            return true
        } catch {
            fail(error)
            return false
        }
    }

    // MARK: Writing thread

    private func runWriting() {
        let container: any ContainerWriter
        do throws(MediaError) {
            container = try choice.make { self.fail($0) }
            do throws(MediaError) {
                if isReady { _ = try begin(container) }
            } catch {
                container.abandon()
                choice.remove()
                throw error
            }
        } catch {
            startup.withLock { $0 = .failure(error) }
            return
        }
        let hasBegun = isReady
        startup.withLock { $0 = .success(()) }
        let outcome = write(to: container, places: hasBegun ? Array(tracks.indices) : nil)
        let onEnd = onEnd
        post.close { onEnd(outcome) }
    }

    /// - Returns: each track's place in the movie, nil for one that ended before anything was known of it; nil where
    ///   that is all of them, and the movie has not begun.
    private func begin(_ container: any ContainerWriter) throws(MediaError) -> [Int?]? {
        guard tracks.contains(where: \.encoder.isFormatKnown) else { return nil }
        var places: [Int?] = []
        for track in tracks {
            let isKnown = track.encoder.isFormatKnown
            places.append(isKnown ? try container.addTrack(track.container) : nil)
        }
        var metadata = metadata
        if let code = state.withLock({ $0.timeCode }) { metadata.timeCode = code }
        try container.begin(metadata)
        return places
    }

    /// Writes until the end; after a failure samples are taken and left, so that nobody waits.
    /// - Parameter known: each track's place, where the movie has begun.
    private func write(to container: any ContainerWriter, places known: [Int?]?) -> Outcome {
        var isWritable = true
        var (hasTried, places) = (known != nil, known)
        while true {
            let order = disk.next()
            do throws(MediaError) {
                if !hasTried, !order.isCancel {
                    hasTried = true
                    places = try begin(container)
                }
                if isWritable, !choice.hasName, container.holdsSamples { try choice.takeName() }
                switch order {
                case .sample(let track, let sample, let isLast) where isWritable:
                    guard let place = places?[track] else { break }
                    if isLast {
                        try container.appendLast(sample, track: place)
                    } else {
                        try container.append(sample, track: place)
                    }
                    noteWritten(sample, track)
                case .annotation(let annotation) where isWritable:
                    try container.annotate(annotation)
                case .flush where isWritable: try container.flush()
                case .finish: return finish(container, places)
                case .cancel:
                    container.abandon()
                    if !isLeaving.load(ordering: .relaxed) || places == nil { choice.remove() }
                    return .cancelled
                default: break
                }
            } catch {
                isWritable = false
                fail(error)
            }
        }
    }

    private func finish(_ container: any ContainerWriter, _ places: [Int?]?) -> Outcome {
        if places == nil || !choice.hasName, let failure {
            // not even the tracks are known, or another movie is to be kept: this one is not
            container.abandon()
            choice.remove()
            return .unfinished(failure)
        }
        // every encoder has ended: its thread said so through the disk queue
        for (track, place) in zip(tracks, places ?? []) {
            guard let place else { continue }
            do throws(MediaError) {
                try container.update(format: track.encoder.format, ofTrack: place)
            } catch { fail(error) }
        }
        let (movieEnd, cutsAll) = state.withLock { ($0.movieEnd, $0.cutsAll) }
        if let end = movieEnd {
            for (track, place) in zip(tracks, places ?? []) where track.isCutAtEnd || cutsAll {
                if let place { container.cut(track: place, at: end) }
            }
        }
        if tracks.allSatisfy(\.isMetadata), let end = state.withLock({ $0.movieEnd }) {
            container.setEnd(end)
        }
        do throws(MediaError) {
            let summary = try container.finish()
            try choice.takeName()
            return .finished(summary)
        } catch {
            guard choice.hasName else {
                choice.remove()
                fail(error)
                return .unfinished(error)
            }
            fail(leaveUnfinished(error))
            return .unfinished(error)
        }
    }

    /// The file stays without what finishing adds, which failures say from now on.
    private func leaveUnfinished(_ error: MediaError) -> MediaError {
        guard let repair = choice.repair else { return error }
        // one sentence
        let words = "; what was written plays, and \(repair) finishes it."
        return state.withLock { state in
            state.isUnfinished = true
            if let first = state.failure {
                state.failure = first.describing(message: first.message.dropLast() + words)
            }
            return error.describing(message: error.message.dropLast() + words)
        }
    }

    private func noteWritten(_ sample: SampleBuffer, _ track: Int) {
        state.withLock { state in
            state.written[track] += 1
            state.bytes += Int64(sample.block?.count ?? 0)
        }
    }
}
