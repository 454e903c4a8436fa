internal import Media

/// One session of a writer as a pure value: the pause gate and a queue for every track. Samples and
/// commands go in, in the order they happen; what is decided comes out, in the order of each track.
struct SessionGate<Element: Sendable>: Sendable {
    enum TrackKind: Sendable {
        case video(needsSync: Bool, hidden: HiddenSampleRule = .none, isCutInside: Bool = false)
        /// Raw audio of a rate (Hz).
        case audio(rate: Int)
        /// Coded audio; the length of a packet (ns).
        case packets(duration: Int64, hidden: HiddenSampleRule = .none, isCutInside: Bool = false)
        /// Samples that come when they like and lead nothing.
        case metadata

        var isMetadata: Bool { if case .metadata = self { true } else { false } }
    }

    enum Output: Sendable {
        case picture(track: Int, FrameQueue<Element>.Released)
        case audio(track: Int, AudioQueue<Element>.Piece)
        case leftOut(track: Int, count: Int)
        case late(track: Int, FrameQueue<Element>.LateStart)
        case early(track: Int, FrameQueue<Element>.EarlyEnd)
        /// A pause that the lead's frames left no room for (source times).
        case undone(PauseGate.Undone)
        /// The end is later than it was asked for (source times).
        case endMoved(from: Int64, to: Int64)
        case paused(PauseGate.Cut)
        case resumed(PauseGate.Cut)
        case marker(String, movieTime: Int64)
        /// The wanted length is reached (source time).
        case reachedLimit(at: Int64)
    }

    private enum TrackQueue: Sendable {
        case pictures(FrameQueue<Element>)
        case audio(AudioQueue<Element>)

        var heldWeight: Int {
            switch self {
            case .pictures(let queue): queue.heldWeight
            case .audio(let queue): queue.heldWeight
            }
        }
    }

    private struct Marker: Sendable {
        let text: String
        let time: Int64
    }

    /// How far stamps of audio may be from where counting puts it (ns).
    static var jitter: Int64 { 20_000_000 }

    private(set) var gate: PauseGate
    /// Most weight held back while a pause or resume waits for its frame (bytes).
    let heldLimit: Int
    private let lead: Int?
    private let leadNeedsSync: Bool
    /// Tracks whose samples do not say how far the sources have come, because others do.
    private let silent: Set<Int>
    private var queues: [TrackQueue]
    private var markers: [Marker] = []
    private var outputs: [Output] = []
    private var reportedCuts: [PauseGate.Cut] = []
    private var hasReportedLimit = false
    private var leadIsReordered = false
    private var latestLead = Int64.min
    private var isFinished = false
    /// Whether the container can hide what is written already behind an end that is set late.
    private let hidesRest: Bool
    /// Whether it has to.
    private(set) var endsInside = false

    /// - Parameter absent: tracks of which nothing will come; the first video track of the others leads.
    init(
        tracks: [TrackKind], without absent: Set<Int> = [], start: Int64, stallLimit: Int64,
        fade: Int64, heldLimit: Int,
        limit: Int64? = nil, hidesRest: Bool = false
    ) {
        self.hidesRest = hidesRest
        let lead = tracks.indices.first { track in
            if case .video = tracks[track] { !absent.contains(track) } else { false }
        }
        self.lead = lead
        leadNeedsSync =
            lead.map { if case .video(true, _, _) = tracks[$0] { true } else { false } }
            ?? false
        self.heldLimit = heldLimit
        let metadata = tracks.indices.filter { tracks[$0].isMetadata }
        silent = metadata.count < tracks.count ? Set(metadata) : []
        gate = PauseGate(
            start: start, hasLead: lead != nil, stallLimit: stallLimit, limit: limit)
        queues = tracks.map { kind in
            switch kind {
            case .video(let needsSync, let hidden, let isCutInside):
                .pictures(
                    FrameQueue(needsSync: needsSync, hidden: hidden, isCutInside: isCutInside))
            case .metadata: .pictures(FrameQueue(needsSync: false))
            case .packets(let duration, let hidden, let isCutInside):
                .pictures(
                    FrameQueue(
                        needsSync: false, judgedAfter: duration / 2, hidden: hidden,
                        isCutInside: isCutInside))
            case .audio(let rate): .audio(AudioQueue(rate: rate, fade: fade))
            }
        }
    }

