internal import Media
internal import Reading

/// The pictures of an animation, again and again. Thread-bound.
final class AnimatedPicture {
    // immutable
    private let path: String
    private let cursor: FrameCursor
    private let timescale: Int32
    /// Of one round (ticks).
    private let length: Int64

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        path = asset.path
        cursor = try FrameCursor(asset: asset, track: track, fitting: nil)
        timescale = track.timescale
        length = max(1, track.reach.ticks(per: track.timescale, rounding: .up))
    }

    deinit { cursor.close() }

    /// When the picture began that is on show (of the animation).
    /// - Parameter age: since it began to play (seconds).
    func start(at age: MediaTime) throws(MediaError) -> MediaTime {
        let into = max(0, age.ticks(per: timescale, rounding: .down)) % length
        let sample = try cursor.picture(at: MediaTime(value: into, timescale: timescale))
        return sample.presentationTime
    }

    /// - Parameter start: of the picture.
    func picture(at start: MediaTime, maximumPixels: Int) throws(MediaError) -> StillPicture {
        try StillPicture(
            try cursor.picture(at: start), of: path, maximumPixels: maximumPixels)
    }
}
