import Foundation
import Media
import Testing

private let sanitizer = ProcessInfo.processInfo.environment["VCAP_SANITIZER"]

/// Wrong on purpose: scripts/sanitize fails when its sanitizer does not report these.
@Suite(
    "what a sanitizer has to report", .serialized,
    .enabled(if: sanitizer != nil, "only scripts/sanitize runs these, with a sanitizer"))
struct SanitizerControlTests {
    @Test(
        "two threads that count without a lock are reported",
        .enabled(if: sanitizer == "thread", "the thread sanitizer reports this"))
    func counter() {
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        defer { counter.deallocate() }
        let address = Int(bitPattern: counter)
        let threads = (0..<2).map { _ in
            NamedThread(name: "test-counter") {
                let counter = UnsafeMutablePointer<Int>(bitPattern: address)
                for _ in 0..<1_000 { counter?.pointee += 1 }
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.pointee > 0)
    }

    private final class Pair {
        var other: Pair?
        let bytes = [UInt8](repeating: 7, count: 1_000)
    }

    @Test(
        "two objects that keep each other are reported",
        .enabled(if: sanitizer == "leak", "the address sanitizer reports this at the end"))
    func pair() {
        // many: the last one may still be in a register or on a stack
        for _ in 0..<100 {
            let (one, other) = (Pair(), Pair())
            (one.other, other.other) = (other, one)
        }
    }

    @Test(
        "a byte behind the end of a buffer is reported",
        .enabled(if: sanitizer == "address", "the address sanitizer reports this"))
    func index() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        bytes.initialize(repeating: 7, count: 16)
        defer { bytes.deallocate() }
        #expect((bytes + 16).pointee <= 255)
    }
}
