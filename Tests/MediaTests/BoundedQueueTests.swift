import Media
import Testing

@Suite("A queue between two threads")
struct BoundedQueueTests {
    /// Stands for a frame: it can be used again when nobody holds it.
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

    @Test("a task that waits for room continues when there is some, and when the queue ends")
    func tasks() async {
        let queue = BoundedQueue<Int>(capacity: 100)
        queue.pushAnyway(1, weight: 120)
        #expect(!queue.hasRoom(for: 1))
        #expect(queue.push(2, weight: 1) == .full)
        async let first: Void = queue.waitForRoom(50)
        #expect(queue.pop() == 1)
        await first
        queue.pushAnyway(2, weight: 90)
        async let second: Void = queue.waitForRoom(50)
        #expect(queue.popImmediately() == 2)
        await second
        queue.pushAnyway(3, weight: 90)
        async let last: Void = queue.waitForRoom(50)
        queue.finish(discarding: true)
        await last
        #expect(queue.pop() == nil)
        #expect(queue.push(4) == .finished)
        #expect(queue.load == (0, 0))
    }

    @Test("what is discarded at the end is held by nobody")
    func discarded() {
        let queue = BoundedQueue<Held>(capacity: 10)
        var held: Held? = Held()
        weak let seen = held
        if let held { _ = queue.push(held) }
        held = nil
        #expect(seen != nil)
        queue.finish(discarding: true)
        #expect(seen == nil && held == nil)
    }
}
