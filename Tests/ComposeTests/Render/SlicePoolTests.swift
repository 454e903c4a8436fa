import Synchronization
import Testing

@testable import Compose

@Suite("Sharing out the slices of a frame")
struct SlicePoolTests {
    @Test("every part is done once, and nobody holds the caller's closure when it continues")
    func manyShortJobs() {
        let pool = SlicePool(threads: 4)
        var wrong = 0
        for count in 0..<20_000 {
            let parts = 1 + count % 9
            let done = Atomic<Int>(0)
            // a closure that is still held when it may not be ends the process
            pool.run(parts) { part, _ in done.add(1 << (4 * part), ordering: .relaxed) }
            let expected = (0..<parts).reduce(0) { $0 | 1 << (4 * $1) }
            if done.load(ordering: .relaxed) != expected { wrong += 1 }
        }
        #expect(wrong == 0)
    }
}
