import Media

/// The host clock, which calls somebody each time it is asked: a certain moment of what asks it, however busy the
/// machine is.
final class AskedClock: MediaClock {
    private struct State {
        var count = 0
        var call: (@Sendable (_ count: Int) -> Void)?
    }

    private let host = HostClock()
    private let state = Lock(State())

    /// - Parameter call: with how often the clock was asked (from 1). One that holds what holds the clock,
    ///   as a session does, keeps both until `forget`.
    func onAsk(_ call: @escaping @Sendable (_ count: Int) -> Void) {
        state.withLock { $0.call = call }
    }

    /// Calls nobody any more.
    func forget() { state.withLock { $0.call = nil } }

    func now() -> MediaTime {
        let (count, call) = state.withLock { state in
            state.count += 1
            return (state.count, state.call)
        }
        call?(count)
        return host.now()
    }

    func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome {
        host.wait(until: deadline, orSignal: signal)
    }
}
