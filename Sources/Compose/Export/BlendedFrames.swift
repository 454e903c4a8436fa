internal import Media
internal import Reading

/// The frames of a segment whose frames are not the film's, mixed: slower, of the two between which an instant lies;
/// faster, of all over which a frame of the film lasts. Thread-bound.
final class BlendedFrames {
    typealias Supply = (MediaTime) throws(MediaError) -> SampleBuffer

    /// Most frames that are mixed into one (count); of more these many are taken, evenly.
    private static let most = 16

    private let track: AssetTrack
    /// Of the film (seconds).
    private let frameDuration: MediaTime
    /// The latest frames in the order in which they play, so that none is decoded twice.
    private var kept: [SampleBuffer] = []

    init(_ track: AssetTrack, frameDuration: MediaTime) {
        (self.track, self.frameDuration) = (track, frameDuration)
    }

    /// - Parameters:
    ///   - time: of the timeline, in the segment.
    ///   - instant: of the source, for the frame on show at `time`.
    ///   - supply: the source's frame at an instant of it (`FrameCursor.picture`).
    func picture(
        at time: MediaTime, of segment: TrackSegment, showing instant: MediaTime,
        from supply: Supply
    ) throws(MediaError) -> SampleBuffer {
        let first = try frame(at: instant, supply)
        guard let start = position(time, segment), let shown = interval(of: first, segment),
            case let length = shown.upperBound - shown.lowerBound, length > 0
        else { return first }
        let next = min(time + frameDuration, .timeline(segment.end - 1))
        let span = start...max(start, position(next, segment) ?? start)
        let reach = span.upperBound - span.lowerBound
        var parts: [(frame: SampleBuffer, share: Double)] = []
        if reach <= length * 1.001 {
            let share = min(1, max(0, (start - shown.lowerBound) / length))
            parts = [(first, 1 - share)]
            if share > 0.002, let second = try frame(behind: first, segment, supply) {
                parts.append((second, share))
            }
        } else if reach <= length * Double(Self.most) {
            var frame: SampleBuffer? = first
            while let next = frame, let shown = interval(of: next, segment),
                shown.lowerBound < span.upperBound, parts.count <= Self.most
            {
                parts.append((next, shown.clamped(to: span).length))
                frame = try self.frame(behind: next, segment, supply)
            }
        } else {
            for number in 0..<Int64(Self.most) {
                let part = (frameDuration * number).ticks(
                    per: Composition.timescale, rounding: .down)
                let time = MediaTime.timeline(time.timelineTicks + part / Int64(Self.most))
                guard
                    let instant = segment.frameTime(
                        at: time, of: track.phase.atBeginnings, every: frameDuration)
                else { break }
                parts.append((try self.frame(at: instant, supply), 1))
            }
        }
        kept = Array(parts.map(\.frame).suffix(2))
        return first.mixed(with: parts)
    }

    private func frame(
        at instant: MediaTime, _ supply: Supply
    ) throws(MediaError) -> SampleBuffer {
        if let known = kept.first(where: { $0.isOn(at: instant) }) { return known }
        return try supply(instant)
    }

    /// The one that plays after another; nil where the segment ends.
    private func frame(
        behind frame: SampleBuffer, _ segment: TrackSegment, _ supply: Supply
    ) throws(MediaError) -> SampleBuffer? {
        let late = MediaTime(value: track.phase.lateness, timescale: track.timescale)
        let source = segment.mapping.source
        guard let length = frame.duration else { return nil }
        let instant: MediaTime
        if segment.isReversed {
            instant = frame.presentationTime - MediaTime(value: 1, timescale: track.timescale)
            guard instant - late >= source.start else { return nil }
        } else {
            instant = frame.presentationTime + length
            guard instant - late < source.end else { return nil }
        }
        let next = try self.frame(at: instant, supply)
        return next.presentationTime == frame.presentationTime ? nil : next
    }

    /// Where in the source, in the direction in which it plays (seconds).
    private func position(_ time: MediaTime, _ segment: TrackSegment) -> Double? {
        let instant = segment.sourceTime(
            at: time, timescale: Composition.timescale, rounding: .nearest)
        return instant.map { $0.approximateSeconds * (segment.isReversed ? -1 : 1) }
    }

    /// From when to when a frame is on show there.
    private func interval(
        of frame: SampleBuffer, _ segment: TrackSegment
    ) -> ClosedRange<Double>? {
        guard let length = frame.duration, length > .zero else { return nil }
        let late = MediaTime(value: track.phase.lateness, timescale: track.timescale)
        let start = (frame.presentationTime - late).approximateSeconds
        let end = start + length.approximateSeconds
        return segment.isReversed ? -end...(-start) : start...end
    }
}

extension ClosedRange<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}

extension SampleBuffer {
    fileprivate func isOn(at time: MediaTime) -> Bool {
        guard let duration else { return false }
        return presentationTime <= time && time < presentationTime + duration
    }

    /// The frame's place in the track with the pixels of several; itself where they cannot be mixed.
    fileprivate func mixed(with parts: [(frame: SampleBuffer, share: Double)]) -> SampleBuffer {
        let sum = parts.reduce(0) { $0 + $1.share }
        guard sum > 0 else { return self }
        var left = UInt32(BlendKernels.one)
        var mixes: [FrameMix.Part] = []
        for (frame, share) in parts.dropFirst() {
            guard let pixels = frame.pixelBuffer else { return self }
            let weight = min(left, UInt32((share / sum * Double(BlendKernels.one)).rounded()))
            guard weight > 0 else { continue }
            left -= weight
            mixes.append(FrameMix.Part(frame: pixels, weight: weight))
        }
        guard !mixes.isEmpty, let own = parts.first?.frame.pixelBuffer else { return self }
        mixes.insert(FrameMix.Part(frame: own, weight: left), at: 0)
        guard let pixels = FrameMix.mixed(mixes) else { return self }
        var sample = self
        sample.payload = .pixels(pixels)
        return sample
    }
}
