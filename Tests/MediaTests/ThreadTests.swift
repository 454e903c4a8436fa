import Glibc
import Media
import TestSupport
import Testing

@Suite("Threads, queues and clocks")
struct ThreadTests {
    @Test("a queue hands everything over in order between two threads")
    func queueOrder() {
        let queue = BoundedQueue<Int>(capacity: 7)
        let producer = NamedThread(name: "producer") {
            for value in 0..<20_000 { _ = queue.pushWaiting(value) }
            queue.finish()
        }
        var received: [Int] = []
        while let value = queue.pop() { received.append(value) }
        producer.join()
        #expect(received == Array(0..<20_000))
    }

    @Test("a full queue refuses instead of blocking, and never holds more than its weight")
    func queueRefuses() {
        let queue = BoundedQueue<String>(capacity: 10)
        #expect(queue.push("a", weight: 6) == .taken)
        #expect(queue.push("b", weight: 5) == .full)
        #expect(queue.push("c", weight: 4) == .taken)
        #expect(queue.popImmediately() == "a")
        #expect(queue.push("b", weight: 5) == .taken)
        #expect(queue.count == 2)
    }

    @Test("an element heavier than the whole queue still passes when the queue is empty")
    func oversizeElement() {
        let queue = BoundedQueue<Int>(capacity: 3)
        #expect(queue.push(1, weight: 50) == .taken)
        #expect(queue.push(2, weight: 1) == .full)
        #expect(queue.pop() == 1)
        #expect(queue.push(2, weight: 1) == .taken)
    }

    @Test("a finished queue gives what is inside, then the end")
    func queueEnds() {
        let queue = BoundedQueue<Int>(capacity: 3)
        _ = queue.push(1)
        queue.finish()
        #expect(queue.push(2) == .finished)
        #expect(queue.pop() == 1)
        #expect(queue.pop() == nil)
    }

    @Test("what two threads count behind a lock is counted whole")
    func lockedCount() {
        let lock = Lock(0)
        let threads = (0..<2).map { _ in
            NamedThread(name: "counter") {
                for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(lock.withLock { $0 } == 20_000)
    }

    @Test("one that only reads wakes nobody")
    func quietReading() {
        let lock = BlockingLock((looks: 0, isOver: false))
        let waiter = NamedThread(name: "waiter") {
            lock.wait { value -> Void? in
                value.looks += 1
                return value.isOver ? () : nil
            }
        }
        while lock.read({ $0.looks }) == 0 { usleep(1000) }
        // enough for a waiter that is woken to look again each time
        for _ in 0..<20 {
            #expect(!lock.read { $0.isOver })
            usleep(1000)
        }
        lock.withLock { $0.isOver = true }
        waiter.join()
        let looks = lock.read { $0.looks }
        // one more where the system wakes it for nothing
        #expect(looks >= 2 && looks <= 3)
    }

    @Test("a wake signal stays raised until it is lowered, however often it was raised")
    func wakeSignal() {
        let signal = WakeSignal()
        #expect(!signal.isRaised)
        signal.raise()
        signal.raise()
        #expect(signal.isRaised)
        #expect(signal.isRaised)
        signal.lower()
        #expect(!signal.isRaised)
    }

    @Test("a wait without end is ended by the signal")
    func endlessWait() {
        let signal = WakeSignal()
        let raiser = NamedThread(name: "raiser") { signal.raise() }
        #expect(signal.wait(nanoseconds: .max))
        raiser.join()
    }

    @Test("waiting on the host clock ends at its deadline and not before")
    func hostClockDeadline() {
        let clock = HostClock()
        let deadline = clock.now() + .nanoseconds(3_500_000)
        #expect(clock.wait(until: deadline, orSignal: WakeSignal()) == .reachedDeadline)
        #expect(clock.now() >= deadline)
    }

    @Test("a signal ends a wait for a far deadline")
    func hostClockSignal() {
        let signal = WakeSignal()
        let raiser = NamedThread(name: "raiser") { signal.raise() }
        let far = HostClock().now() + .seconds(600)
        #expect(HostClock().wait(until: far, orSignal: signal) == .signalled)
        raiser.join()
    }

    @Test("a manual clock moves only when it is advanced, and wakes those who wait for it")
    func manualClock() {
        let clock = ManualClock()
        let woken = SharedFlag()
        let waiter = NamedThread(name: "waiter") {
            _ = clock.wait(until: .seconds(3600), orSignal: WakeSignal())
            woken.raise()
        }
        #expect(clock.now() == .zero)
        clock.advance(by: .seconds(1800))
        #expect(!woken.isRaised)
        clock.advance(by: .seconds(1800))
        waiter.join()
        #expect(woken.isRaised)
    }

    @Test("a bounded wait on a lock gives up in time")
    func boundedWait() {
        let lock = BlockingLock(0)
        let never: Int? = lock.wait(nanoseconds: 2_000_000) { $0 > 0 ? $0 : nil }
        #expect(never == nil)
        lock.withLock { $0 = 5 }
        #expect(lock.wait(nanoseconds: 2_000_000) { $0 > 0 ? $0 : nil } == 5)
    }

    @Test("bytes shared by slices live until the last slice is gone")
    func blockSlices() {
        nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 8, alignment: 8)
        memory.copyBytes(from: 0..<8)
        let flag = SharedFlag()
        var slice: BlockBuffer?
        do {
            let whole = BlockBuffer(sharing: UnsafeRawBufferPointer(memory)) {
                flag.raise()
                memory.deallocate()
            }
            slice = whole.slice(2..<5)
        }
        #expect(slice?.bytes == [2, 3, 4])
        #expect(!flag.isRaised)
        slice = nil
        #expect(flag.isRaised)
    }
}

private final class SharedFlag: Sendable {
    private let flag = Lock(false)
    var isRaised: Bool { flag.withLock { $0 } }
    func raise() { flag.withLock { $0 = true } }
}
