import Media
import Play

/// The frames of a player as a board shows them. Thread-safe.
final class FilmSource: PictureSource {
    private struct State: Sendable {
        var handler: (@Sendable (PreviewFrame) -> Void)?
        var late = 0
    }

    private let deck: PlayDeck
    private let state = Lock(State())

    init(_ deck: PlayDeck) { self.deck = deck }

    /// Frames that a display did not take before the next one came (count).
    var late: Int { state.withLock { $0.late } }

    func setHandler(_ handler: (@Sendable (PreviewFrame) -> Void)?) {
        state.withLock { $0.handler = handler }
        connect()
    }

    /// Takes the frames of the player that is on the deck.
    func connect() {
        let player = deck.player
        // without somebody who takes them frames count as shown
        guard let handler = state.withLock({ $0.handler }) else {
            return player.setFrameHandler { _ in }
        }
        let size = player.size
        player.setFrameHandler { frame in
            handler(
                PreviewFrame(
                    time: frame.hostTime, pixels: frame.pixels, format: frame.format,
                    cameraSize: size))
        }
    }

    // a film is played whether or not it is looked at
    func setEnabled(_ isEnabled: Bool) {}
    // no key asks for it
    func setZoomed(_ isZoomed: Bool) {}

    func countLate() { state.withLock { $0.late += 1 } }
}
