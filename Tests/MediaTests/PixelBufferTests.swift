import Media
import Testing

@Suite("Pixel buffers and pools")
struct PixelBufferTests {
    @Test(
        "every format has the planes and bytes of its definition, odd sizes rounded up",
        arguments: [
            (PixelFormat.yuv420p, [(161, 121), (81, 61), (81, 61)]),
            (.nv12, [(161, 121), (162, 61)]), (.yuyv422, [(324, 121)]),
            (.yuv422p10le, [(322, 121), (162, 121), (162, 121)]), (.rgb24, [(483, 121)]),
            (.yuva420p, [(161, 121), (81, 61), (81, 61), (161, 121)]),
            (.p010le, [(322, 121), (324, 61)]),
        ])
    func layouts(format: PixelFormat, expected: [(Int, Int)]) {
        let planes = format.layout.planes
        #expect(planes.map { $0.bytesPerRow(width: 161) } == expected.map(\.0))
        #expect(planes.map { $0.rows(height: 121) } == expected.map(\.1))
    }

    @Test("rows of a fresh frame start on 64-byte boundaries", arguments: PixelFormat.allCases)
    func alignment(format: PixelFormat) {
        let buffer = PixelBuffer(width: 161, height: 7, format: format)
        buffer.withPlanes { planes in
            for plane in planes {
                #expect(UInt(bitPattern: plane.base) % 64 == 0)
                #expect(plane.bytesPerRow % 64 == 0)
            }
        }
    }

    @Test("a frame is writable while uniquely held and not once it is shared")
    func uniqueness() {
        var buffer = PixelBuffer(width: 4, height: 4, format: .gray)
        let isUniqueAlone = buffer.isUniquelyHeld()
        let holder = Holder(buffer)
        let isUniqueShared = buffer.isUniquelyHeld()
        #expect(isUniqueAlone && !isUniqueShared)
        holder.buffer = nil
        #expect(holder.buffer?.width == nil)
        let isUniqueAgain = buffer.isUniquelyHeld()
        #expect(isUniqueAgain)
    }

    @Test("writing to a shared frame traps at once")
    func sharedWriteTraps() async {
        await #expect(processExitsWith: .failure) {
            var buffer = PixelBuffer(width: 4, height: 4, format: .gray)
            let copy = buffer
            buffer.withMutablePlanes { _ in }
            withExtendedLifetime(copy) {}
        }
    }

    @Test("a pool never makes more frames than its limit and says so")
    func poolIsBounded() throws {
        let pool = PixelBufferPool(width: 16, height: 16, format: .yuv420p, limit: 2)
        let first = try pool.makeBuffer()
        var second: PixelBuffer? = try pool.makeBuffer()
        #expect(throws: PixelBufferPool.Exhausted.self) { try pool.makeBuffer() }
        #expect(pool.outCount == 2)
        #expect(second != nil)
        second = nil
        #expect(pool.outCount == 1)
        _ = try pool.makeBuffer()
        #expect(pool.highWater == 2)
        withExtendedLifetime(first) {}
    }

    @Test("a pool whose frames are all out hands out the next one when one comes back")
    func poolWaits() async throws {
        let pool = PixelBufferPool(width: 16, height: 16, format: .gray, limit: 1)
        let holder = Holder(await pool.nextBuffer())
        let next = Task { await pool.nextBuffer().width }
        try await Task.sleep(for: .milliseconds(20))
        #expect(pool.outCount == 1)
        holder.buffer = nil
        #expect(await next.value == 16)
        #expect(pool.highWater == 1)
    }

    @Test("every task that waits for a frame of a pool gets one, and none too many are out")
    func poolServesAll() async {
        let pool = PixelBufferPool(width: 16, height: 16, format: .gray, limit: 3)
        let served = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    let frame = await pool.nextBuffer()
                    await Task.yield()
                    return frame.height
                }
            }
            return await group.reduce(0, +)
        }
        #expect(served == 300 * 16)
        #expect(pool.highWater <= 3)
    }

    @Test("a returned frame's memory is handed out again")
    func poolReuses() throws {
        let pool = PixelBufferPool(width: 64, height: 64, format: .gray, limit: 1)
        func address() throws -> UInt {
            try pool.makeBuffer().withPlane(0) { UInt(bitPattern: $0.base) }
        }
        let first = try address()
        #expect(try address() == first)
    }

    @Test("a frame outlives its pool")
    func frameOutlivesPool() throws {
        var pool: PixelBufferPool? = PixelBufferPool(width: 8, height: 8, format: .gray, limit: 1)
        var frame = try #require(pool).makeBuffer()
        pool = nil
        frame.withMutablePlanes { $0[0].row(7)[7] = 42 }
        #expect(frame.withPlane(0) { $0.row(7)[7] } == 42)
    }

    @Test("driver memory is given back exactly once, after the last copy")
    func releaseOnce() {
        let count = ReleaseCounter()
        do {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
            let plane = PixelPlane(base: UnsafeRawPointer(memory), bytesPerRow: 8, rows: 8)
            nonisolated(unsafe) let owned = memory
            let storage = PixelStorage(planes: [plane], holdLimit: .milliseconds(100)) {
                count.add()
                owned.deallocate()
            }
            let buffer = PixelBuffer(width: 8, height: 8, format: .gray, storage: storage)
            let copies = [buffer, buffer]
            #expect(copies[0].holdLimit == .milliseconds(100))
            #expect(count.value == 0)
        }
        #expect(count.value == 1)
    }
}

/// Holds a frame where the optimiser cannot see that nobody looks at it.
private final class Holder {
    var buffer: PixelBuffer?
    @inline(never)
    init(_ buffer: PixelBuffer) { self.buffer = buffer }
}

private final class ReleaseCounter: Sendable {
    private let count = Lock(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
