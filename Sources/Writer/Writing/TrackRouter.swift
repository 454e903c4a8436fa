internal import LibAV
internal import Media
internal import Movie

/// The way of samples through the pause gate into the tracks' queues, and what is decided on it: places in the movie,
/// drops, pauses and markers. Guarded by the writer's lock.
struct TrackRouter: Sendable {
    /// Most bytes held back while a pause or resume waits for the lead's frame (bytes).
    private static let heldLimit = 64 << 20

    // immutable
    private let configuration: AssetWriterConfiguration
    private let post: EventPost
    // guarded by the writer's lock
    private(set) var tracks: [TrackInput] = []
    private(set) var pipeline: WritingPipeline?
    private(set) var pauses: [MoviePause] = []
    private(set) var markers: [MovieMarker] = []
    /// Where the movie ends, once that is decided (movie time, ns).
    private(set) var end: Int64 = 0
    private var gate: SessionGate<SampleBuffer>?
    /// Why a track is empty though frames came.
    private(set) var failure: MediaError?

    init(_ configuration: AssetWriterConfiguration, _ post: EventPost) {
        self.configuration = configuration
        self.post = post
    }

    /// Where the movie stands; `nil` before the session's start.
    var timeline: PauseGate? { gate?.gate }

    /// Length of the movie so far (movie time, ns).
    var length: Int64 { max(end, lastEnd) }

    /// Each track's numbers.
    var counts: [AssetWriterStatus.Track] {
        let written = pipeline?.progress.written
        return tracks.enumerated().map { index, track in
            var counts = track.counts
            (counts.queuedSamples, counts.queuedBytes) = track.queue.load
            if let written { counts.written = written[index] }
            return counts
        }
    }

    // MARK: The session

    /// - Returns: the track's number.
    mutating func add(_ track: TrackInput) -> Int {
        tracks.append(track)
        return tracks.count - 1
    }

    mutating func open(_ pipeline: WritingPipeline) { self.pipeline = pipeline }

    /// No more samples of a track.
    mutating func finishTrack(_ track: Int) {
        guard !tracks[track].isFinished else { return }
        tracks[track].finish()
        gate?.trackEnded(track)
        route()
    }

    mutating func begin(at start: Int64, after commands: [WriterLife.Command]) {
        gate = SessionGate(
            tracks: tracks.map { $0.queueKind(of: SampleBuffer.self) },
            without: Set(tracks.indices.filter { tracks[$0].isFinished }), start: start,
            stallLimit: configuration.stallLimit.nanoseconds(),
            fade: configuration.fadeLength.nanoseconds(), heldLimit: Self.heldLimit,
            limit: configuration.maximumDuration?.nanoseconds(),
            hidesRest: configuration.container.hasEditLists)
        for command in commands { _ = ask(command) }
        route()
    }

    /// - Returns: whether it changed anything.
    mutating func command(_ command: WriterLife.Command) -> Bool {
        defer { route() }
        return ask(command)
    }

    private mutating func ask(_ command: WriterLife.Command) -> Bool {
        switch command {
        case .pause(let time): gate?.pause(at: time) ?? false
        case .resume(let time): gate?.resume(at: time) ?? false
        }
    }

    mutating func mark(_ text: String, at time: Int64) {
        gate?.mark(text, at: time)
        route()
    }

    func describe(_ tags: [String: String], at time: Int64) {
        let place = timeline?.movieTime(of: time) ?? 0
        pipeline?.disk.annotate(.tags(tags, at: .nanoseconds(place)))
    }

    /// Whether samples from behind the end are written already and must be hidden.
    var endsInside: Bool { gate?.endsInside ?? false }

    /// - Throws: `invalidSetting` before the start, `invalidState` for a second end.
    mutating func endSession(at time: Int64) throws(MediaError) {
        guard let timeline, timeline.stop == nil else {
            throw .state("end the session", "its end is set already.")
        }
        guard time >= timeline.start else {
            throw .setting(
                "session end",
                "it lies before the session's start, "
                    + "\(MediaTime.nanoseconds(timeline.start - time).approximateSeconds) s later.")
        }
        gate?.endSession(at: time)
        route()
    }

    /// No more samples at all.
    mutating func finish() {
        gate?.finish()
        route()
        end = decidedEnd
        for track in tracks.indices { endMetadata(track, before: end) }
        refuseEmptyTracks()
    }

    /// A copied track of which samples came and none is in the movie is no success. In real time a source that
    /// delivers nothing in time is its recorder's to report.
    private mutating func refuseEmptyTracks() {
        guard configuration.mode == .offline else { return }
        for (index, track) in tracks.enumerated() where failure == nil {
            guard case .passThrough(let format) = track.coding,
                [.video, .audio].contains(format.mediaType), track.counts.appended > 0,
                gate?.isEmpty(track: index) ?? false
            else { continue }
            failure = MediaError(
                code: .unsupported, subject: "track \(index)",
                message: "Track \(index) of \(configuration.outputPath) is empty: none of the "
                    + "\(track.counts.appended) samples appended is shown between the session's "
                    + "start and end; append those, or choose another start and end.")
        }
    }