    // MARK: Samples

    /// What of a track waits until a cut is decided (the unit of the weights).
    func heldWeight(ofTrack track: Int) -> Int {
        // what waits for other tracks must not be waited for by its own
        silent.contains(track) ? 0 : queues[track].heldWeight
    }

    /// A frame or coded packet.
    /// - Parameters:
    ///   - length, isHidden, holdsUntil: as `FrameQueue.append`.
    mutating func append(
        _ element: Element, track: Int, at time: Int64, isSync: Bool = true, weight: Int = 1,
        length: Int64 = 0, isHidden: Bool = false, holdsUntil: Int64? = nil
    ) {
        guard case .pictures(var queue) = queues[track] else { return }
        queue.append(
            element, at: time, isSync: isSync, weight: weight, length: length, isHidden: isHidden,
            holdsUntil: holdsUntil)
        queues[track] = .pictures(queue)
        if isHidden {
            // it says nothing of what is shown
        } else if track == lead {
            leadIsReordered = leadIsReordered || time < latestLead
            latestLead = max(latestLead, time)
            gate.leadFrame(
                at: time, isCutPoint: !leadIsReordered || isSync,
                isResumePoint: !leadNeedsSync || isSync)
        } else if !silent.contains(track) {
            gate.progress(to: time)
        }
        release()
    }

    /// A run of raw audio.
    /// - Returns: how far its stamp is from where counting puts it (ns).
    mutating func append(
        _ element: Element, track: Int, frames: Int, at time: Int64, weight: Int = 1
    ) -> Int64 {
        guard case .audio(var queue) = queues[track] else { return 0 }
        skipPause(&queue, before: time)
        let error = queue.append(element, frames: frames, at: time, weight: weight)
        queues[track] = .audio(queue)
        gate.progress(to: queue.progress ?? time)
        release()
        return error
    }

    /// Where the audio stopped and continues in one pause, it is not late.
    private mutating func skipPause(_ queue: inout AudioQueue<Element>, before time: Int64) {
        guard let reached = queue.progress, time - reached > Self.jitter else { return }
        gate.progress(to: time)
        guard let cut = gate.cuts.last(where: { $0.start < time }) else { return }
        let hole = max(reached, cut.start)..<max(cut.start, min(time, cut.end ?? gate.horizon))
        if hole.lowerBound < hole.upperBound { queue.skip(hole) }
    }

    // MARK: Commands

    mutating func pause(at time: Int64) -> Bool {
        let changed = gate.pause(at: time, notBefore: earliest { $0.pausableFrom })
        release()
        return changed
    }

    mutating func resume(at time: Int64) -> Bool {
        let changed = gate.resume(at: time, notBefore: earliest { $0.resumableFrom })
        release()
        return changed
    }

    mutating func mark(_ text: String, at time: Int64) {
        markers.append(Marker(text: text, time: max(time, gate.start)))
        release()
    }

    mutating func endSession(at time: Int64) {
        let possible = max(time, earliest({ $0.endableFrom }, ofPictures: { $0.endableFrom }))
        let end = hidesRest ? time : possible
        endsInside = hidesRest && possible > time
        gate.endSession(at: end)
        if end > time { outputs.append(.endMoved(from: time, to: end)) }
        release()
    }

    /// No more samples of a track.
    mutating func trackEnded(_ track: Int) {
        if track == lead { gate.leadEnded() }
        release()
    }

