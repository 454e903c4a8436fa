internal import Media
internal import Movie

/// Coded samples of all tracks between the encoder threads and the writing thread, bounded in
/// bytes and interleaved. Thread-safe.
final class DiskQueue: Sendable {
    enum Order: Sendable {
        /// - `isLast`: none of its track comes behind it, as far as is known.
        case sample(track: Int, SampleBuffer, isLast: Bool)
        case annotation(MovieAnnotation)
        /// Nothing came for the flush interval.
        case flush
        /// Every track has ended and everything was handed out.
        case finish
        case cancel

        var isCancel: Bool { if case .cancel = self { true } else { false } }
    }

    private struct State: Sendable {
        var interleaver: Interleaver<SampleBuffer>
        var annotations: [MovieAnnotation] = []
        var isCancelled = false
        var hasUnflushed = false
        /// Tracks whose format only their first sample states; nothing is written before.
        var unknown: Int

        mutating func next() -> Order? {
            if isCancelled { return .cancel }
            if unknown > 0 { return nil }
            if !annotations.isEmpty { return .annotation(annotations.removeFirst()) }
            if let next = interleaver.next() {
                hasUnflushed = true
                let isLast = interleaver.isOver(track: next.track)
                return .sample(track: next.track, next.element, isLast: isLast)
            }
            return interleaver.isOver ? .finish : nil
        }
    }

    /// How far another track may get ahead of one that gives nothing (ns): in real time no player may
    /// wait for long, offline an encoder that looks ahead delivers seconds after the audio.
    private static let realTimeLag: Int64 = 200_000_000
    private static let offlineLag: Int64 = 5_000_000_000

    private let capacity: Int
    private let flushInterval: Int64
    private let waitsForAudio: Bool
    private let state: BlockingLock<State>

    /// - Parameters:
    ///   - video: one entry a track: whether it is a video track.
    ///   - sparse: the same: whether it is a track that nobody waits for (default none).
    ///   - unknown: how many tracks will call `formatKnown`.
    ///   - capacity: bytes of video and, again, of audio.
    ///   - waitsForAudio: whether audio waits for room as video does (offline).
    init(
        video: [Bool], sparse: [Bool] = [], unknown: Int = 0, capacity: Int,
        flushInterval: MediaTime, waitsForAudio: Bool
    ) {
        self.capacity = capacity
        self.flushInterval = flushInterval.nanoseconds()
        self.waitsForAudio = waitsForAudio
        state = BlockingLock(
            State(
                interleaver: Interleaver(
                    holdsNewest: video, sparse: sparse,
                    lagLimit: waitsForAudio ? Self.offlineLag : Self.realTimeLag,
                    weightLimit: capacity / 2),
                unknown: unknown))
    }

    /// Coded bytes waiting (bytes).
    var bytes: Int {
        state.read {
            $0.interleaver.weight(ofVideo: true) + $0.interleaver.weight(ofVideo: false)
        }
    }

    /// Whether encoder threads of video wait for the disk.
    var isFull: Bool { state.read { $0.interleaver.weight(ofVideo: true) >= capacity } }

    /// Hands over a coded sample; video and metadata wait for room, audio only offline.
    /// - Returns: `false` when audio has no room either.
    func push(_ sample: SampleBuffer, track: Int, isVideo: Bool) -> Bool {
        let waits = waitsForAudio || isVideo || sample.format.mediaType == .metadata
        let bytes = sample.block?.count ?? 0
        let time = (sample.decodeTime ?? sample.presentationTime).nanoseconds()
        return state.wait { state -> Bool? in
            if state.isCancelled { return true }
            if state.interleaver.weight(ofVideo: isVideo) >= capacity {
                return waits ? nil : false
            }
            state.interleaver.push(sample, track: track, time: time, weight: bytes)
            return true
        }
    }

    /// No more samples of a track; `end` is where its last one ends (movie time), if that counts.
    func end(track: Int, at end: MediaTime?) {
        state.withLock { state in
            state.interleaver.end(track: track) { last in
                guard let end else { return }
                let timescale = last.presentationTime.timescale
                let ticks = end.ticks(per: timescale, rounding: .nearest)
                let start = last.presentationTime.value
                // an end set when a frame of its own tick was written already
                last.duration = MediaTime(value: max(1, ticks - start), timescale: timescale)
            }
        }
    }

    func annotate(_ annotation: MovieAnnotation) {
        state.withLock { $0.annotations.append(annotation) }
    }

    /// A track's format is known, or never will be.
    func formatKnown() { state.withLock { $0.unknown -= 1 } }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// What the writing thread does next; waits for it.
    func next() -> Order {
        let soon = state.wait(nanoseconds: flushInterval) { $0.next() }
        if let soon { return soon }
        return state.wait { state -> Order? in
            guard state.hasUnflushed else { return state.next() }
            state.hasUnflushed = false
            return .flush
        }
    }
}
