import Foundation
import Media
import Testing

@testable import vcap

struct ConsoleOutletTests {
    private struct Ends {
        var read: Int32 = -1
        var write: Int32 = -1

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (read, write) = (ends[0], ends[1])
        }

        /// Everything that comes until nothing has for a second.
        func drain() -> String {
            var all: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 65_536)
            var entry = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, 1000) > 0 {
                let count = Foundation.read(read, &bytes, bytes.count)
                if count <= 0 { break }
                all += bytes.prefix(count)
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    @Test("what is said comes in order, and flushing waits for it")
    func order() throws {
        let ends = try Ends()
        let outlet = ConsoleOutlet(ends.write, name: "test-outlet")
        for number in 0..<100 { outlet.post("\(number)\n") }
        outlet.flush()
        #expect(ends.drain() == (0..<100).map { "\($0)\n" }.joined())
    }

    @Test("flushing ends when the last letter is written, however the two threads meet")
    func promptFlush() throws {
        let target = open("/dev/null", O_WRONLY | O_CLOEXEC)
        try #require(target >= 0)
        let outlet = ConsoleOutlet(target, name: "test-outlet")
        let clock = HostClock()
        let start = clock.now()
        for number in 0..<20_000 where clock.now() - start < .seconds(20) {
            outlet.post("\(number)\n")
            // one that is missed waits for all of this
            outlet.flush(timeout: 20_000_000_000)
        }
        #expect(clock.now() - start < .seconds(20))
    }

    @Test("a document of any size is whole, whenever its reader comes")
    func document() throws {
        let ends = try Ends()
        let outlet = ConsoleOutlet(ends.write, name: "test-outlet")
        let text = String(repeating: "0123456789", count: 50_000)
        outlet.post("before\n")
        outlet.post(text)
        outlet.post("\nbehind")
        let reader = BlockingLock<String?>(nil)
        NamedThread(name: "test-reader") {
            // longer than flushing waits for what does not move
            usleep(700_000)
            let all = ends.drain()
            reader.withLock { $0 = all }
        }.detach()
        outlet.flush(timeout: 200_000_000)
        #expect(reader.wait { $0 } == "before\n" + text + "\nbehind")
    }

    @Test("a reader that does not read holds nobody, and misses a counted number of messages")
    func stoppedReader() throws {
        let ends = try Ends()
        let outlet = ConsoleOutlet(ends.write, name: "test-outlet")
        let clock = HostClock()
        let start = clock.now()
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<500 { outlet.post(line) }
        for number in 0..<500 { outlet.show("<\(number)>") }
        #expect(clock.now() - start < .seconds(2))
        outlet.flush(timeout: 100_000_000)
        #expect(clock.now() - start < .seconds(4))
        let text = ends.drain()
        let shown = text.split(separator: "\n").count { $0.first == "x" }
        // the outlet holds 64 KiB, and so does a pipe once its thread has begun
        #expect((60..<200).contains(shown))
        #expect(text.contains("vcap: \(500 - shown) messages were not shown"))
        // of the status lines the newest
        #expect(text.hasSuffix("<499>"))
        #expect(!text.contains("<250>"))
    }
}
