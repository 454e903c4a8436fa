internal import Glibc

/// Memory for frames, lent in blocks that go round between pools, decoders and films. Thread-safe.
///
/// The allocator would keep what one decoder or pool has given back where the next one cannot use it,
/// and small things in between would keep it from the system: an export grew with every clip (glibc 2.36).
package final class PixelHeap: Sendable {
    /// The process's.
    package static let shared = PixelHeap(idleLimit: 8 << 20)

    /// A block lent.
    // because it is owned by exactly one frame at a time
    package struct Block: @unchecked Sendable {
        /// Aligned to 64 bytes at least.
        package let base: UnsafeMutableRawPointer
        /// What may be used (bytes).
        package let byteCount: Int
        let isMapped: Bool
    }

    private struct State {
        /// Given back and not lent again; the longest idle first.
        var idle: [Block] = []
        var idleBytes = 0
        /// Blocks lent, by their size (counts by bytes).
        var lent: [Int: Int] = [:]
    }

    /// Smaller ones are the allocator's (bytes).
    private static let leastMapped = 256 << 10
    /// Blocks differ by this (bytes): frames of one size fit, whatever aligns and pads them.
    private static let step = 256 << 10

    /// Blocks that are kept whatever they weigh: of large frames a few come and go all the time.
    private static let leastIdle = 2

    /// Most memory that is kept for the next frame (bytes).
    package let idleLimit: Int
    private let state = Lock(State())

    package init(idleLimit: Int) { self.idleLimit = idleLimit }

    deinit {
        for block in state.withLock({ $0.idle }) { Self.free(block) }
    }

    /// Lent, and kept for the next frame (bytes; mapped blocks only).
    package var load: (lent: Int, idle: Int) {
        state.withLock { state in
            (state.lent.reduce(0) { $0 + $1.key * $1.value }, state.idleBytes)
        }
    }

    /// Blocks lent that are of the size which so many bytes need (count; mapped blocks only).
    package func lentBlocks(holding byteCount: Int) -> Int {
        state.withLock { $0.lent[Self.blockSize(byteCount)] ?? 0 }
    }

    private static func blockSize(_ byteCount: Int) -> Int {
        (byteCount + step - 1) / step * step
    }

    /// A block of at least so many bytes; what was in it may still be.
    package func take(_ byteCount: Int) -> Block {
        guard byteCount >= Self.leastMapped else {
            let base = UnsafeMutableRawPointer.allocate(byteCount: max(1, byteCount), alignment: 64)
            return Block(base: base, byteCount: byteCount, isMapped: false)
        }
        let size = Self.blockSize(byteCount)
        let known = state.withLock { state -> Block? in
            guard let place = state.idle.lastIndex(where: { $0.byteCount == size }) else {
                return nil
            }
            state.idleBytes -= size
            return state.idle.remove(at: place)
        }
        let block = known ?? Self.map(size)
        if block.isMapped { state.withLock { $0.lent[size, default: 0] += 1 } }
        return block
    }

    package func giveBack(_ block: Block) {
        guard block.isMapped else { return Self.free(block) }
        let freed = state.withLock { state -> [Block] in
            let others = (state.lent[block.byteCount] ?? 1) - 1
            state.lent[block.byteCount] = others > 0 ? others : nil
            state.idle.append(block)
            state.idleBytes += block.byteCount
            var freed: [Block] = []
            while state.idleBytes > idleLimit, state.idle.count > Self.leastIdle {
                let oldest = state.idle.removeFirst()
                state.idleBytes -= oldest.byteCount
                freed.append(oldest)
            }
            return freed
        }
        for block in freed { Self.free(block) }
    }

    /// Pages of the system's own.
    private static func map(_ size: Int) -> Block {
        guard
            let base = mmap(
                nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != MAP_FAILED
        else {
            // at the kernel's limit on mappings
            let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
            return Block(base: base, byteCount: size, isMapped: false)
        }
        return Block(base: base, byteCount: size, isMapped: true)
    }

    private static func free(_ block: Block) {
        if block.isMapped {
            munmap(block.base, block.byteCount)
        } else {
            block.base.deallocate()
        }
    }
}
