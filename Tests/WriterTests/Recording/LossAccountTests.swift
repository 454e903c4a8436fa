import Media
import Testing

@testable import Recording
@testable import Writing

private let second: Int64 = 1_000_000_000

/// A movie that begins at 100 s and is held from 110 to 120 s.
private func gate() -> PauseGate {
    var gate = PauseGate(start: 100 * second, hasLead: false, stallLimit: second)
    _ = gate.pause(at: 110 * second, notBefore: 0)
    _ = gate.resume(at: 120 * second, notBefore: 0)
    return gate
}

struct LossAccountTests {
    @Test("what is lost in a pause is distinguished from what the movie lacks")
    func pausesReportedApart() {
        var account = LossAccount()
        account.dropped(.driverGap, 5, at: 105 * second, length: second)
        account.dropped(.driverGap, 26, at: 112 * second, length: second)
        account.settle(by: gate())
        #expect(account.drops == [.driverGap: 5])
        #expect(account.dropsInPauses == [.driverGap: 26])
        #expect(
            account.takeNews() == [
                .init(cause: .driverGap, count: 5, isInPause: false),
                .init(cause: .driverGap, count: 26, isInPause: true),
            ])
        #expect(account.takeNews().isEmpty)
    }

    @Test("what was lost before the movie begins is missing nowhere, and in no pause")
    func beforeTheStart() {
        var account = LossAccount()
        account.dropped(.damaged, 1, at: 100 * second - second / 50, length: 0)
        account.dropped(.damaged, 1, at: 100 * second - second / 50, length: second / 25)
        account.dropped(.overrun, 48_000, at: 99 * second + second / 2, length: second)
        account.dropped(.overrun, 48_000, at: 97 * second, length: second)
        account.settle(by: gate())
        #expect(account.drops == [.overrun: 24_000])
        #expect(account.dropsInPauses.isEmpty)
    }

    @Test("a loss that a pause cuts through counts with its part in the movie")
    func cutThrough() {
        var account = LossAccount()
        account.dropped(.overrun, 48_000, at: 109 * second + second / 2, length: second)
        account.filled(from: 109 * second, length: 12 * second, cause: "device-gone")
        account.settle(by: gate())
        #expect(account.drops == [.overrun: 24_000])
        #expect(account.dropsInPauses == [.overrun: 24_000])
        #expect(
            account.gaps == [
                .init(
                    start: 109 * second, movieTime: 9 * second, length: 2 * second,
                    cause: "device-gone")
            ])
    }

    @Test("a gap and repeats wholly inside a pause are no gap and no frames of the movie")
    func insideAPause() {
        var account = LossAccount()
        account.filled(from: 111 * second, length: 3 * second, cause: "stalled")
        for time in [112, 121] as [Int64] {
            account.repeats(at: time * second)
            account.repeated(at: time * second)
        }
        account.settle(by: gate())
        #expect(account.gaps.isEmpty)
        #expect(account.gapsInPauses == 1)
        #expect(account.repeats == 1)
    }

    @Test("a repeat that the writer refuses, at once or later, is no loss of the source's")
    func refusedRepeats() {
        var account = LossAccount()
        // refused twice, then taken
        for isTaken in [false, false, true] {
            account.repeats(at: 101 * second)
            if isTaken {
                account.repeated(at: 101 * second)
            } else {
                account.refused(.encoderBehind, 1, at: 101 * second, length: second / 25)
            }
        }
        // taken, and then there was no room
        account.repeats(at: 102 * second)
        account.repeated(at: 102 * second)
        account.refused(.encoderBehind, 1, at: 102 * second, length: second / 25)
        // there was no room, which is known first
        account.repeats(at: 103 * second)
        account.refused(.encoderBehind, 1, at: 103 * second, length: second / 25)
        account.repeated(at: 103 * second)
        // a frame of the camera's
        account.refused(.encoderBehind, 1, at: 104 * second, length: second / 25)
        account.settle(by: gate())
        #expect(account.repeats == 1)
        #expect(account.drops == [.encoderBehind: 1])
    }

    @Test("a loss waits until the pause it may lie in is decided")
    func waitsForTheCut() {
        var gate = PauseGate(start: 0, hasLead: true, stallLimit: second)
        gate.leadFrame(at: 0)
        _ = gate.pause(at: second, notBefore: 0)
        var account = LossAccount()
        account.dropped(.late, 1, at: second + 1, length: 0)
        account.settle(by: gate)
        #expect(account.drops.isEmpty && account.dropsInPauses.isEmpty)
        gate.leadFrame(at: second + 10)
        account.settle(by: gate)
        // the movie was cut at the frame after it
        #expect(account.drops == [.late: 1])
    }
}
