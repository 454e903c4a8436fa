import Media
import Testing

@Suite("Memory of frames")
struct PixelHeapTests {
    private static let picture = 640 * 360 * 3 / 2

    @Test("memory that one pool gave back is the next one's, whatever pads the frame")
    func isReused() {
        let heap = PixelHeap(idleLimit: 8 << 20)
        let first = heap.take(Self.picture)
        #expect(heap.load.lent >= Self.picture)
        heap.giveBack(first)
        #expect(heap.load.lent == 0)
        let second = heap.take(Self.picture + 4096)
        #expect(second.base == first.base)
        #expect(second.byteCount >= Self.picture + 4096)
        heap.giveBack(second)
    }

    @Test("what is kept for the next frame is bounded")
    func idle() {
        let heap = PixelHeap(idleLimit: 4 << 20)
        let blocks = (0..<40).map { _ in heap.take(Self.picture) }
        #expect(heap.load.lent >= 40 * Self.picture)
        #expect(heap.lentBlocks(holding: Self.picture) == 40)
        #expect(heap.lentBlocks(holding: 2 * Self.picture) == 0)
        for block in blocks { heap.giveBack(block) }
        #expect(heap.load.lent == 0)
        #expect(heap.load.idle <= 4 << 20)
        #expect(heap.load.idle > 0)
    }

    @Test("of frames above the bound a few are kept all the same")
    func large() {
        let heap = PixelHeap(idleLimit: 1 << 20)
        let blocks = (0..<6).map { _ in heap.take(3 << 20) }
        for block in blocks { heap.giveBack(block) }
        #expect(heap.load.idle == 2 * 3 << 20)
    }

    @Test("small frames are the allocator's")
    func small() {
        let heap = PixelHeap(idleLimit: 4 << 20)
        let block = heap.take(64 * 36)
        block.base.storeBytes(of: 7, toByteOffset: 64 * 36 - 1, as: UInt8.self)
        #expect(UInt(bitPattern: block.base) % 64 == 0)
        heap.giveBack(block)
        #expect(heap.load.lent == 0 && heap.load.idle == 0)
    }
}
