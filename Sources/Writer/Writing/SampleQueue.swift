internal import Media

/// Samples of one track on their way to its encoder thread, bounded in bytes. Thread-safe.
///
/// Unlike Media's `BoundedQueue` a task can wait for room without blocking a thread.
final class SampleQueue: Sendable {
    enum Item: Sendable {
        case sample(SampleBuffer)
        /// The movie holds here: nothing may stay in the encoder that can be handed out.
        case pause
    }

    private struct State {
        /// Taken ones are nil at once: a picture that is still named here cannot be used again.
        var samples: [(item: Item, bytes: Int)?] = []
        var head = 0
        var bytes = 0
        var isFinished = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func pop() -> Item? {
            guard head < samples.count, let (item, size) = samples[head] else { return nil }
            samples[head] = nil
            head += 1
            bytes -= size
            if head == samples.count || head > 64 {
                samples.removeFirst(head)
                head = 0
            }
            return item
        }

        func hasRoom(_ size: Int, _ capacity: Int) -> Bool {
            isFinished || head == samples.count || bytes + size <= capacity
        }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Most bytes waiting (bytes); one larger sample is taken when the queue is empty.
    let capacity: Int
    private let state = BlockingLock(State())

    init(capacity: Int) { self.capacity = capacity }

    /// What waits (samples; bytes).
    var load: (samples: Int, bytes: Int) {
        state.read { ($0.samples.count - $0.head, $0.bytes) }
    }

    /// Whether a sample fits; what is true stays true for the only one who pushes.
    func hasRoom(for bytes: Int) -> Bool { state.read { $0.hasRoom(bytes, capacity) } }

    /// Takes a sample, whatever the load: the caller has asked `hasRoom`.
    func push(_ sample: SampleBuffer, bytes: Int) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.samples.append((.sample(sample), bytes))
            state.bytes += bytes
        }
    }

    /// What was pushed before is the last for a while.
    func pushPause() {
        state.withLock { if !$0.isFinished { $0.samples.append((.pause, 0)) } }
    }

    /// Suspends until a sample fits, or the queue is finished.
    func waitForRoom(_ bytes: Int) async {
        while !hasRoom(for: bytes) {
            await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
                let goesOn = state.withLock { state -> Bool in
                    if state.hasRoom(bytes, capacity) { return true }
                    state.waiting.append(next)
                    return false
                }
                if goesOn { next.resume() }
            }
        }
    }

    /// Blocks the calling thread until a sample fits, or the queue is finished.
    func waitForRoomBlocking(_ bytes: Int) {
        state.wait { $0.hasRoom(bytes, capacity) ? () : nil }
    }

    /// The next sample or pause, waiting for one; `nil` once the queue is finished and empty.
    func pop() -> Item? {
        let (item, waiting) = state.wait {
            state -> (Item?, [CheckedContinuation<Void, Never>])? in
            if let item = state.pop() { return (item, state.takeWaiting()) }
            return state.isFinished ? (nil, state.takeWaiting()) : nil
        }
        for next in waiting { next.resume() }
        return item
    }

    /// No more samples; what is inside is still popped, unless `discarding`.
    func finish(discarding: Bool = false) {
        let waiting = state.withLock { state in
            state.isFinished = true
            if discarding {
                state.samples = []
                state.head = 0
                state.bytes = 0
            }
            return state.takeWaiting()
        }
        for next in waiting { next.resume() }
    }
}
