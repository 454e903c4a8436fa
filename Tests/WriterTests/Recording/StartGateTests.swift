import Testing

@testable import Recording

struct StartGateTests {
    @Test("the movie begins at the lead's first frame once all have delivered")
    func startsAtLeadFrame() {
        var gate = StartGate(sources: 3, cameras: [0])
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

    @Test("a lead frame from before the last source's first sample does not count")
    func lateStampsDoNotStart() {
        var gate = StartGate(sources: 2, cameras: [1])
        _ = gate.delivered(0, at: 1_000)
        #expect(gate.delivered(1, at: 960) == nil)
        #expect(gate.delivered(1, at: 1_000) == 1_000)
    }

    @Test("without video the movie begins when the last microphone begins")
    func startsWithoutVideo() {
        var gate = StartGate(sources: 2, cameras: [])
        #expect(gate.delivered(0, at: 50) == nil)
        #expect(gate.delivered(0, at: 60) == nil)
        #expect(gate.delivered(1, at: 55) == 55)
    }

    @Test("a source that goes away before the start must deliver again")
    func lostBeforeStart() {
        var gate = StartGate(sources: 2, cameras: [0])
        _ = gate.delivered(1, at: 10)
        gate.lost(1)
        #expect(gate.delivered(0, at: 20) == nil)
        #expect(gate.missing == [1])
        _ = gate.delivered(1, at: 30)
        #expect(gate.delivered(0, at: 40) == 40)
    }

    @Test("a source that died is not waited for; the next camera leads when it was the first")
    func excused() {
        var gate = StartGate(sources: 3, cameras: [0, 1])
        let isTooEarly = !gate.excuse([0])
        _ = gate.delivered(1, at: 10)
        _ = gate.delivered(2, at: 12)
        #expect(isTooEarly && gate.missing == [0])
        let isExcused = gate.excuse([0])
        #expect(isExcused)
        #expect(gate.missing.isEmpty && gate.lead == 1)
        #expect(gate.delivered(2, at: 20) == nil)
        #expect(gate.delivered(1, at: 30) == 30)
    }

    @Test("the only source is never excused, and one that comes after all is waited for no longer")
    func excusedAndBack() {
        var alone = StartGate(sources: 1, cameras: [0])
        _ = alone.delivered(0, at: 5)
        let isAlone = !alone.excuse([0])
        #expect(isAlone)
        var gate = StartGate(sources: 2, cameras: [0])
        _ = gate.delivered(1, at: 10)
        let isExcused = gate.excuse([0])
        #expect(isExcused && gate.lead == nil)
        #expect(gate.delivered(0, at: 15) == 15)
    }
}
