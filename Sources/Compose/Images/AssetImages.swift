internal import Glibc
internal import Media
internal import Reading

/// Images of a track of an asset, by one decoder. Thread-bound.
final class AssetImages: ImageSource {
    // immutable
    private let asset: Asset
    private let track: AssetTrack
    private let settings: ImageGeneratorSettings

    // owned by the calling thread
    private let fitter: ImageFitter
    /// Opened where the first image is wanted.
    private var open: FrameCursor?
    /// Sync samples looked up last: nothing lies between them.
    private var syncs: (before: MediaTime, after: MediaTime)?

    init(_ asset: Asset, _ track: AssetTrack, _ settings: ImageGeneratorSettings) {
        self.asset = asset
        self.track = track
        self.settings = settings
        fitter = ImageFitter(settings)
    }

    deinit { open?.close() }

    func image(at time: MediaTime) throws(MediaError) -> GeneratedImage {
        let time = try existing(time)
        let cursor: FrameCursor
        if let open { cursor = open } else { cursor = try opened(at: instant(time)) }
        let wanted = settings.allowsOthers ? try nearestSync(to: time, cursor) ?? time : time
        let sample = try cursor.picture(at: instant(wanted))
        guard let frame = sample.pixelBuffer, let format = sample.format.video else {
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot make images of \(asset.path): its track \(track.id) has none.")
        }
        do throws(MediaError) {
            return GeneratedImage(
                image: try fitter.image(frame, format), actualTime: sample.presentationTime)
        } catch { throw error.of(asset.path) }
    }

    /// The time, or the nearest within the tolerances at which there is something.
    private func existing(_ time: MediaTime) throws(MediaError) -> MediaTime {
        if time >= .zero, time < track.reach { return time }
        let end = track.reach.ticks(per: Composition.timescale, rounding: .up) - 1
        let nearest = time < .zero ? .zero : MediaTime.timeline(max(0, end))
        guard settings.allows(nearest, for: time) else {
            throw .setting(
                "time",
                "There is no image at \(time.spoken): track \(track.id) of \(asset.path) lasts from 0 "
                    + "to \(track.reach.spoken).")
        }
        return nearest
    }

    /// Files hold times rounded, so an instant between two ticks counts as the later one; ticks that are
    /// coarse count pictures.
    private func instant(_ time: MediaTime) -> MediaTime {
        time.scaled(to: track.timescale, rounding: track.timescale >= 600 ? .up : .down)
    }

    private func opened(at time: MediaTime) throws(MediaError) -> FrameCursor {
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let cursor = try FrameCursor(
            asset: asset, track: track, startingAt: time, threads: cores > 2 ? 2 : 1,
            fitting: track.isStill ? box : nil, fields: .both)
        open = cursor
        return cursor
    }

    /// What a still picture need not be larger than, as it is stored.
    private var box: FrameBounds {
        guard let box = settings.maximumSize, let format = track.format?.video,
            format.pixelAspect == .square
        else { return .longest }
        return settings.appliesPreferredTrackTransform && format.orientation.swapsAxes
            ? FrameBounds(width: box.height, height: box.width)
            : FrameBounds(width: box.width, height: box.height)
    }

    /// The nearest sync sample that will do, the earlier of two; nil: there is none.
    private func nearestSync(
        to time: MediaTime, _ cursor: FrameCursor
    ) throws(MediaError) -> MediaTime? {
        let found: (before: MediaTime?, after: MediaTime?)
        if let known = syncs, known.before <= time, time < known.after {
            found = (known.before, known.after)
        } else {
            found = try cursor.syncTimes(
                around: instant(time), before: settings.requestedTimeToleranceBefore,
                after: settings.requestedTimeToleranceAfter)
            syncs = nil
            if let before = found.before, let after = found.after { syncs = (before, after) }
        }
        return [found.before, found.after].compactMap(\.self)
            .filter { settings.allows($0, for: time) }
            .min { distance($0, time) < distance($1, time) }
    }

    private func distance(_ first: MediaTime, _ second: MediaTime) -> MediaTime {
        first < second ? second - first : first - second
    }
}
