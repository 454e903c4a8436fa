internal import LibAV
internal import Media

/// How interlaced frames are shown.
package enum FieldUse: Sendable {
    /// As they were decoded: lines of two instants in one frame.
    case asDecoded
    /// A whole frame of each one's first field.
    case first
    /// A whole frame of each field, the second from half of the frame's time on.
    case both
}

/// The frames of a track with those that are interlaced made whole. Thread-bound.
///
/// Each is made of its two neighbours too. Asking onwards, however far, decodes no more than asking for frames as they
/// are; asking back, or at a place far away, decodes the frame before as well, which may begin at a sync sample.
final class FieldFrames: TrackFrames {
    /// What is made of one frame.
    private struct Whole {
        let start: Int64
        let end: Int64?
        /// Whether no frame comes behind it.
        let isLast: Bool
        let pictures: [SampleBuffer]

        func contains(_ media: Int64) -> Bool {
            start <= media && (isLast || end.map { media < $0 } ?? true)
        }

        /// What is on show at a time, and until when.
        func part(at media: Int64) -> Decoded {
            guard pictures.count > 1, let end, end > start + 1 else { return (pictures[0], end) }
            let middle = (start + end) / 2
            var sample = pictures[media < middle ? 0 : 1]
            sample.presentationTime = MediaTime(
                value: media < middle ? start : middle,
                timescale: sample.presentationTime.timescale)
            return (sample, media < middle ? middle : end)
        }
    }

    /// A decoded frame, and when the next one comes.
    private typealias Decoded = (sample: SampleBuffer, end: Int64?)

    // immutable
    private let frames: any TrackFrames
    private let isDoubled: Bool

    // owned by the calling thread
    private var deinterlacer: Deinterlacer?
    /// The frame that was added to it last.
    private var latest: Decoded?
    private var whole: Whole?

    init(_ frames: any TrackFrames, _ use: FieldUse) {
        self.frames = frames
        isDoubled = use == .both
    }

    var line: EditLine { frames.line }
    var damagedSamples: Int { frames.damagedSamples }

    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) throws(MediaError) -> (before: Int64?, after: Int64?) {
        try frames.syncTimes(around: media, within: limits)
    }

    func close() {
        forget()
        frames.close()
    }

    private func forget() { (deinterlacer, latest, whole) = (nil, nil, nil) }

    func picture(at media: Int64) throws(MediaError) -> (sample: SampleBuffer, end: Int64?) {
        if let whole, whole.contains(media) { return whole.part(at: media) }
        if let latest, latest.sample.presentationTime.value <= media,
            latest.end.map({ media < $0 }) ?? true
        {
            return try complete(latest, at: media)
        }
        let shown = try frames.picture(at: media)
        forget()
        guard shown.sample.attachments.fieldOrder != nil,
            let pixels = shown.sample.pixelBuffer, Deinterlacer.reads(pixels),
            Deinterlacer.isAvailable
        else { return shown }
        let deinterlacer = try Deinterlacer(
            pixels.format, width: pixels.width, height: pixels.height, isDoubled: isDoubled)
        self.deinterlacer = deinterlacer
        let start = shown.sample.presentationTime.value
        var before = frames.previous
        if before == nil { before = try neighbour(at: start - 1)?.sample }
        if let before, before.presentationTime.value < start, let other = before.pixelBuffer,
            isLike(other, pixels)
        {
            _ = try deinterlacer.add(other, before.attachments.fieldOrder)
        }
        _ = try deinterlacer.add(pixels, shown.sample.attachments.fieldOrder)
        return try complete(shown, at: media)
    }

    /// A frame that another one is made of; nil where it cannot be decoded: the other one can do without.
    private func neighbour(at media: Int64) throws(MediaError) -> Decoded? {
        do throws(MediaError) { return try frames.picture(at: media) } catch {
            guard error.code == .damagedFile else { throw error }
            return nil
        }
    }

    private func isLike(_ one: PixelBuffer, _ other: PixelBuffer) -> Bool {
        (one.width, one.height, one.format) == (other.width, other.height, other.format)
    }

    /// - Parameter frame: the one that was added last.
    private func complete(_ frame: Decoded, at media: Int64) throws(MediaError) -> Decoded {
        guard let deinterlacer, let own = frame.sample.pixelBuffer else { return frame }
        let start = frame.sample.presentationTime.value
        var next: Decoded?
        if let end = frame.end { next = try neighbour(at: end) }
        var isLast = frame.end == nil
        if let found = next, found.sample.presentationTime.value <= start {
            (next, isLast) = (nil, true)
        }
        let pictures: [PixelBuffer]
        if let next, let other = next.sample.pixelBuffer, isLike(other, own) {
            pictures = try deinterlacer.add(other, next.sample.attachments.fieldOrder)
            latest = next
        } else {
            pictures = try deinterlacer.finish()
            (self.deinterlacer, latest) = (nil, nil)
        }
        guard !pictures.isEmpty else { return frame }
        let made = Whole(
            start: start, end: frame.end, isLast: isLast,
            pictures: pictures.map {
                var sample = frame.sample
                sample.payload = .pixels($0)
                sample.attachments.fieldOrder = nil
                return sample
            })
        whole = made
        return made.part(at: media)
    }
}