    /// The movie's end: the session's, the wanted length, or where the last sample ends.
    private var decidedEnd: Int64 {
        guard let gate = timeline else { return 0 }
        if gate.stop == nil, gate.phase == .paused, let cut = gate.cuts.last {
            return cut.movieTime
        }
        let limit = gate.limit ?? .max
        return min(gate.finalEnd.map { gate.movieTime(of: $0) } ?? lastEnd, limit)
    }

    /// Where the last sample ends (movie time, ns), of metadata only where there is nothing else.
    private var lastEnd: Int64 {
        let shown = tracks.filter(\.coding.source.mediaType.setsLength)
        return (shown.isEmpty ? tracks : shown).map(\.end).max() ?? 0
    }

    // MARK: Samples

    /// - Throws: `invalidState` for a finished track; the failure that ended writing.
    func requireOpen(_ track: Int) throws(MediaError) {
        guard !tracks[track].isFinished else {
            throw .state("append a sample to track \(track)", "the track was finished.")
        }
        if let failure = pipeline?.failure { throw failure }
    }

    /// What the next sample of a track may need of its queue, with what waits in front of it for a pause to be
    /// decided (bytes).
    func nextWeight(_ track: Int) -> Int {
        tracks[track].largestSample + (gate?.heldWeight(ofTrack: track) ?? 0)
    }

    /// Through the gate and into the queues.
    /// - Returns: whether nothing of the track was dropped.
    mutating func append(_ sample: SampleBuffer, track: Int) throws(MediaError) -> Bool {
        try sample.requireKind(of: tracks[track].coding, track: track)
        let time = sample.presentationTime.nanoseconds()
        tracks[track].noteAppended(bytes: sample.byteCount)
        if case .audio = sample.payload {
            let error = gate?.append(
                sample, track: track, frames: sample.audioFrameCount, at: time,
                weight: sample.byteCount)
            noteMisplaced(error ?? 0, track, time)
        } else {
            gate?.append(
                sample, track: track, at: time, isSync: sample.isSync, weight: sample.byteCount,
                length: tracks[track].shownLength(sample), isHidden: sample.attachments.isHidden,
                holdsUntil: tracks[track].stateEnd(of: sample))
        }
        return route(watching: track)
    }

    private func noteMisplaced(_ error: Int64, _ track: Int, _ time: Int64) {
        guard error.magnitude > SessionGate<SampleBuffer>.jitter else { return }
        let kind = error > 0 ? "late: a hole" : "early: an overlap"
        post.post(
            .misused(
                track: track,
                message: "Audio at \(time) ns is \(error.magnitude / 1_000_000) ms too \(kind); it "
                    + "was placed by counting, right behind the run before it."))
    }

    // MARK: Behind the gate

    /// Moves what the gate has decided to queues, events and annotations.
    /// - Returns: whether nothing of track `watching` was dropped.
    @discardableResult
    private mutating func route(watching: Int? = nil) -> Bool {
        var isComplete = true
        let before = pauses.count
        for output in gate?.drain() ?? [] {
            switch output {
            case .picture(let track, let released):
                let isTaken = routeFrame(released, track)
                if track == watching, !isTaken { isComplete = false }
            case .audio(let track, let piece): routeAudio(piece, track)
            case .reachedLimit(let time): post.post(.reachedMaximum(at: .nanoseconds(time)))
            case .leftOut(let track, let count): tracks[track].counts.leftOut += count
            case .late(let track, let late): note(late, track)
            case .early(let track, let early):
                post.post(
                    .leftOutUndecodable(
                        track: track, at: .nanoseconds(early.movieTime), count: early.leftOut))
            case .undone(let pause):
                post.post(
                    .pauseWithoutEffect(
                        at: .nanoseconds(pause.pause), until: .nanoseconds(pause.resume)))
            case .endMoved(let wanted, let end):
                post.post(.endMoved(from: .nanoseconds(wanted), to: .nanoseconds(end)))
            case .paused(let cut):
                pauses.append(MoviePause(cut))
                post.post(.paused(MoviePause(cut)))
            case .resumed(let cut):
                if !pauses.isEmpty { pauses[pauses.count - 1] = MoviePause(cut) }
                post.post(.resumed(MoviePause(cut)))
                pipeline?.disk.annotate(
                    .pause(
                        at: .nanoseconds(cut.movieTime),
                        duration: .nanoseconds((cut.end ?? cut.start) - cut.start)))
            case .marker(let text, let time):
                let marker = MovieMarker(text: text, movieTime: .nanoseconds(time))
                markers.append(marker)
                post.post(.marked(marker))
                pipeline?.disk.annotate(.marker(text, at: marker.movieTime))
            }
        }
        // a pause may last for hours, in which nothing has to wait in an encoder
        if pauses.count > before { for track in tracks { track.queue.pushPause() } }
        return isComplete
    }

