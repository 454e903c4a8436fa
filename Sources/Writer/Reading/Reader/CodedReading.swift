internal import Media

/// A track's coded samples as they are, in order of decoding.
// because its owner serialises its calls
final class CodedReading: TrackReading, @unchecked Sendable {
    /// Decoded before the place wanted, so that it comes out right (frames at the track's rate).
    private static let audioTrackLead: Int64 = 4096

    /// A stretch of the edit list to be read. Track times in ticks of the line.
    private struct Stretch {
        let span: EditLine.Span
        let from: Int64
        let to: Int64
    }

    // immutable
    private let source: any CodedTrack
    private let isAudio: Bool

    // owned by the calling thread
    private var stretches: [Stretch] = []
    private var isInside = false
    private var waiting: SampleBuffer?

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        source = OrderedTrack.over(try asset.open(track))
        isAudio = source.format.audio != nil
    }

    func begin(_ range: MediaTimeRange) {
        let line = source.line
        let (from, to) = (line.ticks(range.start), line.ticks(range.end))
        stretches = line.spans.compactMap { span in
            guard let media = span.media else { return nil }
            let start = max(from, span.start)
            let end = min(to, span.end ?? to)
            guard start < end else { return nil }
            let first = span.isHeld ? media : media + start - span.start
            return Stretch(
                span: span, from: first, to: span.isHeld ? first + 1 : first + end - start)
        }
        isInside = false
        waiting = nil
    }

    func close() { source.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        while let stretch = stretches.first {
            if !isInside { try enter(stretch) }
            guard let sample = waiting else {
                stretches.removeFirst()
                isInside = false
                continue
            }
            waiting = try following(stretch)
            return placed(sample, stretch)
        }
        return nil
    }

    private func enter(_ stretch: Stretch) throws(MediaError) {
        isInside = true
        var place = stretch.from
        if isAudio, let rate = source.format.audio?.sampleRate {
            let lead = MediaTime(value: Self.audioTrackLead, timescale: Int32(rate))
            place -= source.line.ticks(lead)
        }
        _ = try source.seek(to: place)
        waiting = try following(stretch)
        guard isAudio, var first = waiting else { return }
        let missing = source.line.time(stretch.from - first.presentationTime.value)
        first.attachments.leadingTrim = max(0, frames(missing))
        waiting = first
    }

    private func following(_ stretch: Stretch) throws(MediaError) -> SampleBuffer? {
        guard var sample = try source.next() else { return nil }
        sample.attachments.leadingTrim = 0
        let decode = sample.decodeTime ?? sample.presentationTime
        return decode.value < stretch.to ? sample : nil
    }

    private func placed(_ sample: SampleBuffer, _ stretch: Stretch) -> SampleBuffer {
        var sample = sample
        if isAudio, waiting == nil, let length = sample.duration {
            let over = sample.presentationTime.value + length.value - stretch.to
            if over > 0 {
                sample.attachments.trailingTrim = max(
                    sample.attachments.trailingTrim, frames(source.line.time(over)))
            }
        }
        if !isAudio {
            let shown = sample.presentationTime.value
            let end = shown + (sample.duration?.value ?? 0)
            // where it is not known which frame is on show at the start, its length says so
            let isOver =
                source.shownTime(at: stretch.from).map { shown < $0 } ?? (end <= stretch.from)
            sample.attachments.isHidden =
                shown < stretch.from && isOver || shown >= stretch.to
        }
        let line = source.line
        sample.presentationTime = line.time(
            stretch.span.movieTime(of: sample.presentationTime.value))
        sample.decodeTime = sample.decodeTime.map {
            line.time(stretch.span.movieTime(of: $0.value))
        }
        return sample
    }

    private func frames(_ time: MediaTime) -> Int {
        let rate = Int32(source.format.audio?.sampleRate ?? 1)
        return Int(clamping: time.scaled(to: rate, rounding: .nearest).value)
    }
}
