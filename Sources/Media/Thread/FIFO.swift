/// Elements in the order in which they came, each with its weight. A pure value, for whatever queue locks it.
package struct FIFO<Element> {
    /// Taken ones are nil at once: what is still named here, a frame say, cannot be used again.
    private var elements: [(element: Element, weight: Int)?] = []
    private var head = 0
    /// Of all that are inside.
    package private(set) var weight = 0

    package init() {}

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { head == elements.count }

    /// Whether one more fits; one larger than the capacity fits where nothing else is.
    package func hasRoom(for weight: Int, capacity: Int) -> Bool {
        isEmpty || self.weight + weight <= capacity
    }

    package mutating func append(_ element: Element, weight: Int) {
        elements.append((element, weight))
        self.weight += weight
    }

    package mutating func popFirst() -> Element? {
        guard head < elements.count, let (element, weight) = elements[head] else { return nil }
        elements[head] = nil
        head += 1
        self.weight -= weight
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}
