import Testing

@testable import Writing

private let second: Int64 = 1_000_000_000

struct MovieLengthTests {
    @Test("a pause and resume within one frame leave the movie's clock running")
    func undonePause() {
        var gate = PauseGate(start: 0, hasLead: true, stallLimit: 10 * second)
        gate.leadFrame(at: 0)
        _ = gate.pause(at: second / 100, notBefore: 0)
        _ = gate.resume(at: second / 50, notBefore: 0)
        #expect(gate.length(at: second) == second / 100)
        gate.leadFrame(at: second / 25)
        #expect(gate.cuts.isEmpty)
        #expect(gate.phase == .running)
        #expect(gate.length(at: second) == second)
    }

    @Test("the movie's length stands still from the pause that is asked for until it runs again")
    func standsStill() {
        var gate = PauseGate(start: 10 * second, hasLead: true, stallLimit: 10 * second)
        #expect(gate.length(at: 9 * second) == 0)
        gate.leadFrame(at: 12 * second)
        _ = gate.pause(at: 13 * second, notBefore: 0)
        #expect(gate.length(at: 20 * second) == 3 * second)
        #expect(gate.heldTime(at: 20 * second) == 0)
        gate.leadFrame(at: 13 * second)
        #expect(gate.length(at: 20 * second) == 3 * second)
        #expect(gate.heldTime(at: 20 * second) == 7 * second)
        _ = gate.resume(at: 30 * second, notBefore: 0)
        #expect(gate.length(at: 31 * second) == 3 * second)
        gate.leadFrame(at: 30 * second)
        #expect(gate.length(at: 31 * second) == 4 * second)
        #expect(gate.heldTime(at: 31 * second) == 17 * second)
        #expect(gate.length(at: 12 * second) == 2 * second)
    }

    @Test("the expected end is unknown in a pause and while one is asked for before it")
    func expectedEnd() {
        var gate = PauseGate(
            start: 100 * second, hasLead: true, stallLimit: second, limit: 5 * second)
        #expect(gate.expectedEnd == 105 * second)
        gate.leadFrame(at: 101 * second)
        _ = gate.pause(at: 102 * second, notBefore: 0)
        #expect(gate.expectedEnd == nil)
        gate.leadFrame(at: 102 * second)
        #expect(gate.expectedEnd == nil)
        _ = gate.resume(at: 110 * second, notBefore: 0)
        gate.leadFrame(at: 110 * second)
        #expect(gate.expectedEnd == 113 * second)
        gate.endSession(at: 112 * second)
        #expect(gate.expectedEnd == 112 * second)
    }
}
