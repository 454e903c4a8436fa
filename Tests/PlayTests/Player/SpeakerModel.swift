import Capture
import Glibc
import Media

/// A speaker that plays by the host clock, or a little faster or slower, keeps what it was given, and can be lost.
/// Thread-safe, so that a test can look.
// because its state is behind a lock
final class SpeakerModel: SpeakerDriver, @unchecked Sendable {
    private struct State: Sendable {
        /// What was written since the last start.
        var samples: [Float] = []
        var startedAt: Int64?
        var isLost = false
    }

    let name = "model"
    let sampleRate = 48_000
    /// How fast it plays (factor).
    let pace: Double
    /// How much later than it says it is heard (ns).
    let latency: Int64
    /// How long after its start it begins to play, and to say when what is heard (ns).
    let silence: Int64
    private let state = Lock(State())
    private static let capacity = 9600

    init(pace: Double = 1, latency: Int64 = 30_000_000, silence: Int64 = 0) {
        self.pace = pace
        self.latency = latency
        self.silence = silence
    }

    var samples: [Float] { state.withLock { $0.samples } }
    var underruns: Int { 0 }

    /// Forgets what was played; while it is paused.
    func clear() { state.withLock { $0.samples = [] } }

    func lose() { state.withLock { $0.isLost = true } }

    /// The film's audio frame that is heard at a host time, where it began with the film's first.
    func heard(at host: Int64) -> Double? {
        state.withLock { state in
            state.startedAt.map { Double(host - $0 - latency) / 1e9 * pace }
        }
    }

    private static var now: Int64 { HostClock().now().nanoseconds() }

    private func waiting(_ state: State) -> Int {
        guard let begin = state.startedAt else { return 0 }
        let played = max(0, Int(Double(Self.now - begin) / 1e9 * 48_000 * pace))
        return max(0, state.samples.count / 2 - played)
    }

    func start() throws(MediaError) {
        state.withLock { state in
            state.samples = []
            state.startedAt = Self.now + silence
        }
    }

    func room(atMost limit: MediaTime) throws(MediaError) -> Int {
        for _ in 0..<10 {
            let (room, isLost) = state.withLock { (Self.capacity - waiting($0), $0.isLost) }
            if isLost {
                throw MediaError(code: .deviceGone, subject: name, message: "The model is gone.")
            }
            if room > 0 { return room }
            usleep(1000)
        }
        return 0
    }

    func write(_ samples: [Float]) throws(MediaError) {
        state.withLock { $0.samples += samples }
    }

    func delay(at now: Int64) -> Int64? {
        state.withLock { state in
            guard let begin = state.startedAt, Self.now >= begin else { return nil }
            let end = Double(state.samples.count / 2) / 48_000 / pace * 1e9
            return begin + Int64(end) + latency - now
        }
    }

    func pause() { state.withLock { $0.startedAt = nil } }
}
