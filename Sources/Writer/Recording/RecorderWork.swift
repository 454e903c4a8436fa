internal import Media
internal import Movie

/// What the recorder's own thread remembers between ticks. Thread-safe, because anybody may ask for the status.
final class RecorderWork: Sendable {
    /// What is done every so often.
    enum Duty: Sendable {
        case diskLook, report, losses

        /// (ns)
        fileprivate var interval: Int64 {
            switch self {
            case .diskLook: 500_000_000  // a full disk is reported within a second
            case .report: 5_000_000_000
            case .losses: 1_000_000_000
            }
        }
    }

    private struct State: Sendable {
        var disk: DiskWatch
        /// When the recorder's thread last ran (host ns).
        var lastTick: Int64?
        /// Until when sources that say nothing are not held to it (host ns).
        var graceEnd: Int64 = .min
        /// When each duty was last done (host ns).
        var done: [Duty: Int64] = [:]
        var fate: FileFate?
        var isClosing = false
    }

    /// A tick this late (ns) was held up by the machine, and so were the sources.
    private static let lateTick: Int64 = 1_000_000_000
    /// How long sources then have to deliver what waits for them (ns).
    private static let grace: Int64 = 1_000_000_000

    private let state: Lock<State>

    init(_ disk: DiskWatch) { state = Lock(State(disk: disk)) }

    /// The recorder's thread runs.
    /// - Returns: whether this process stood still a moment ago: what sources delivered meanwhile waits in drivers and
    ///   queues, and must not find its place filled. And for how long it did until now (ns).
    func noteTick(_ now: Int64) -> (isHeldUp: Bool, stoodStill: Int64) {
        state.withLock { state in
            var stoodStill: Int64 = 0
            if let last = state.lastTick, now - last > Self.lateTick {
                state.graceEnd = now + Self.grace
                stoodStill = now - last
            }
            state.lastTick = now
            return (now < state.graceEnd, stoodStill)
        }
    }

    /// The thread ran until now: a disk that is slow to answer holds up this thread, not the sources.
    func noteDelay(until now: Int64) { state.withLock { $0.lastTick = now } }

    /// Whether a duty is due, which is then done.
    func isDue(_ duty: Duty, at now: Int64, atOnce: Bool = false) -> Bool {
        state.withLock { state in
            let last = state.done[duty] ?? .min / 2
            guard atOnce || now - last >= duty.interval else { return false }
            state.done[duty] = now
            return true
        }
    }

    func look(free: Int64, written: Int64, movieTime: Int64) -> [DiskWatch.Finding] {
        state.withLock { $0.disk.look(free: free, written: written, movieTime: movieTime) }
    }

    /// Space on the disk (bytes), and recording time left on it (seconds), as far as known.
    var room: (free: Int64?, secondsLeft: Int64?) {
        state.withLock { ($0.disk.freeBytes, $0.disk.secondsLeft) }
    }

    /// What another program has done to the movie's file.
    var fate: FileFate? { state.withLock { $0.fate } }

    /// - Returns: whether it is the first that another program has done; later ones change nothing.
    func found(_ fate: FileFate) -> Bool {
        state.withLock { state in
            defer { state.fate = state.fate ?? fate }
            return state.fate == nil
        }
    }

    /// Whether the sources are let go and the file is being closed.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// - Returns: whether closing begins now, and has not before.
    func beginClosing() -> Bool {
        state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
    }
}
