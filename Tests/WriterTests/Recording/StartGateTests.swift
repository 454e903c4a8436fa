import Testing

@testable import Writer

struct StartGateTests {
    @Test("the movie begins at the lead's first picture once all have delivered")
    func startsAtLeadPicture() {
        var gate = StartGate(sources: 3, lead: 0)
        #expect(gate.delivered(0, at: 100) == nil)
        #expect(gate.delivered(1, at: 90) == nil)
        #expect(gate.missing == [2])
        #expect(gate.delivered(0, at: 140) == nil)
        #expect(gate.delivered(2, at: 150) == nil)
        #expect(gate.missing.isEmpty)
        #expect(gate.delivered(1, at: 160) == nil)
        #expect(gate.delivered(0, at: 180) == 180)
        #expect(gate.delivered(0, at: 220) == nil)
        #expect(gate.start == 180)
    }

    @Test("a lead picture from before the last source's first sample does not count")
    func lateStampsDoNotStart() {
        var gate = StartGate(sources: 2, lead: 1)
        _ = gate.delivered(0, at: 1_000)
        #expect(gate.delivered(1, at: 960) == nil)
        #expect(gate.delivered(1, at: 1_000) == 1_000)
    }

    @Test("without video the movie begins when the last microphone begins")
    func startsWithoutVideo() {
        var gate = StartGate(sources: 2, lead: nil)
        #expect(gate.delivered(0, at: 50) == nil)
        #expect(gate.delivered(0, at: 60) == nil)
        #expect(gate.delivered(1, at: 55) == 55)
    }

    @Test("a source that goes away before the start must deliver again")
    func lostBeforeStart() {
        var gate = StartGate(sources: 2, lead: 0)
        _ = gate.delivered(1, at: 10)
        gate.lost(1)
        #expect(gate.delivered(0, at: 20) == nil)
        #expect(gate.missing == [1])
        _ = gate.delivered(1, at: 30)
        #expect(gate.delivered(0, at: 40) == 40)
    }
}
