internal import Media

/// A source's one handler, which who took it last has: a sequence, a shared source or a synchronizer. Thread-safe.
final class HandlerPlace: Sendable {
    private struct Known: Sendable {
        weak var place: HandlerPlace?
    }

    private struct State: Sendable {
        var turn = 0
        /// How often the handler changed.
        var changes = 0
        var handler: (@Sendable (SourceEvent) -> Void)?
    }

    /// Who takes a place keeps its source, so an identity stays what it is as long as its place is in use.
    private static let known = Lock<[ObjectIdentifier: Known]>([:])
    private let state = Lock(State())

    static func of(_ source: any SampleSource) -> HandlerPlace {
        known.withLock { known in
            known = known.filter { $0.value.place != nil }
            if let place = known[ObjectIdentifier(source)]?.place { return place }
            let place = HandlerPlace()
            known[ObjectIdentifier(source)] = Known(place: place)
            return place
        }
    }

    /// A number that is higher than all before.
    func nextTurn() -> Int {
        state.withLock { state in
            state.turn += 1
            return state.turn
        }
    }

    /// The source gets the handler, unless one of a later turn has it.
    func take(
        _ source: any SampleSource, _ turn: Int,
        _ handler: @escaping @Sendable (SourceEvent) -> Void
    ) {
        change(source, turn, handler)
    }

    /// The source gets no handler, unless one of a later turn has it.
    func giveBack(_ source: any SampleSource, _ turn: Int) { change(source, turn, nil) }

    private func change(
        _ source: any SampleSource, _ turn: Int, _ handler: (@Sendable (SourceEvent) -> Void)?
    ) {
        let isLast = state.withLock { state in
            guard state.turn == turn else { return false }
            state.changes += 1
            state.handler = handler
            return true
        }
        guard isLast else { return }
        // outside the lock, because what goes may be the last to hold a shared source; who finds that others have
        // changed it meanwhile sets theirs
        var last: State
        repeat {
            last = state.withLock { $0 }
            source.setHandler(last.handler)
        } while state.withLock({ $0.changes }) != last.changes
    }
}
