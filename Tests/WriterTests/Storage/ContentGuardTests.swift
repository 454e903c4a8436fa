import Testing

@testable import Movie

@Suite("The first bytes of a file that others may write over")
struct ContentGuardTests {
    private static let limit = 64 << 10

    private func guarding(_ head: [UInt8]) -> ContentGuard {
        var content = ContentGuard()
        content.begin()
        content.keep(GatheredBytes(head), at: 0)
        return content
    }

    @Test("the first 64 KiB are kept as they were appended, whatever the pieces")
    func head() {
        let whole = (0..<Self.limit + 5000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        for piece in [1000, 4096, Self.limit - 1, Self.limit + 1, whole.count] {
            var content = ContentGuard()
            content.begin()
            for start in stride(from: 0, to: whole.count, by: piece) {
                let part = Array(whole[start..<min(whole.count, start + piece)])
                content.keep(GatheredBytes(part), at: Int64(start))
            }
            #expect(content.knownHead == Array(whole.prefix(Self.limit)))
        }
        // the control: nothing is known of a file that is not guarded
        var content = ContentGuard()
        content.keep(GatheredBytes(whole), at: 0)
        content.renew([1], at: 0)
        content.look({ 0 }, wanted: 100)
        #expect(content.knownHead == nil && content.cutEnd == nil)
    }

    @Test("what does not follow the kept bytes is not taken for their continuation")
    func holes() {
        var content = guarding([1, 2, 3])
        content.keep(GatheredBytes([9]), at: 10)
        #expect(content.knownHead == [1, 2, 3])
        content.keep(GatheredBytes([4]), at: 3)
        #expect(content.knownHead == [1, 2, 3, 4])
    }

    @Test("our own overwriting is followed, within the kept bytes, and is no damage")
    func renewed() {
        var content = guarding([1, 2, 3, 4])
        content.renew([7, 8], at: 1)
        #expect(content.knownHead == [1, 7, 8, 4])
        content.renew([5, 6, 7], at: 3)
        #expect(content.knownHead == [1, 7, 8, 5])
        content.renew([0], at: 4)
        #expect(content.knownHead == [1, 7, 8, 5])
        #expect(content.head(from: 2) == [8, 5])
        #expect(content.head(from: 9) == [])
    }

    @Test("the shortest length counts, though the file has grown over it since")
    func cuts() {
        var content = guarding([1])
        content.look({ 100 }, wanted: 100)
        content.look({ nil }, wanted: 100)
        #expect(content.cutEnd == nil)
        content.look({ 60 }, wanted: 100)
        content.look({ 80 }, wanted: 120)
        #expect(content.cutEnd == 60)
        // written again, it is as long as it should be: that it was cut stays known
        content.look({ 140 }, wanted: 140)
        #expect(content.cutEnd == 60)
        content.look({ 20 }, wanted: 140)
        #expect(content.cutEnd == 20)
    }

    @Test("the system is not asked for the size of a file that is not guarded")
    func cost() {
        var content = ContentGuard()
        content.look(
            {
                Issue.record("asked")
                return 0
            }, wanted: 1)
        content.begin()
        content.look({ 0 }, wanted: 1)
        #expect(content.cutEnd == 0)
    }
}