    /// A track begins later than it could, because its first frames need one that did not come.
    private mutating func note(_ late: FrameQueue<SampleBuffer>.LateStart, _ track: Int) {
        if let time = late.movieTime {
            return post.post(
                .beganLate(track: track, at: .nanoseconds(time), leftOut: late.leftOut))
        }
        let advice =
            tracks[track].hidesSamples
            ? "append them from the sync sample before the session's start on"
            : "start the session at a sync sample, or write an .mp4 or .mov file"
        failure =
            failure
            ?? MediaError(
                code: .unsupported, subject: "track \(track)",
                message: "Track \(track) of \(configuration.outputPath) is empty: none of its "
                    + "\(late.leftOut) frames from the session's start on is a sync sample, without "
                    + "which they cannot be decoded; \(advice).")
    }

    private mutating func routeFrame(
        _ released: FrameQueue<SampleBuffer>.Released, _ track: Int
    ) -> Bool {
        let source = released.element
        if !released.isHidden, let gate = timeline, let end = gate.end,
            tracks[track].isAtEnd(released.movieTime, gate.movieTime(of: end))
        {
            tracks[track].counts.leftOut += 1
            return true
        }
        endMetadata(track, before: released.movieTime)
        guard let sample = tracks[track].place(released) else {
            if configuration.mode == .offline, tracks[track].isFirstDisorder {
                post.post(
                    .misused(
                        track: track,
                        message: "Samples of track \(track) do not come in order of decoding, with "
                            + "decode times that increase: those that are behind are dropped."))
            }
            drop(source, track: track, .outOfOrder)
            return false
        }
        let bytes = sample.byteCount
        let queue = tracks[track].queue
        let mayDrop =
            configuration.mode == .realTime
            && [.video, .metadata].contains(sample.format.mediaType)
        if mayDrop, tracks[track].mustDrop(sample) || !queue.hasRoom(for: bytes) {
            var dropped = sample
            dropped.presentationTime = source.presentationTime
            let isDisk = pipeline?.disk.isFull ?? false
            drop(dropped, track: track, isDisk ? .diskBehind : .encoderBehind)
            return false
        }
        tracks[track].notePushed(sample)
        tracks[track].counts.kept += 1
        tracks[track].counts.filters.count(source.attachments.filterings)
        queue.push(sample, bytes: bytes)
        return true
    }

    /// What the last sample of metadata says may hold no longer before the next one, or the movie's end.
    private mutating func endMetadata(_ track: Int, before next: Int64) {
        guard let gate = timeline, let empty = tracks[track].endOfMetadata(before: next, gate)
        else { return }
        tracks[track].queue.push(empty, bytes: 0)
    }

    private mutating func routeAudio(_ piece: AudioQueue<SampleBuffer>.Piece, _ track: Int) {
        guard let sample = tracks[track].place(piece) else { return }
        let queue = tracks[track].queue
        let bytes = sample.byteCount
        if configuration.mode == .realTime, !queue.hasRoom(for: bytes) {
            pipeline?.fail(
                MediaError(
                    code: .encoderFailed, subject: "track \(track)",
                    message: "Audio cannot be encoded in time: \(queue.capacity >> 20) MiB of it "
                        + "wait; the movie ends here: choose faster settings."))
            return
        }
        tracks[track].counts.kept += Int64(piece.frames.count)
        queue.push(sample, bytes: bytes)
    }

    /// An encoder had to leave out a frame that was kept.
    /// - Parameter time: where it would be (movie time, ns).
    mutating func lost(_ track: Int, at time: Int64) {
        tracks[track].noteLost()
        let source = timeline?.sourceTime(of: time) ?? time
        post.post(
            .dropped(
                track: track,
                SampleDrop(cause: .undecodable, count: 1, time: .nanoseconds(source))))
    }

    mutating func drop(_ sample: SampleBuffer, track: Int, _ cause: SampleDrop.Cause) {
        tracks[track].noteDropped(sample, cause: cause)
        post.post(
            .dropped(
                track: track,
                SampleDrop(cause: cause, count: 1, time: sample.presentationTime)))
    }
}

extension MoviePause {
    package init(_ cut: PauseGate.Cut) {
        self.init(
            movieTime: .nanoseconds(cut.movieTime), cutTime: .nanoseconds(cut.start),
            resumeTime: cut.end.map { .nanoseconds($0) })
    }
}
