internal import Media
internal import Reading

/// Pictures of a conversion one after the other, by the new movie's time. Thread-bound.
protocol FrameSupply: AnyObject {
    /// What the first picture is.
    var format: VideoFormat { get }

    /// The next picture with its time and length; nil at the end.
    func next() throws(MediaError) -> SampleBuffer?

    /// What could not be decoded so far.
    var damage: SourceDamage { get }

    func close()
}

/// A track's own pictures at their own times, each once.
final class SourceFrames: FrameSupply {
    /// What is left of the first frame for less than that is not shown: in Matroska the next one would begin in the
    /// same tick.
    static let leastFirst = MediaTime.milliseconds(1)

    // immutable
    private let cursor: FrameCursor
    private let isStill: Bool
    private let range: MediaTimeRange
    /// When the track shows something (movie time).
    private let shown: [MediaTimeRange]

    // owned by the calling thread
    /// Where the next picture is looked for (movie time).
    private var place: MediaTime
    private var hasBegun = false

    init(
        _ asset: Asset, _ track: AssetTrack, range: MediaTimeRange, threads: Int
    ) throws(MediaError) {
        self.range = range
        isStill = track.isStill
        place = range.start
        shown = track.segments.filter { $0.source != nil }.map(\.timeRange)
        cursor = try FrameCursor(
            asset: asset, track: track, startingAt: range.start, threads: threads, fields: .first)
    }

    var format: VideoFormat { cursor.format }
    var damage: SourceDamage {
        SourceDamage(pictures: cursor.damagedSamples, isStill: isStill)
    }

    func close() { cursor.close() }

    /// Goes back to the first picture.
    func restart() { (place, hasBegun) = (range.start, false) }

    func next() throws(MediaError) -> SampleBuffer? {
        while let span = shown.first(where: { $0.end > place }) {
            place = max(place, span.start)
            guard place < range.end else { return nil }
            var sample = try cursor.picture(at: place)
            let start = sample.presentationTime
            if start >= range.end { return nil }
            if start > place {
                // nothing is shown before
                place = start
                continue
            }
            let stop = sample.duration.flatMap { try? start.adding($0) }
            if let stop, stop <= place {
                // the span's last picture has passed
                place = span.end
                continue
            }
            let end = min(stop ?? span.end, range.end)
            if place == range.start, start < place, end < min(span.end, range.end),
                end.since(place) < Self.leastFirst
            {
                place = end
                continue
            }
            // what follows a first one that is not shown begins with the range
            let begin =
                hasBegun || place.since(range.start) >= Self.leastFirst ? place : range.start
            hasBegun = true
            sample.presentationTime = begin.since(range.start)
            sample.duration = end.since(begin)
            place = end
            return sample
        }
        return nil
    }
}

/// Pictures on an even grid: each shows what the track shows at its instant, of an uneven track in its middle, as films do.
final class GridFrames: FrameSupply {
    // immutable
    private let cursor: FrameCursor
    private let isStill: Bool
    private let range: MediaTimeRange
    private let frameDuration: MediaTime
    private let count: Int64
    private let timescale: Int32
    /// From a picture's beginning to where it is looked for (ticks of the track).
    private let ahead: Int64
    /// After how long the pictures begin again (seconds; nil: never).
    private let period: MediaTime?

    // owned by the calling thread
    private var made: Int64 = 0

    init(
        _ asset: Asset, _ track: AssetTrack, range: MediaTimeRange, rate: FrameRate, threads: Int,
        period: MediaTime? = nil, fitting box: FrameBounds? = nil
    ) throws(MediaError) {
        self.range = range
        self.period = period
        isStill = track.isStill
        timescale = track.timescale
        frameDuration = rate.frameDuration
        ahead = min(
            track.phase.halfStep,
            rate.frameDuration.ticks(per: track.timescale, rounding: .down) / 2)
        count = range.duration.frameCount(rate.frameDuration)
        cursor = try FrameCursor(
            asset: asset, track: track, startingAt: range.start, threads: threads,
            fitting: box, fields: .both)
    }

    var format: VideoFormat { cursor.format }
    var damage: SourceDamage {
        SourceDamage(pictures: cursor.damagedSamples, isStill: isStill)
    }

    func close() { cursor.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        guard made < count else { return nil }
        let time = frameDuration * made
        made += 1
        var ticks =
            range.start.timelineTicks + time.ticks(per: Composition.timescale, rounding: .up)
        if let period { ticks %= max(1, period.timelineTicks) }
        let instant = MediaTime.timeline(ticks)
        // files hold times rounded, so an instant between two ticks counts as the later one
        let isFine = timescale >= 600
        let place = instant.scaled(to: timescale, rounding: isFine ? .up : .down)
        let last = range.end.ticks(per: timescale, rounding: .down) - 1
        var sample = try cursor.picture(
            at: MediaTime(
                value: max(place.value, min(place.value + ahead, last)), timescale: timescale))
        sample.presentationTime = time
        sample.duration = min(frameDuration, range.duration.since(time))
        return sample
    }
}

extension MediaTime {
    /// The time from another one on, exact where 31 bits of timescale hold it, else in nanoseconds.
    func since(_ other: MediaTime) -> MediaTime {
        (try? adding(-other)) ?? .nanoseconds(nanoseconds() - other.nanoseconds())
    }

    /// Frames that begin within this length (count; at least 1).
    func frameCount(_ frameDuration: MediaTime) -> Int64 {
        let frames =
            Int128(value) * Int128(frameDuration.timescale)
            / (Int128(timescale) * Int128(frameDuration.value))
        var count = max(1, Int64(clamping: frames))
        // what would begin within a tick of the end does not
        while (frameDuration * count).ticks(per: 90_000, rounding: .nearest)
            < ticks(per: 90_000, rounding: .nearest)
        { count += 1 }
        return count
    }
}
