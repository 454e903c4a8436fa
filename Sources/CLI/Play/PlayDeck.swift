import Media
import Play

/// The player of a film; of a take that grows another one whenever there is more of it. Thread-safe.
final class PlayDeck: Sendable {
    private struct State: Sendable {
        var player: Player
        /// Of the players before it.
        var past = PlayerCounts()
    }

    private let state: Lock<State>

    init(_ player: Player) { state = Lock(State(player: player)) }

    var player: Player { state.withLock { $0.player } }
    var item: PlayerItem { player.item }

    /// Of all players.
    var counts: PlayerCounts {
        let (player, past) = state.withLock { ($0.player, $0.past) }
        return past.adding(player.counts)
    }

    /// - Parameter player: takes the place of the one there is, with its volume, loop and frames' receiver.
    /// - Returns: the one that was there, which plays no more.
    func replace(with player: Player) -> Player {
        let old = self.player
        player.setVolume(old.volume)
        player.setMuted(old.isMuted)
        player.setLooping(old.isLooping)
        let counts = old.counts
        state.withLock { state in
            state.past = state.past.adding(counts)
            // it hands over once more what it has made ready for nobody
            state.past.shown -= player.counts.shown
            state.player = player
        }
        return old
    }
}

extension PlayerCounts {
    fileprivate func adding(_ other: PlayerCounts) -> PlayerCounts {
        var sum = self
        sum.shown += other.shown
        sum.dropped += other.dropped
        sum.stalls += other.stalls
        sum.audioGaps += other.audioGaps
        sum.damaged += other.damaged
        sum.rendered += other.rendered
        return sum
    }
}
