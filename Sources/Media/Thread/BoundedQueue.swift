/// A first-in first-out hand-off between two threads, bounded by weight. Thread-safe.
///
/// The weight is what costs memory (bytes, or 1 a frame). A full queue refuses; the caller names
/// the drop policy and counts the drop. One oversize element is taken when the queue is empty.
package final class BoundedQueue<Element: Sendable>: Sendable {
    /// Most weight held at once (the unit of the elements' weights; positive).
    package let capacity: Int
    private let state: BlockingLock<State>

    private struct State {
        /// Taken ones are nil at once, so that what they hold is free for use.
        var elements: [(element: Element, weight: Int)?] = []
        var head = 0
        var weight = 0
        var isFinished = false

        mutating func pop() -> Element? {
            guard head < elements.count, let (element, weight) = elements[head] else { return nil }
            elements[head] = nil
            head += 1
            self.weight -= weight
            if head > 32, head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            if head == elements.count {
                elements.removeAll(keepingCapacity: true)
                head = 0
            }
            return element
        }

        func hasRoom(for weight: Int, capacity: Int) -> Bool {
            head == elements.count || self.weight + weight <= capacity
        }

        mutating func push(_ element: Element, _ weight: Int) {
            elements.append((element, weight))
            self.weight += weight
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
    package var count: Int { state.read { $0.elements.count - $0.head } }

    /// Hands over without waiting.
    package func push(_ element: Element, weight: Int = 1) -> PushOutcome {
        state.withLock { state in
            if state.isFinished { return .finished }
            guard state.hasRoom(for: weight, capacity: capacity) else { return .full }
            state.push(element, weight)
            return .taken
        }
    }

    /// Hands over, waiting for room; `.finished` when the queue was closed meanwhile.
    package func pushWaiting(_ element: Element, weight: Int = 1) -> PushOutcome {
        state.wait { state in
            if state.isFinished { return .finished }
            guard state.hasRoom(for: weight, capacity: capacity) else { return nil }
            state.push(element, weight)
            return .taken
        }
    }

    /// The next element, waiting for one; `nil` once the queue is finished and empty.
    package func pop() -> Element? {
        state.wait { state -> Element?? in
            if let element = state.pop() { return .some(element) }
            return state.isFinished ? .some(nil) : nil
        }
    }

    /// The next element if one is there.
    package func popImmediately() -> Element? { state.withLock { $0.pop() } }

    /// No more pushes; what is inside is still popped.
    package func finish() { state.withLock { $0.isFinished = true } }
}
