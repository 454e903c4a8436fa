/// What measures something of its own, or gives something up when the machine is pressed. Called on the monitor's
/// thread, one call at a time; must not wait.
package protocol PressureFollower: AnyObject, Sendable {
    /// Adds what it knows itself.
    func measure(into reading: inout PressureReading)
    /// Whether it has something that a measure acts on.
    func canFollow(_ measure: PressureMeasure) -> Bool
    /// The level or its causes have changed.
    func pressureChanged(to state: PressureState, at time: MediaTime)
    func follow(_ step: PressureStep)
}

/// Watches how hard the machine is pressed, about once a second on one thread of its own ("vcap-pressure"), and
/// says to a capture session and a recorder that were given it what to give up. Runs until it is released.
/// Thread-safe.
public final class PressureMonitor: Sendable {
    private let core: Core

    /// - Parameters:
    ///   - policy: what is given up, in which order.
    ///   - reader: measures the machine.

    ///   - interval: from one measurement to the next.
    public convenience init(
        policy: PressurePolicy = .standard, reader: any PressureReader = SystemPressure(),
        clock: any MediaClock = HostClock(), interval: MediaTime = .seconds(1)
    ) {
        self.init(policy, reader, clock)
        let core = core
        NamedThread(name: "vcap-pressure") { core.run(every: interval) }.detach()
    }

    /// Has no thread: the caller calls `tick`.
    package init(
        _ policy: PressurePolicy, _ reader: any PressureReader, _ clock: any MediaClock
    ) {
        core = Core(policy, reader, clock)
    }

    deinit { core.end.raise() }

    /// How hard the machine is pressed.
    public var state: PressureState { core.state.withLock { $0.machine.state } }

    /// What is given up now.
    public var relief: PressureRelief { core.state.withLock { $0.ladder.relief } }

    /// It gets everything from now on, as long as somebody else keeps it.
    package func add(_ follower: any PressureFollower) {
        core.state.withLock { $0.followers.append(Weak(follower: follower)) }
    }

    /// Measures, and does what follows. One thread at a time.
    package func tick() { core.tick() }

    private struct Weak: Sendable {
        weak var follower: (any PressureFollower)?
    }

    private final class Core: Sendable {
        struct State: Sendable {
            var machine = PressureMachine()
            var ladder: PressureLadder
            var followers: [Weak] = []
        }

        let end = WakeSignal()
        let state: Lock<State>
        private let policy: PressurePolicy
        private let reader: any PressureReader
        private let clock: any MediaClock

        init(_ policy: PressurePolicy, _ reader: any PressureReader, _ clock: any MediaClock) {
            state = Lock(State(ladder: PressureLadder(policy)))
            self.policy = policy
            self.reader = reader
            self.clock = clock
        }

        func run(every interval: MediaTime) {
            repeat {
                tick()
            } while clock.wait(until: clock.now() + interval, orSignal: end) == .reachedDeadline
        }

        func tick() {
            let followers = state.withLock { state in
                state.followers.removeAll { $0.follower == nil }
                return state.followers.compactMap(\.follower)
            }
            var reading = reader.read()
            for follower in followers { follower.measure(into: &reading) }
            // asked before the lock: the one who answers has locks of his own
            let possible = Set(
                policy.steps.map(\.measure).filter { measure in
                    followers.contains { $0.canFollow(measure) }
                })
            let now = clock.now()
            let (pressure, step) = state.withLock { state -> (PressureState?, PressureStep?) in
                let before = state.machine.state
                state.machine.take(reading, at: now)
                let after = state.machine.state
                let step = state.ladder.take(after, at: now) { possible.contains($0) }
                return (after == before ? nil : after, step)
            }
            if let pressure {
                for follower in followers { follower.pressureChanged(to: pressure, at: now) }
            }
            if let step { for follower in followers { follower.follow(step) } }
        }
    }
}
