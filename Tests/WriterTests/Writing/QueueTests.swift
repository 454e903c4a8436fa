import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("Queues between sources, encoders and disk")
struct QueueTests {
    private func picture(_ milliseconds: Int64, bytes: Int = 100) -> SampleBuffer {
        var sample = Coded.sample(Coded.video, at: milliseconds, bytes: bytes)
        sample.presentationTime = sample.presentationTime.scaled(to: 90_000, rounding: .nearest)
        return sample
    }

    private func disk(
        _ video: [Bool], unknown: Int = 0, capacity: Int = 1000, waits: Bool = false
    ) -> DiskQueue {
        DiskQueue(
            video: video, unknown: unknown, capacity: capacity, flushInterval: .milliseconds(20),
            waitsForAudio: waits)
    }

    /// What the writing thread gets, in words.
    private func orders(_ queue: DiskQueue, until last: String) -> [String] {
        var words: [String] = []
        repeat {
            switch queue.next() {
            case .sample(let track, let sample, _):
                words.append("\(track):\(sample.presentationTime.nanoseconds() / 1_000_000)")
            case .annotation(let note): words.append("note \(note.time.nanoseconds() / 1_000_000)")
            case .flush: words.append("flush")
            case .finish: words.append("finish")
            case .cancel: words.append("cancel")
            }
        } while words.last != last
        return words
    }

    @Test("the disk gets samples by time, then one flush, then the end")
    func diskOrder() {
        let queue = disk([true, false])
        for time: Int64 in [0, 33, 66] {
            #expect(queue.push(picture(time), track: 0, isVideo: true))
        }
        for number: Int64 in 0..<3 {
            #expect(queue.push(Coded.packet(number), track: 1, isVideo: false))
        }
        // the newest frame waits for the next one, and audio behind it waits too
        #expect(orders(queue, until: "flush") == ["0:0", "1:0", "1:21", "0:33", "1:42", "flush"])
        queue.end(track: 0, at: .milliseconds(100))
        queue.end(track: 1, at: nil)
        #expect(orders(queue, until: "finish") == ["0:66", "finish"])
        #expect(queue.bytes == 0)
    }

    @Test("the last frame of a track lasts to the movie's end, and a tick when that is before it")
    func diskEnd() throws {
        for (end, duration) in [(100, 3060), (50, 1)] as [(Int64, Int64)] {
            let queue = disk([true])
            var last = picture(66)
            last.duration = MediaTime(value: 9, timescale: 90_000)
            #expect(queue.push(last, track: 0, isVideo: true))
            queue.end(track: 0, at: .milliseconds(end))
            guard case .sample(_, let sample, _) = queue.next() else {
                Issue.record("no sample")
                return
            }
            #expect(sample.duration == MediaTime(value: duration, timescale: 90_000))
        }
    }

    @Test("annotations go before the samples that wait, and nothing before the formats are known")
    func diskAnnotations() {
        let queue = disk([true], unknown: 1)
        queue.annotate(.marker("a", at: .milliseconds(5)))
        for time: Int64 in [0, 33] { #expect(queue.push(picture(time), track: 0, isVideo: true)) }
        NamedThread(name: "test-format") { queue.formatKnown() }.detach()
        #expect(orders(queue, until: "flush") == ["note 5", "0:0", "flush"])
    }

    @Test("full of video, audio still has room; full of audio, a live source is refused")
    func diskCapacity() {
        let queue = disk([true, false], capacity: 100)
        #expect(!queue.isFull)
        #expect(queue.push(picture(0, bytes: 150), track: 0, isVideo: true))
        #expect(queue.isFull)
        var packet = Coded.packet(0)
        packet.payload = .coded(BlockBuffer([UInt8](repeating: 0, count: 120)))
        #expect(queue.push(packet, track: 1, isVideo: false))
        #expect(!queue.push(packet, track: 1, isVideo: false))
        #expect(queue.bytes == 270)
    }

    @Test("offline, audio waits for room as frames do")
    func diskWaits() {
        let queue = disk([false], capacity: 100, waits: true)
        var packet = Coded.packet(0)
        packet.payload = .coded(BlockBuffer([UInt8](repeating: 0, count: 120)))
        #expect(queue.push(packet, track: 0, isVideo: false))
        let waited = BlockingLock(false)
        let second = Coded.packet(1)
        let thread = NamedThread(name: "test-sound") {
            _ = queue.push(second, track: 0, isVideo: false)
            waited.withLock { $0 = true }
        }
        #expect(!waited.withLock { $0 })
        guard case .sample = queue.next() else {
            Issue.record("no sample")
            return
        }
        thread.join()
        #expect(waited.withLock { $0 })
    }

    @Test("cancelled, the writing thread stops at once and nobody waits for room any more")
    func diskCancel() {
        let queue = disk([true], capacity: 100)
        for time: Int64 in [0, 33] {
            // the second would wait for ever
            if time == 33 { queue.cancel() }
            #expect(queue.push(picture(time, bytes: 150), track: 0, isVideo: true))
        }
        #expect(orders(queue, until: "cancel") == ["cancel"])
    }

    // MARK: the queue before an encoder

    @Test("a sample larger than the queue is taken when it is empty, and only then")
    func oversize() {
        let queue = SampleQueue(capacity: 100)
        #expect(queue.hasRoom(for: 5000))
        queue.push(picture(0), bytes: 5000)
        #expect(!queue.hasRoom(for: 1))
        #expect(queue.load == (1, 5000))
        #expect(queue.pop() != nil)
        #expect(queue.load == (0, 0))
        queue.push(picture(1), bytes: 60)
        #expect(queue.hasRoom(for: 40) && !queue.hasRoom(for: 41))
    }

    @Test("finished, what is inside still comes out; discarded, nothing does, and no push counts")
    func finishing() {
        for discards in [false, true] {
            let queue = SampleQueue(capacity: 1000)
            for time: Int64 in 0..<5 { queue.push(picture(time), bytes: 10) }
            queue.finish(discarding: discards)
            queue.push(picture(9), bytes: 10)
            var out = 0
            while queue.pop() != nil { out += 1 }
            #expect(out == (discards ? 0 : 5))
            #expect(queue.hasRoom(for: 1 << 40), "a waiter continues")
        }
    }

    @Test("thousands of samples keep their order between two threads")
    func order() {
        let queue = SampleQueue(capacity: 500)
        let thread = NamedThread(name: "test-source") {
            for time: Int64 in 0..<3000 {
                queue.waitForRoomBlocking(10)
                queue.push(Coded.sample(Coded.video, at: time), bytes: 10)
            }
            queue.finish()
        }
        var expected: Int64 = 0
        while case .sample(let sample)? = queue.pop() {
            #expect(sample.presentationTime == .milliseconds(expected))
            expected += 1
        }
        thread.join()
        #expect(expected == 3000)
    }
}
