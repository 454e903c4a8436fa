internal import Glibc
internal import Media
internal import Reading

extension Conversion {
    /// The source's pictures one after the other, by the new movie's time.
    /// - Parameters:
    ///   - track: of the source.
    ///   - range: what is converted of the source (its own time).
    ///   - length: how much of that the track has.
    ///   - size: the upright frame they go into (nil: as they are).
    ///   - frameRate: nil: at their own times.
    ///   - codec: of the new movie.
    ///   - frame: what a still picture comes into where no size is asked for (nil: it stays as large as it is).
    func pictures(
        of track: AssetTrack, in range: MediaTimeRange, length: MediaTime, size: PixelSize?,
        frameRate: FrameRate?, codec: VideoCodec, frame: PixelSize? = nil
    ) throws(MediaError) -> any FrameSupply {
        var supply = try unfiltered(
            of: track, in: range, length: length, size: size, frameRate: frameRate, codec: codec,
            frame: frame)
        // distances are no picture, and of 8 bits none
        if track.isDepth { return supply }
        do throws(MediaError) {
            for filter in filters {
                supply = try FilteredFrames(supply, filter, isMixed: sequence != nil)
            }
        } catch {
            supply.close()
            throw error
        }
        return supply
    }

    private func unfiltered(
        of track: AssetTrack, in range: MediaTimeRange, length: MediaTime, size: PixelSize?,
        frameRate: FrameRate?, codec: VideoCodec, frame: PixelSize?
    ) throws(MediaError) -> any FrameSupply {
        let part = MediaTimeRange(start: range.start, duration: length)
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // two cores are the encoder's and ours; with more of them decoding may take two
        let threads = cores > 2 ? 2 : 1
        if let sequence {
            // what is cut or stretched may need more of one side
            let isInside = [FitMode.contain, .blurred].contains(settings.fit)
            let frame = size ?? shape?.sequenceFrame(of: codec)
            return try SequencePictures(sequence, range: range, fitting: isInside ? frame : nil)
        }
        if settings.loops > 1, track.isAnimation, frameRate == nil {
            let once = try SourceFrames(
                asset, track, range: MediaTimeRange(start: .zero, duration: track.duration),
                threads: 1)
            return LoopedFrames(
                once, length: track.duration, loops: settings.loops, range: part)
        }
        guard let frameRate else {
            return try SourceFrames(asset, track, range: part, threads: threads)
        }
        return try GridFrames(
            asset, track, range: part, rate: frameRate, threads: threads,
            period: track.isAnimation ? track.duration : nil,
            fitting: (size ?? frame).flatMap { box(for: track, in: $0) })
    }

    /// The upright size of the source's pictures, or of a sequence's first one.
    private var shape: PixelSize? {
        asset.tracks.first { $0.mediaType == .video }?.format?.video?.uprightPixelSize
    }

    /// What a still picture need not be larger than to come into a frame as it is asked to; nil for what is none, and
    /// for one that is not made smaller.
    private func box(for track: AssetTrack, in frame: PixelSize) -> FrameBounds? {
        guard track.isStill, let format = track.format?.video else { return nil }
        let natural = format.uprightPixelSize
        let across = Double(frame.width) / Double(natural.width)
        let down = Double(frame.height) / Double(natural.height)
        var scale =
            settings.fit == .contain && settings.motion == nil
            ? min(across, down) : max(across, down)
        if let motion = settings.motion { scale *= max(motion.from.zoom, motion.to.zoom) }
        guard scale < 1 else { return nil }
        return FrameBounds(
            width: max(1, Int((Double(format.width) * scale).rounded(.up))),
            height: max(1, Int((Double(format.height) * scale).rounded(.up))))
    }
}