    /// No more samples at all; everything held back comes out.
    mutating func finish() {
        gate.finish()
        isFinished = true
        release()
    }

    /// Whether nothing of a coded track is in the movie.
    func isEmpty(track: Int) -> Bool {
        if case .pictures(let queue) = queues[track] { queue.isEmpty } else { false }
    }

    /// What was decided since the last call.
    mutating func drain() -> [Output] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    // MARK: Inside

    /// The first instant no track has passed, silent ones aside: a stamp of theirs moves no cut and no end.
    private func earliest(
        _ audio: (AudioQueue<Element>) -> Int64,
        ofPictures pictures: (FrameQueue<Element>) -> Int64 = { $0.undecidedFrom }
    ) -> Int64 {
        queues.indices.reduce(Int64.min) { latest, index in
            if silent.contains(index) { return latest }
            return switch queues[index] {
            case .pictures(let queue): max(latest, pictures(queue))
            case .audio(let queue): max(latest, audio(queue))
            }
        }
    }

    private mutating func release() {
        let isFull = queues.reduce(0, { $0 + $1.heldWeight }) > heldLimit
        if isFull { gate.decideNow() }
        reportCuts()
        outputs += gate.takeUndone().map { .undone($0) }
        for index in queues.indices where !silent.contains(index) { releaseQueue(index) }
        if !silent.isEmpty {
            // a silent track's sample ahead of the others waits for them: a pause or the end can still lie before it
            let passed = min(earliest { $0.pausableFrom }, earliest { $0.resumableFrom })
            for index in silent.sorted() {
                releaseQueue(index, before: isFull || isFinished ? .max : passed)
            }
        }
        releaseMarkers()
        if !hasReportedLimit, let end = gate.reachedLimit {
            hasReportedLimit = true
            outputs.append(.reachedLimit(at: end))
        }
    }

    private mutating func releaseQueue(_ index: Int, before limit: Int64 = .max) {
        switch queues[index] {
        case .pictures(var queue):
            var released: [FrameQueue<Element>.Released] = []
            var leftOut = queue.release(by: gate, before: limit, into: &released)
            if isFinished { leftOut -= queue.releaseCover(by: gate, into: &released) }
            let first = released.first { !$0.isHidden }?.movieTime
            let late = queue.takeLateStart(movieTime: first, isFinished: isFinished)
            let early = queue.takeEarlyEnd()
            queues[index] = .pictures(queue)
            if let early { outputs.append(.early(track: index, early)) }
            if let late { outputs.append(.late(track: index, late)) }
            if leftOut != 0 { outputs.append(.leftOut(track: index, count: leftOut)) }
            outputs.append(contentsOf: released.map { .picture(track: index, $0) })
        case .audio(var queue):
            var pieces: [AudioQueue<Element>.Piece] = []
            let before = queue.leftOut
            queue.release(by: gate, everything: isFinished, into: &pieces)
            let leftOut = queue.leftOut - before
            queues[index] = .audio(queue)
            if leftOut > 0 { outputs.append(.leftOut(track: index, count: leftOut)) }
            outputs.append(contentsOf: pieces.map { .audio(track: index, $0) })
        }
    }

    /// Reports cuts that are new or closed since the last time.
    private mutating func reportCuts() {
        guard gate.cuts != reportedCuts else { return }
        for (index, cut) in gate.cuts.enumerated() {
            let reported = index < reportedCuts.count ? reportedCuts[index] : nil
            if reported == nil { outputs.append(.paused(cut)) }
            if cut.end != nil, reported?.end == nil { outputs.append(.resumed(cut)) }
        }
        reportedCuts = gate.cuts
    }

    private mutating func releaseMarkers() {
        while let marker = markers.first, marker.time < gate.horizon {
            markers.removeFirst()
            let time = min(marker.time, gate.end ?? .max)
            outputs.append(.marker(marker.text, movieTime: gate.movieTime(of: time)))
        }
    }
}
