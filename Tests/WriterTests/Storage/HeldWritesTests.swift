import Testing

@testable import Movie

@Suite("Writes that no sync has covered")
struct HeldWritesTests {
    private func bytes(_ count: Int, _ value: UInt8) -> GatheredBytes {
        GatheredBytes([UInt8](repeating: value, count: count))
    }

    private func values(_ held: HeldWrites) -> [UInt8?] { held.writes.map { $0.bytes.head.first } }

    @Test("what is written while a sync runs stays held, because that sync may not cover it")
    func duringASync() {
        var held = HeldWrites()
        held.hold(bytes(10, 1), at: 0)
        held.hold(bytes(20, 2), at: 10)
        let begun = held.nextSequence
        held.hold(bytes(40, 3), at: 30)
        // the control: a sync that began only now covers all of them
        var later = held
        later.release(before: later.nextSequence)
        #expect(later.isEmpty && later.byteCount == 0)

        held.release(before: begun)
        #expect(values(held) == [3])
        #expect(held.byteCount == 40)
        // the same sync once more covers nothing else
        held.release(before: begun)
        #expect(values(held) == [3])
    }

    @Test("sequences go on behind what was released, so that a late sync releases nothing newer")
    func lateSync() {
        var held = HeldWrites()
        held.hold(bytes(1, 1), at: 0)
        let first = held.nextSequence
        held.releaseAll()
        #expect(held.isEmpty && held.byteCount == 0)
        held.hold(bytes(1, 2), at: 1)
        held.release(before: first)
        #expect(values(held) == [2])
        held.release(before: held.nextSequence)
        #expect(held.isEmpty)
    }

    @Test("only appends up to the file's end may be written elsewhere as one run")
    func tail() {
        var held = HeldWrites()
        #expect(!held.areTail(ofFileEndingAt: 0))
        held.hold(bytes(10, 1), at: 100)
        held.hold(bytes(5, 2), at: 110)
        #expect(held.areTail(ofFileEndingAt: 115))
        // what is behind them is durable and would be hidden with them
        #expect(!held.areTail(ofFileEndingAt: 116))
        var overwritten = held
        overwritten.hold(bytes(4, 3), at: 0)
        #expect(!overwritten.areTail(ofFileEndingAt: 115))
        var torn = held
        torn.hold(bytes(4, 3), at: 120)
        #expect(!torn.areTail(ofFileEndingAt: 124))
    }

    @Test("a write that was moved keeps its bytes and its turn")
    func moved() {
        var held = HeldWrites()
        held.hold(bytes(10, 1), at: 100)
        let begun = held.nextSequence
        held.hold(bytes(10, 2), at: 110)
        for index in held.writes.indices { held.move(index, by: 1000) }
        #expect(held.writes.map(\.offset) == [1100, 1110])
        #expect(held.areTail(ofFileEndingAt: 1120))
        held.release(before: begun)
        #expect(values(held) == [2])
    }
}
