internal import Synchronization

/// Interleaved audio between the driver's thread and the delivery thread: single producer, single
/// consumer, lock-free.
///
/// Frames lie in one array; beside them runs a ring of `AudioBlock`s that say when each run of
/// frames was captured and what was lost before it. A block is published by one release store of
/// the block count, after its frames and its record are in place; room is given back by one release
/// store of the frames read. Nothing here locks, allocates or calls the system.
final class AudioRing: @unchecked Sendable {  // because each side touches only its own half
    // immutable
    let bytesPerFrame: Int
    /// Frames held at most (a power of two).
    let capacity: Int
    private let blockCapacity: Int
    private let frames: UnsafeMutableRawPointer
    private let blocks: UnsafeMutablePointer<AudioBlock>

    // shared, in the order of the comment above
    private let blocksWritten = Atomic<Int>(0)
    private let blocksRead = Atomic<Int>(0)
    private let framesRead = Atomic<Int>(0)

    // owned by the producer's thread
    private var writePosition = 0
    private var overrun = 0
    private var late = 0

    /// - Parameter capacity: frames to hold (rounded up to a power of two).
    init(bytesPerFrame: Int, capacity wanted: Int, blockCapacity: Int = 1024) {
        precondition(bytesPerFrame > 0 && wanted > 0 && blockCapacity > 1)
        self.bytesPerFrame = bytesPerFrame
        var capacity = 1
        while capacity < wanted { capacity *= 2 }
        self.capacity = capacity
        self.blockCapacity = blockCapacity
        frames = .allocate(byteCount: capacity * bytesPerFrame, alignment: 64)
        blocks = .allocate(capacity: blockCapacity)
        // touches every page now, so that the driver's thread never waits for the kernel's
        frames.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * bytesPerFrame)
        blocks.initialize(
            repeating: AudioBlock(
                start: 0, frames: 0, stamp: 0, overrun: 0, late: 0, isAnnouncement: false),
            count: blockCapacity)
    }

    deinit {
        frames.deallocate()
        blocks.deallocate()
    }
}

// MARK: - Producer's thread

extension AudioRing {
    /// The contiguous room after the last frame; empty when the ring is full. It ends at the
    /// array's end, so after a commit there may be more.
    var writable: UnsafeMutableRawBufferPointer {
        // one block stays free, so that news always fits behind the last frames
        guard freeBlocks > 1 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        let free = capacity - (writePosition - framesRead.load(ordering: .acquiring))
        let offset = writePosition & (capacity - 1)
        let count = min(free, capacity - offset)
        return UnsafeMutableRawBufferPointer(
            start: frames + offset * bytesPerFrame, count: count * bytesPerFrame)
    }

    /// Publishes frames written at the start of `writable`.
    func commit(frames count: Int, stamp: Int64) {
        publish(frames: count, stamp: stamp, isAnnouncement: false)
    }

    /// Publishes the place at which the stream ends, in the block kept free for it. Once.
    func commitAnnouncement(stamp: Int64) {
        publish(frames: 0, stamp: stamp, isAnnouncement: true)
    }

    /// Copies frames in; those that find no room are lost and reported with the next block.
    /// - Parameter rate: frames per second, for the stamp of the part after the array's end.
    func write(_ bytes: UnsafeRawBufferPointer, stamp: Int64, rate: Int) {
        var done = 0
        let total = bytes.count / bytesPerFrame
        while done < total {
            let room = writable
            let count = min(total - done, room.count / bytesPerFrame)
            guard count > 0 else { return lose(late: total - done) }
            let from = done * bytesPerFrame
            room.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + count * bytesPerFrame]))
            commit(frames: count, stamp: stamp + AudioTiming.nanoseconds(of: done, rate: rate))
            done += count
        }
    }

    /// Notes frames lost before the next block.
    func lose(overrun: Int = 0, late: Int = 0) {
        self.overrun += overrun
        self.late += late
    }

    private var freeBlocks: Int {
        blockCapacity - blocksWritten.load(ordering: .relaxed)
            + blocksRead.load(ordering: .acquiring)
    }

    private func publish(frames count: Int, stamp: Int64, isAnnouncement: Bool) {
        let index = blocksWritten.load(ordering: .relaxed)
        blocks[index % blockCapacity] = AudioBlock(
            start: writePosition, frames: count, stamp: stamp, overrun: overrun, late: late,
            isAnnouncement: isAnnouncement)
        writePosition += count
        overrun = 0
        late = 0
        blocksWritten.store(index + 1, ordering: .releasing)
    }
}

// MARK: - Consumer's thread

extension AudioRing {
    /// Lends the oldest block and its frames, then gives their room back; `false` when there is none.
    func read(_ body: (AudioBlock, UnsafeRawBufferPointer) -> Void) -> Bool {
        let index = blocksRead.load(ordering: .relaxed)
        guard index < blocksWritten.load(ordering: .acquiring) else { return false }
        let block = blocks[index % blockCapacity]
        let offset = block.start & (capacity - 1)
        body(
            block,
            UnsafeRawBufferPointer(
                start: frames + offset * bytesPerFrame, count: block.frames * bytesPerFrame))
        framesRead.store(block.start + block.frames, ordering: .releasing)
        blocksRead.store(index + 1, ordering: .releasing)
        return true
    }
}
