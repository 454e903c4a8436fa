import Media
import Testing

@Suite("A queue between two threads")
struct BoundedQueueTests {
    /// Stands for a picture: it can be used again when nobody holds it.
    private final class Held: Sendable {}

    @Test("what was taken is held by nobody else, however much still waits")
    func released() {
        let queue = BoundedQueue<Held>(capacity: 100)
        for _ in 0..<10 { _ = queue.push(Held()) }
        var taken = queue.popImmediately()
        weak let first = taken
        #expect(first != nil)
        taken = nil
        #expect(first == nil && taken == nil)
        #expect(queue.count == 9)
    }

    @Test("elements come out in order over many rounds, and the bound holds")
    func order() {
        let queue = BoundedQueue<Int>(capacity: 50)
        var (next, expected) = (0, 0)
        for round in 0..<200 {
            while case .taken = queue.push(next) { next += 1 }
            #expect(queue.count == 50)
            for _ in 0..<(1 + round % 50) {
                #expect(queue.popImmediately() == expected)
                expected += 1
            }
        }
    }
}
