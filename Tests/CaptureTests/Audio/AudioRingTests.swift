import Media
import Testing

@testable import Capture

@Suite struct AudioRingTests {
    @Test("a block comes out with its stamp, its losses and its frames")
    func oneBlock() {
        let ring = AudioRing(bytesPerFrame: 2, capacity: 8)
        ring.lose(overrun: 3, late: 1)
        write([1, 2, 3], to: ring, stamp: 500)
        var seen: [AudioBlock] = []
        var frames: [UInt16] = []
        let isThere = ring.read { block, bytes in
            seen.append(block)
            frames = values(bytes)
        }
        #expect(isThere && frames == [1, 2, 3])
        let expected = AudioBlock(
            start: 0, frames: 3, stamp: 500, overrun: 3, late: 1, isAnnouncement: false)
        #expect(seen == [expected])
        #expect(!ring.read { _, _ in })
    }

    @Test("frames that run over the array's end come as two blocks with stamps that follow")
    func wrap() {
        let ring = AudioRing(bytesPerFrame: 2, capacity: 8)
        write([1, 2, 3, 4, 5, 6], to: ring, stamp: 0)
        #expect(ring.read { _, _ in })
        write([7, 8, 9, 10], to: ring, stamp: 6_000_000)
        var stamps: [Int64] = []
        var all: [UInt16] = []
        while ring.read({ block, bytes in
            stamps.append(block.stamp)
            all += values(bytes)
        }) {}
        #expect(all == [7, 8, 9, 10])
        #expect(stamps == [6_000_000, 8_000_000])  // 1,000 frames a second
    }

    @Test("what finds no room is counted, and reported with the next block that does")
    func full() {
        let ring = AudioRing(bytesPerFrame: 2, capacity: 4)
        write([1, 2, 3, 4, 5, 6], to: ring, stamp: 0)
        #expect(ring.writable.isEmpty)
        write([7], to: ring, stamp: 6_000_000)
        var blocks: [AudioBlock] = []
        _ = ring.read { block, _ in blocks.append(block) }
        write([8], to: ring, stamp: 7_000_000)
        _ = ring.read { block, _ in blocks.append(block) }
        #expect(blocks.map(\.frames) == [4, 1])
        #expect(blocks.map(\.late) == [0, 3])
    }

    @Test("the news of the stream's end finds room when every other block is taken")
    func newsAlwaysFits() {
        let ring = AudioRing(bytesPerFrame: 2, capacity: 64, blockCapacity: 4)
        for value in 0..<8 { write([UInt16(value)], to: ring, stamp: Int64(value)) }
        ring.commitAnnouncement(stamp: 99)
        var blocks: [AudioBlock] = []
        while ring.read({ block, _ in blocks.append(block) }) {}
        #expect(blocks.map(\.frames) == [1, 1, 1, 0])
        #expect(blocks.last?.isAnnouncement == true)
        #expect(blocks.last?.late == 5)
    }

    @Test("two threads: every frame arrives once, in order, or is counted as lost")
    func twoThreads() {
        let total = 400_000
        let ring = AudioRing(bytesPerFrame: 4, capacity: 1000, blockCapacity: 64)
        let isDone = BlockingLock(false)
        let writer = NamedThread(name: "test-writer") {
            var next: UInt32 = 0
            var length = 1
            while next < total {
                let count = min(length, total - Int(next))
                let run = (0..<UInt32(count)).map { next + $0 }
                run.withUnsafeBytes { ring.write($0, stamp: Int64(next), rate: 1_000_000_000) }
                next += UInt32(count)
                length = length % 197 + 1
            }
            ring.commitAnnouncement(stamp: 0)
            isDone.withLock { $0 = true }
        }
        var expected: UInt32 = 0
        var wrong = 0
        var isLast = false
        while !isLast {
            let isOver = isDone.withLock { $0 }
            while ring.read({ block, bytes in
                expected += UInt32(block.late)
                if block.frames > 0, block.stamp != Int64(expected) { wrong += 1 }
                for value in bytes.bindMemory(to: UInt32.self) {
                    if value != expected { wrong += 1 }
                    expected += 1
                }
            }) {}
            isLast = isOver
        }
        writer.join()
        #expect(wrong == 0)
        #expect(expected == total)
    }

    /// At 1,000 frames a second.
    private func write(_ frames: [UInt16], to ring: AudioRing, stamp: Int64) {
        frames.withUnsafeBytes { ring.write($0, stamp: stamp, rate: 1000) }
    }

    private func values(_ bytes: UnsafeRawBufferPointer) -> [UInt16] {
        Array(bytes.bindMemory(to: UInt16.self))
    }
}
