internal import Glibc
internal import Media
internal import Writer

extension Conversion {
    /// The source's pictures one after the other, by the new movie's time.
    /// - Parameters:
    ///   - track: of the source.
    ///   - range: what is converted of the source (its own time).
    ///   - length: how much of that the track has.
    ///   - size: the upright frame they go into (nil: as they are).
    ///   - frameRate: nil: at their own times.
    func pictures(
        of track: AssetTrack, in range: MediaTimeRange, length: MediaTime, size: PixelSize?,
        frameRate: FrameRate?
    ) throws(ComposeError) -> any PictureSupply {
        let part = MediaTimeRange(start: range.start, duration: length)
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // two cores are the encoder's and ours; with more of them decoding may take two
        let threads = cores > 2 ? 2 : 1
        if let sequence {
            // what is cut or stretched may need more of one side
            let isInside = [FitMode.contain, .blurred].contains(settings.fit)
            return try SequencePictures(sequence, range: range, fitting: isInside ? size : nil)
        }
        if settings.loops > 1, track.isAnimation, frameRate == nil {
            let once = try SourcePictures(
                asset, track, range: MediaTimeRange(start: .zero, duration: track.duration),
                threads: 1)
            return LoopedPictures(
                once, length: track.duration, loops: settings.loops, range: part)
        }
        guard let frameRate else {
            return try SourcePictures(asset, track, range: part, threads: threads)
        }
        return try GridPictures(
            asset, track, range: part, rate: frameRate, threads: threads,
            turn: track.isAnimation ? track.duration : nil)
    }
}
