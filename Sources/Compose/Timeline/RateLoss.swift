internal import Media
internal import Reading

/// The pictures of a clip that a film has no frame for, because it has fewer pictures a second.
struct RateLoss: Equatable {
    /// Pictures that the clip would show, and those that no frame of the film shows (counts).
    let pictures: Int
    let missing: Int

    init(pictures: Int, missing: Int) { (self.pictures, self.missing) = (pictures, missing) }

    /// - Parameters:
    ///   - times: when the source shows its frames (movie time), in order.
    ///   - mapping: the clip's span of the source on the film's time line.
    ///   - phase: of the source's track.
    ///   - frameDuration: of the film (seconds).
    init(
        _ times: [MediaTime], _ mapping: MediaTimeMapping, _ phase: SourcePhase,
        frameDuration: MediaTime
    ) {
        let before = times.prefix { $0 <= mapping.source.start }.count
        let first = max(0, before - 1)
        let last = times.firstIndex { $0 >= mapping.source.end } ?? times.count
        pictures = max(0, last - first)
        var (place, shown) = (first, -1)
        var count = 0
        var frame = Self.frames(before: mapping.target.start, frameDuration)
        while true {
            let tick = (frameDuration * frame).ticks(per: Composition.timescale, rounding: .up)
            guard
                let instant = mapping.frameTime(
                    at: .timeline(tick), of: phase, every: frameDuration)
            else { break }
            while place + 1 < last, times[place + 1] <= instant { place += 1 }
            if place != shown { (shown, count) = (place, count + 1) }
            frame += 1
        }
        missing = max(0, pictures - count)
    }

    /// Frames of the film that begin before an instant of it (count).
    private static func frames(before time: MediaTime, _ frameDuration: MediaTime) -> Int64 {
        let target = time.timelineTicks
        var count = max(
            0, Int64(time.approximateSeconds / frameDuration.approximateSeconds) - 1)
        while (frameDuration * count).ticks(per: Composition.timescale, rounding: .up) < target {
            count += 1
        }
        return count
    }
}

extension PlacedClip {
    /// Whether some of its pictures may fall between the film's frames. Clips that play faster or slower show other
    /// frames anyway.
    func mayLoseFrames(at frameDuration: MediaTime) -> Bool {
        guard isMovie, item.speed == .normal, item.freeze == nil, !item.isReversed,
            !item.blendsFrames, course == nil, let track = picture?.track
        else {
            return false
        }
        guard track.hasVariableRate else {
            return FrameRate.film(of: track).frameDuration < frameDuration
        }
        // what rounding makes of equal steps is no frame less
        return track.frameDurations.map {
            $0.lowerBound.approximateSeconds + 0.002 < frameDuration.approximateSeconds
        } ?? false
    }
}

extension LoadedTimeline {
    /// One sentence for each clip of which the film's rate leaves video out. Reads the sources' indexes.
    func rateLosses(
        _ clips: [PlacedClip], _ video: VideoComposition
    ) throws(MediaError) -> [String] {
        var known: [MediaSource: [MediaTime]] = [:]
        var sentences: [String] = []
        for clip in clips where clip.mayLoseFrames(at: video.frameDuration) {
            guard let part = clip.picture else { continue }
            let source = MediaSource(path: clip.asset.path, trackID: part.track.id)
            if known[source] == nil {
                known[source] = try clip.asset.shownTimes(of: part.track)
            }
            let loss = RateLoss(
                known[source] ?? [],
                MediaTimeMapping(
                    source: part.range, target: .ticks(clip.start, clip.ticks)),
                part.track.phase, frameDuration: video.frameDuration)
            guard loss.missing > 0 else { continue }
            let rate = FrameRate(
                video.frameDuration.timescale, per: Int32(clamping: video.frameDuration.value))
            sentences.append(
                "\(clip.name): \(loss.missing) of its \(loss.pictures) frames "
                    + "\(loss.missing == 1 ? "is" : "are") not shown, because the film has \(rate) a "
                    + "second; a higher rate shows more")
        }
        return sentences
    }
}
