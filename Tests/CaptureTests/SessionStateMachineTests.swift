import Media
import Testing

@testable import Capture

@Suite("the session's life cycle")
struct SessionStateMachineTests {
    enum Call: CaseIterable {
        case configureOne, configureNone, start, stop
    }

    private static func key(_ name: String) -> DeviceKey {
        DeviceKey(CaptureDevice(id: name, name: name, kind: .video, driver: "test"))
    }

    private static func machine(in state: CaptureSession.State) throws -> SessionStateMachine {
        var machine = SessionStateMachine()
        if state == .idle { return machine }
        machine.configured([key("a")])
        if state == .ready { return machine }
        try machine.start()
        if state == .interrupted { _ = machine.lost(key("a")) }
        return machine
    }

    /// The state after each call, `nil` where it is refused.
    static let table: [(CaptureSession.State, Call, CaptureSession.State?)] = [
        (.idle, .configureOne, .ready), (.idle, .configureNone, .idle), (.idle, .start, nil),
        (.idle, .stop, .idle),
        (.ready, .configureOne, .ready), (.ready, .configureNone, .idle),
        (.ready, .start, .running), (.ready, .stop, .ready),
        (.running, .configureOne, .running), (.running, .configureNone, .idle),
        (.running, .start, nil), (.running, .stop, .ready),
        (.interrupted, .configureOne, .interrupted), (.interrupted, .configureNone, .idle),
        (.interrupted, .start, nil), (.interrupted, .stop, .ready),
    ]

    @Test("every call in every state does what the diagram says", arguments: table)
    func calls(from: CaptureSession.State, call: Call, to: CaptureSession.State?) throws {
        var machine = try Self.machine(in: from)
        do throws(MediaError) {
            switch call {
            case .configureOne: machine.configured([Self.key("a")])
            case .configureNone: machine.configured([])
            case .start: try machine.start()
            case .stop: _ = machine.stop()
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
        let (a, b) = (Self.key("a"), Self.key("b"))
        machine.configured([a, b])
        try machine.start()
        let one = machine.lost(a)
        #expect(one && machine.state == .running)
        let both = machine.lost(b)
        #expect(both && machine.state == .interrupted)
        let returned = machine.back(a)
        #expect(returned && machine.state == .running)
        // without the one that delivers only silence is left; with a third it runs again
        machine.configured([b])
        #expect(machine.state == .interrupted)
        machine.configured([b, Self.key("c")])
        #expect(machine.state == .running)
    }

    @Test(
        "an input that falls silent before the transaction that brings it has ended is not forgotten"
    )
    func earlyLoss() throws {
        var machine = try Self.machine(in: .running)
        let (a, b) = (Self.key("a"), Self.key("b"))
        let unknown = machine.lost(b)
        #expect(!unknown)
        machine.expect([a, b])
        let early = machine.lost(b)
        #expect(early && machine.state == .running)
        machine.configured([b])
        #expect(machine.state == .interrupted)
    }

    @Test("losing twice and coming back unasked change nothing")
    func repeated() throws {
        var machine = try Self.machine(in: .running)
        let running = machine
        let unasked = machine.back(Self.key("a"))
        #expect(!unasked && machine == running)
        let first = machine.lost(Self.key("a"))
        let interrupted = machine
        let second = machine.lost(Self.key("a"))
        #expect(first && !second && machine == interrupted)
        var stopped = try Self.machine(in: .ready)
        let late = stopped.lost(Self.key("a"))
        #expect(!late && stopped.state == .ready)
    }
}
