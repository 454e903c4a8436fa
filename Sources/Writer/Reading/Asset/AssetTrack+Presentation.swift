public import Media

/// How a track is to be shown.
extension AssetTrack {
    /// One span of the track on the movie's time line.
    public struct Segment: Sendable, Hashable {
        /// When (movie time).
        public let timeRange: MediaTimeRange
        /// What is shown (track time); `nil` shows nothing. A length of zero holds one frame.
        public let source: MediaTimeRange?
    }

    /// Width and height of the stored frame with square pixels (pixels), before `orientation`; `nil`
    /// for audio.
    public var naturalSize: (width: Double, height: Double)? {
        guard let format = format?.video else { return nil }
        let aspect = Double(format.pixelAspect.horizontal) / Double(format.pixelAspect.vertical)
        return (Double(format.width) * aspect, Double(format.height))
    }

    /// How the stored frame must be rotated to be upright (the preferred transform).
    public var orientation: VideoOrientation { format?.video?.orientation ?? .upright }

    /// Frames per second as an exact fraction: what the file says, else the average where all
    /// frames last equally long; `nil` for audio and for variable rates.
    public var nominalRate: FrameRate? {
        guard let format = format?.video else { return nil }
        if let stated = format.nominalRate { return stated }
        guard let steps = frameDurations, steps.lowerBound == steps.upperBound else { return nil }
        let step = steps.lowerBound.reduced
        guard step.value > 0, let per = Int32(exactly: step.value) else { return nil }
        return FrameRate(step.timescale, per: per)
    }

    /// From the first instant something is shown to the last (movie time).
    public var timeRange: MediaTimeRange {
        guard start < duration else { return MediaTimeRange(start: start, duration: .zero) }
        do {
            return MediaTimeRange(start: start, duration: try duration.adding(-start))
        } catch {
            let from = start.scaled(to: timescale, rounding: .nearest)
            let to = duration.scaled(to: timescale, rounding: .nearest)
            return MediaTimeRange(
                start: from,
                duration: MediaTime(value: max(0, to.value - from.value), timescale: timescale))
        }
    }

    /// Until when there is something to show (movie time): the end, for a still picture as long as anything
    /// may last (24 h).
    public var reach: MediaTime { isStill ? .seconds(24 * 3600) : duration }

    /// The edit list as spans without holes; one span over everything where there is none.
    public var segments: [Segment] {
        guard !edits.isEmpty else {
            let whole = MediaTimeRange(start: .zero, duration: max(.zero, duration))
            return [Segment(timeRange: whole, source: whole)]
        }
        return edits.map { edit in
            let length = edit.duration ?? max(.zero, duration.lessened(by: edit.start, timescale))
            let source = edit.mediaTime.map {
                MediaTimeRange(
                    start: $0,
                    duration: edit.isHeld
                        ? .zero : length.scaled(to: timescale, rounding: .nearest))
            }
            return Segment(
                timeRange: MediaTimeRange(start: edit.start, duration: length), source: source)
        }
    }
}

extension MediaTime {
    /// The difference, in ticks of a timescale where it has no exact one.
    fileprivate func lessened(by other: MediaTime, _ timescale: Int32) -> MediaTime {
        (try? adding(-other))
            ?? MediaTime(
                value: ticks(per: timescale, rounding: .nearest)
                    - other.ticks(per: timescale, rounding: .nearest), timescale: timescale)
    }
}
