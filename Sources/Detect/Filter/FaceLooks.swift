internal import Media

/// What looks for faces in a frame.
protocol FaceFinding: Sendable {
    func sightings(in frame: SampleBuffer) throws(MediaError) -> [Sighting]
}

extension ObjectDetector: FaceFinding {}

/// The looks of a filter at its frames, and what it made of them. Thread-safe.
final class FaceLooks: Sendable {
    private struct State: Sendable {
        var follower: FaceFollower
        /// The newest frame that was passed over since the last look.
        var passed: SampleBuffer?
        var covered = 0
    }

    // immutable
    private let finder: any FaceFinding
    /// From one frame that is looked at to the next.
    private let interval: MediaTime

    // guarded by itself
    private let state: Lock<State>

    /// What the stamps of frames may be early.
    private static let jitter = MediaTime.nanoseconds(5_000_000)

    /// How far behind a frame others are looked at, so that one of them is a look.
    var ahead: MediaTime { max(interval + .nanoseconds(50_000_000), .nanoseconds(100_000_000)) }

    init(_ finder: any FaceFinding, interval: MediaTime, margin: Double) {
        (self.finder, self.interval) = (finder, interval)
        state = Lock(State(follower: FaceFollower(margin: margin)))
    }

    var covered: Int { state.withLock { $0.covered } }

    func count(_ places: Int) { state.withLock { $0.covered += places } }

    /// Looks at the frame, if it is time again.
    func look(at frame: SampleBuffer) {
        let time = frame.presentationTime
        let (last, passed) = state.withLock { ($0.follower.lastLook, $0.passed) }
        if let last, time > last, time - last + Self.jitter < interval {
            return state.withLock { $0.passed = frame }
        }
        // those in front of a gap would be too far from the next look
        if let passed, time > passed.presentationTime,
            time - passed.presentationTime > min(interval, FaceFollower.reach)
        {
            find(in: passed)
        }
        find(in: frame)
    }

    private func find(in frame: SampleBuffer) {
        let time = frame.presentationTime
        let found = Result { () throws(MediaError) in try finder.sightings(in: frame) }
        state.withLock { state in
            state.passed = nil
            state.follower.take(found, at: time)
        }
    }

    /// The faces that the frame may show. Where no look was at it or behind it, the newest frame that was passed over is
    /// looked at, whatever the interval, or the frame itself: what came into view since the last look would be seen.
    /// - Throws: where it is not known what the frame shows.
    func places(in frame: SampleBuffer) throws(MediaError) -> [FaceFollower.Place] {
        let time = frame.presentationTime
        let (last, passed) = state.withLock { ($0.follower.lastLook, $0.passed) }
        if last.map({ $0 < time }) ?? true {
            let isBehind =
                passed.map {
                    $0.presentationTime > time
                        && $0.presentationTime - time <= FaceFollower.reach
                } ?? false
            find(in: isBehind ? passed ?? frame : frame)
        }
        return try state.withLock { state throws(MediaError) in
            try state.follower.places(at: time)
        }
    }
}
