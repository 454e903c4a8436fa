internal import Glibc
internal import Media

/// Looks at the cameras' frames on a thread of its own: at most two a second of each camera, and seldom enough
/// to take less than a hundredth of a core whatever their size. Thread-safe.
///
/// A frame that waits for its look is let go for the next one of its camera: none is held for longer than a
/// frame but the one that is looked at.
final class FrameWatch: Sendable {
    typealias Handler = @Sendable (_ track: Int, FrameLook.Finding) -> Void

    /// Shortest distance of looks at a camera (ns) …
    private static let interval: Int64 = 500_000_000
    /// … which is this many times what a look takes of a core.
    private static let rest: Int64 = 150

    private struct State {
        /// One entry a source.
        var waiting: [SampleBuffer?]
        /// From when on a frame is wanted (host ns).
        var earliest: [Int64]
        var isFinished = false
    }

    // immutable
    private let handler: Handler
    /// Looks at once, on the caller's thread.
    private let isInline: Bool

    private let state: BlockingLock<State>
    private let looks: Lock<[FrameLook]>

    init(
        sources: Int, conditions: Set<TrackCondition>, isInline: Bool, handler: @escaping Handler
    ) {
        self.handler = handler
        self.isInline = isInline
        state = BlockingLock(
            State(
                waiting: Array(repeating: nil, count: sources),
                earliest: Array(repeating: .min, count: sources)))
        looks = Lock(Array(repeating: FrameLook(for: conditions), count: sources))
    }

    func start() {
        if !isInline { NamedThread(name: "vcap-watch") { self.run() }.detach() }
    }

    /// Nothing is looked at any more.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.waiting = state.waiting.map { _ in nil }
        }
    }

    /// Shows a frame of a source; most are not looked at.
    func offer(_ sample: SampleBuffer, of source: Int) {
        guard sample.pixelBuffer != nil || sample.isSync else { return }
        let time = sample.presentationTime.nanoseconds()
        let isWanted = state.read { state in
            !state.isFinished && (time >= state.earliest[source] || state.waiting[source] != nil)
        }
        guard isWanted else { return }
        if isInline { return look(at: sample, of: source) }
        state.withLock { $0.waiting[source] = sample }
    }

    private func run() {
        while let (source, sample) = next() { look(at: sample, of: source) }
    }

    private func next() -> (Int, SampleBuffer)? {
        state.wait { state -> (Int, SampleBuffer)?? in
            if state.isFinished { return .some(nil) }
            for source in state.waiting.indices {
                guard let sample = state.waiting[source] else { continue }
                state.waiting[source] = nil
                state.earliest[source] = .max
                return .some((source, sample))
            }
            return nil
        }
    }

    private func look(at sample: SampleBuffer, of source: Int) {
        let began = Self.threadTime()
        let (finding, count) = looks.withLock { ($0[source].look(at: sample), Int64($0.count)) }
        let cost = Self.threadTime() - began
        let rest = max(Self.interval, cost * Self.rest * count)
        let time = sample.presentationTime.nanoseconds()
        state.withLock { $0.earliest[source] = time + rest }
        if let finding { handler(source, finding) }
    }

    /// What this thread has taken of a core (ns).
    private static func threadTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
