import Capture
import Media
import Play
import Reading

/// Plays a movie to its end, silently, from its second second on; counts the frames that were seen.
func playing(_ movie: String) async throws {
    let item = try PlayerItem(try await Asset(loading: movie))
    // frames of half a megabyte at most, and no loudspeaker: the default is the sound server's
    let settings = PlayerSettings(wantedSize: PixelSize(640, 480), speaker: .none)
    let player = try Player(item, settings: settings)
    let events = player.events()
    player.setFrameHandler { frame in
        // draw frame.pixels at frame.hostTime
        _ = frame.pixels.width
    }
    guard await player.seek(to: .seconds(1)) else { return }
    let seen = player.counts.shown
    player.play()
    for await event in events {
        switch event {
        case .ended:
            print("ended at", player.currentTime.approximateSeconds, player.counts.shown - seen)
            return await player.stop()
        case .status(.failed(let error)): throw error
        default: break
        }
    }
}
