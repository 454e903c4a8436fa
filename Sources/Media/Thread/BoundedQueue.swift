/// A first-in first-out hand-off between threads, and from tasks to a thread, bounded by weight. Thread-safe.
///
/// The weight is what costs memory (bytes, or 1 a frame). A full queue refuses or is waited for; the producer names
/// the drop policy and counts the drop. One oversize element is taken when the queue is empty.
package final class BoundedQueue<Element: Sendable>: Sendable {
    /// Most weight held at once (the unit of the elements' weights; positive).
    package let capacity: Int
    private let state: BlockingLock<State>

    private struct State {
        var elements = FIFO<Element>()
        var isFinished = false
        /// Tasks that wait for room.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastTicket = 0

        func hasRoom(for weight: Int, _ capacity: Int) -> Bool {
            isFinished || elements.hasRoom(for: weight, capacity: capacity)
        }

        mutating func push(_ element: Element, _ weight: Int) -> PushOutcome {
            if isFinished { return .finished }
            elements.append(element, weight: weight)
            return .taken
        }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return waiting.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    package enum PushOutcome: Sendable {
        case taken
        case full
        case finished
    }

    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
        state = BlockingLock(State())
    }

    /// Number of elements waiting.
    package var count: Int { state.read { $0.elements.count } }

    /// What waits (elements, and their weight).
    package var load: (count: Int, weight: Int) {
        state.read { ($0.elements.count, $0.elements.weight) }
    }

    /// Whether an element fits, or nothing is taken any more. What is true stays true for the only one who pushes.
    package func hasRoom(for weight: Int) -> Bool {
        state.read { $0.hasRoom(for: weight, capacity) }
    }

    /// Hands over without waiting.
    package func push(_ element: Element, weight: Int = 1) -> PushOutcome {
        state.withLock { state in
            state.hasRoom(for: weight, capacity) ? state.push(element, weight) : .full
        }
    }

    /// Hands over whatever the load: for who has asked `hasRoom`, and for what weighs nothing.
    @discardableResult
    package func pushAnyway(_ element: Element, weight: Int = 1) -> PushOutcome {
        state.withLock { $0.push(element, weight) }
    }

    /// Hands over, waiting for room; `.finished` when the queue was closed meanwhile.
    package func pushWaiting(_ element: Element, weight: Int = 1) -> PushOutcome {
        state.wait { $0.hasRoom(for: weight, capacity) ? $0.push(element, weight) : nil }
    }

    /// Blocks the calling thread until an element fits, or the queue is finished.
    package func waitForRoomBlocking(_ weight: Int) {
        state.wait { $0.hasRoom(for: weight, capacity) ? () : nil }
    }

    /// Suspends the task until an element fits, the queue is finished or the task is cancelled; blocks no thread.
    package func waitForRoom(_ weight: Int) async {
        while !hasRoom(for: weight), !Task.isCancelled {
            let ticket = state.withLock { state in
                state.lastTicket += 1
                return state.lastTicket
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
                    let continues = state.withLock { state -> Bool in
                        // cancelled before it waited: nobody would wake it
                        if state.hasRoom(for: weight, capacity) || Task.isCancelled { return true }
                        state.waiting[ticket] = next
                        return false
                    }
                    if continues { next.resume() }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
            }
        }
    }

    /// The next element, waiting for one; `nil` once the queue is finished and empty.
    package func pop() -> Element? {
        let (element, waiting) = state.wait {
            state -> (Element?, [CheckedContinuation<Void, Never>])? in
            let element = state.elements.popFirst()
            return element != nil || state.isFinished ? (element, state.takeWaiting()) : nil
        }
        for next in waiting { next.resume() }
        return element
    }

    /// The next element if one is there.
    package func popImmediately() -> Element? {
        let (element, waiting) = state.withLock { state in
            (state.elements.popFirst(), state.takeWaiting())
        }
        for next in waiting { next.resume() }
        return element
    }

    /// No more pushes; what is inside is still popped, unless `discarding`.
    package func finish(discarding: Bool = false) {
        let (waiting, _) = state.withLock { state in
            state.isFinished = true
            // let go outside the lock: a frame goes back to its pool
            var discarded = FIFO<Element>()
            if discarding { swap(&discarded, &state.elements) }
            return (state.takeWaiting(), discarded)
        }
        for next in waiting { next.resume() }
    }
}
