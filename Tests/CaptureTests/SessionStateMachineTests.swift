import Media
import Testing

@testable import Capture

@Suite("the session's life cycle")
struct SessionStateMachineTests {
    enum Call: CaseIterable {
        case configureOne, configureNone, start, stop
    }

    private static func machine(in state: CaptureSession.State) throws -> SessionStateMachine {
        var machine = SessionStateMachine()
        if state == .idle { return machine }
        try machine.configured(inputs: 1)
        if state == .ready { return machine }
        try machine.start()
        if state == .interrupted { _ = machine.lost(0) }
        return machine
    }

    /// The state after each call, `nil` where it is refused.
    static let table: [(CaptureSession.State, Call, CaptureSession.State?)] = [
        (.idle, .configureOne, .ready), (.idle, .configureNone, .idle), (.idle, .start, nil),
        (.idle, .stop, nil),
        (.ready, .configureOne, .ready), (.ready, .configureNone, .idle),
        (.ready, .start, .running), (.ready, .stop, nil),
        (.running, .configureOne, nil), (.running, .configureNone, nil), (.running, .start, nil),
        (.running, .stop, .ready),
        (.interrupted, .configureOne, nil), (.interrupted, .configureNone, nil),
        (.interrupted, .start, nil), (.interrupted, .stop, .ready),
    ]

    @Test("every call in every state does what the diagram says", arguments: table)
    func calls(from: CaptureSession.State, call: Call, to: CaptureSession.State?) throws {
        var machine = try Self.machine(in: from)
        do throws(MediaError) {
            switch call {
            case .configureOne: try machine.configured(inputs: 1)
            case .configureNone: try machine.configured(inputs: 0)
            case .start: try machine.start()
            case .stop: try machine.stop()
            }
            #expect(machine.state == to)
        } catch {
            #expect(to == nil)
            #expect(error.code == .invalidState)
            #expect(error.message.contains(from.rawValue))
            #expect(machine == (try Self.machine(in: from)))
        }
    }

    @Test("a session runs as long as one of its inputs does")
    func oneInputSuffices() throws {
        var machine = SessionStateMachine()
        try machine.configured(inputs: 2)
        try machine.start()
        let one = machine.lost(0)
        #expect(one && machine.state == .running)
        let both = machine.lost(1)
        #expect(both && machine.state == .interrupted)
        let returned = machine.back(0)
        #expect(returned && machine.state == .running)
    }

    @Test("losing twice and coming back unasked change nothing")
    func repeated() throws {
        var machine = try Self.machine(in: .running)
        let running = machine
        let unasked = machine.back(0)
        #expect(!unasked && machine == running)
        let first = machine.lost(0)
        let interrupted = machine
        let second = machine.lost(0)
        #expect(first && !second && machine == interrupted)
        var stopped = try Self.machine(in: .ready)
        let late = stopped.lost(0)
        #expect(!late && stopped.state == .ready)
    }
}
