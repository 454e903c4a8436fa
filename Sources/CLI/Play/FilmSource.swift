import Media
import Play

/// The frames of a player as a board shows them. Thread-safe.
final class FilmSource: PictureSource {
    private let player: Player
    private let replaced = Lock(0)

    init(_ player: Player) { self.player = player }

    /// Frames that a display did not take before the next one came (count).
    var late: Int { replaced.withLock { $0 } }

    func setHandler(_ handler: (@Sendable (PreviewFrame) -> Void)?) {
        guard let handler else { return player.setFrameHandler(nil) }
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

    func countLate() { replaced.withLock { $0 += 1 } }
}
