public import Media

/// One source for several listeners: each handler gets every event, in order, on the source's thread. A recorder takes a
/// `branch()` of it, while handlers of one's own look at the same samples. Thread-safe.
///
/// A listener that is slow holds up the others of the same source; where that matters, each gets an output of its own,
/// with its own queue and thread (`CaptureConfiguration.add`).
public final class SharedSource: Sendable {
    /// Keeps a handler where it is; released or `remove`d, the handler gets nothing any more.
    public final class Registration: Sendable {
        private let shared: SharedSource
        private let number: Int

        fileprivate init(_ shared: SharedSource, _ number: Int) {
            self.shared = shared
            self.number = number
        }

        deinit { remove() }

        /// No more events; one that is on its way may still come.
        public func remove() { shared.remove(number) }
    }

    private struct Entry: Sendable {
        let number: Int
        let handler: @Sendable (SourceEvent) -> Void
    }

    private struct State: Sendable {
        var handlers: [Entry] = []
        var next = 0
    }

    // immutable
    public let source: any SampleSource
    private let place: HandlerPlace
    private let turn: Int
    // guarded by itself
    private let state = Lock(State())

    /// Takes the source's handler, also from a shared source that was made of it before. It is given back when this and
    /// all registrations and branches are gone, unless another shared source or a synchronizer has taken it since.
    public init(_ source: any SampleSource) {
        self.source = source
        place = HandlerPlace.of(source)
        turn = place.nextTurn()
        place.take(source, turn) { [weak self] event in self?.deliver(event) }
    }

    deinit { place.giveBack(source, turn) }

    /// Adds a listener, behind those there are.
    /// - Parameter handler: as `SampleSource.setHandler`'s; it must not block.
    public func addHandler(
        _ handler: @escaping @Sendable (SourceEvent) -> Void
    ) -> Registration {
        state.withLock { state in
            state.next += 1
            state.handlers.append(Entry(number: state.next, handler: handler))
            return Registration(self, state.next)
        }
    }

    /// A source with a handler of its own, for a `Recorder` or whatever takes sources.
    public func branch() -> any SampleSource { SourceBranch(self) }

    private func remove(_ number: Int) {
        // let go outside the lock: a handler may hold what comes back here
        let gone = state.withLock { state in
            let gone = state.handlers.filter { $0.number == number }
            state.handlers.removeAll { $0.number == number }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    private func deliver(_ event: SourceEvent) {
        for entry in state.withLock({ $0.handlers }) { entry.handler(event) }
    }
}

/// One of a shared source's listeners, as a source.
private final class SourceBranch: SampleSource {
    // immutable
    private let shared: SharedSource
    // guarded by itself
    private let registration = Lock<SharedSource.Registration?>(nil)

    init(_ shared: SharedSource) { self.shared = shared }

    var origin: SourceOrigin { shared.source.origin }
    var format: FormatDescription { shared.source.format }
    func requireFormat() throws(MediaError) { try shared.source.requireFormat() }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        let fresh = handler.map { shared.addHandler($0) }
        let old = registration.withLock { registration in
            defer { registration = fresh }
            return registration
        }
        old?.remove()
    }
}
