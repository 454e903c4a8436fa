import Media
import Testing

@testable import Recording
@testable import Writing

@Suite("What decides over a take")
struct TakeControlTests {
    private let error = MediaError(code: .ioError, subject: "disk", message: "It is gone.")

    /// Of a camera and a microphone.
    private func control(running: Bool = false) -> TakeControl {
        var control = TakeControl(StartGate(sources: 2, cameras: [0]))
        control.start(ScriptedWriter(plans: []) { _ in }, load: nil, until: 5_000)
        if running {
            _ = control.delivered(1, at: 1_000)
            _ = control.delivered(0, at: 2_000)
        }
        return control
    }

    @Test("the camera's frame after all have delivered starts the movie")
    func start() {
        var control = control()
        let early = [control.delivered(0, at: 500)?.0, control.delivered(1, at: 1_000)?.0]
        #expect(early == [nil, nil])
        #expect(control.runningWriter == nil)
        let start = control.delivered(0, at: 2_000)?.0
        #expect(start == 2_000)
        #expect(control.life == .running && control.runningWriter != nil)
    }

    @Test("a source that is left out is left out once, and does not start the movie later")
    func leftOut() {
        var control = control()
        let alone = control.excuse([1], leavingOut: [1], until: 9_000)
        #expect(alone == nil)
        _ = control.delivered(0, at: 500)
        let first = control.excuse([1], leavingOut: [1], until: 9_000)
        let second = control.excuse([1], leavingOut: [1], until: 9_500)
        #expect(first == [1] && second == [])
        #expect(control.startDeadline == 9_500)
        let starts = [control.delivered(1, at: 1_000)?.0, control.delivered(0, at: 2_000)?.0]
        #expect(starts == [nil, 2_000])
    }

    @Test("a second stop that waits changes nothing, one that does not wait ends the waiting")
    func stops() {
        let ms: Int64 = 1_000_000
        var control = control(running: true)
        let stops = [
            control.stop(at: 0, drainLimit: 300 * ms),
            control.stop(at: 50 * ms, drainLimit: 300 * ms),
        ]
        #expect(stops == [true, false])
        let waits = !control.isDrainOver(at: 100 * ms)
        #expect(waits)
        let isNew = control.stop(at: 110 * ms, drainLimit: 0)
        let isOver = control.isDrainOver(at: 110 * ms)
        #expect(!isNew && isOver)
    }

    @Test("the first failure is the one, and a failure while it finishes sets no other end")
    func failures() {
        var control = control(running: true)
        _ = control.stop(at: 0, drainLimit: 300)
        let ends = [control.fail(error, at: 10), control.fail(error, at: 20)]
        #expect(ends == [false, nil])
        let failure = control.ended(nil)
        #expect(failure?.message == error.message)
        control.closed()
        #expect(control.life == .failed)
    }
}
