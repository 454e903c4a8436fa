internal import Glibc
import Media

/// Takes the signals of a recording while its devices are opened: a driver or server that does not answer must not keep
/// the process from ending. What asks for a pause waits for the recording. Thread-safe.
final class OpeningSignals: Sendable {
    private struct State {
        var isOpening = true
        /// In the order in which they came.
        var waiting: [SignalListener.Event] = []
        var handler: (@Sendable (SignalListener.Event) -> Void)?
    }

    private let state = Lock(State())

    init() { SignalListener.listen { self.take($0) } }

    /// The devices are open: from now on every signal is the recording's.
    func opened() { state.withLock { $0.isOpening = false } }

    /// Hands all that come to the recording, those that wait first.
    func hand(to handler: @escaping @Sendable (SignalListener.Event) -> Void) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.handler = handler
            return state.waiting
        }
        for event in waiting { handler(event) }
    }

    private func take(_ event: SignalListener.Event) {
        let (handler, isOpening) = state.withLock { state in
            switch event {
            // with the lock held: a movie's file is made when it is free again
            case .interrupt, .terminate, .hangUp: if state.isOpening { end() }
            case .togglePause, .suspend, .continued: break
            }
            let isStop = event == .suspend || event == .continued
            if state.handler == nil, !state.isOpening || !isStop { state.waiting.append(event) }
            return (state.handler, state.isOpening)
        }
        if let handler { return handler(event) }
        if isOpening, event == .suspend { SignalListener.stopProcess() }
    }

    private func end() -> Never {
        Console.shared.notice(
            "ended by a signal while devices were opened: nothing was recorded")
        _ = Console.shared.conclude()
        _exit(ExitCode.done.rawValue)
    }
}
