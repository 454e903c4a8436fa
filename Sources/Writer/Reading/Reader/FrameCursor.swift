package import Media

/// The frames of a track by movie time, in any order. Thread-bound.
///
/// Holds one decoder and the few frames it has ready. Asking forwards decodes on; asking further
/// back, or behind a sync sample that is still to come, begins at the sync sample before.
package final class FrameCursor: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    /// What decoded frames are: size, pixels, colour, pixel aspect, orientation still to be applied.
    package let format: VideoFormat
    private let pictures: any TrackFrames
    private let path: String

    /// How track time lies on the movie's.
    var line: EditLine { pictures.line }

    // owned by the calling thread
    private var isOpen = true

    /// - Parameters:
    ///   - start: where the first frame will be wanted (movie time).
    ///   - threads: decoding threads (count); more than one decodes several frames at once, each
    ///     holding one more frame.
    ///   - box: a still picture need not be larger than what it takes to fill this; some are decoded faster
    ///     that way, and come as small as that (nil: as they are).
    ///   - fields: how interlaced frames are shown.
    /// - Throws: `unsupported`, `damaged-file`, `no-such-file`.
    package init(
        asset: Asset, track: AssetTrack, startingAt start: MediaTime = .zero, threads: Int = 1,
        fitting box: FrameBounds? = nil, fields: FieldUse = .asDecoded
    ) throws(MediaError) {
        path = asset.path
        let decoded = try asset.openFrames(track, threads: threads, fitting: box)
        let areMade = fields != .asDecoded && asset.image == nil && !asset.isSequence
        pictures = areMade ? FieldFrames(decoded, fields) : decoded
        do throws(MediaError) {
            let place = pictures.line.place(at: pictures.line.ticks(start))
            let first = try pictures.picture(at: place?.media ?? 0).sample
            guard let format = first.format.video else {
                throw asset.unreadable(track, because: "it holds audio and not video")
            }
            self.format = format
        } catch {
            pictures.close()
            throw error
        }
    }

    /// Coded samples that could not be decoded whole so far (count); what could be shows, else the
    /// frame before.
    package var damagedSamples: Int { pictures.damagedSamples }

    /// The pictures of a sequence among them, each once.
    package var damagedFiles: [String] { pictures.damagedFiles }

    /// The frame on show at a movie time: the last one whose time is at or before it, before the
    /// first the first, after the last the last. Its time and duration are movie time, as far as the
    /// edit list shows it.
    package func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer {
        guard isOpen else {
            throw MediaError(
                code: .invalidState, subject: path,
                message: "Cannot show a frame of \(path): its cursor is closed.")
        }
        let line = pictures.line
        let place = line.place(at: line.ticks(time))
        let found = try pictures.picture(at: place?.media ?? 0)
        var sample = found.sample
        guard let span = place?.span else { return sample }
        let begin = sample.presentationTime.value
        var start = span.movieTime(of: max(begin, span.media ?? begin))
        var end = found.end.map { span.movieTime(of: $0) }
        if span.isHeld { (start, end) = (span.start, span.end) }
        if let last = span.end { end = min(end ?? last, last) }
        sample.presentationTime = line.time(start)
        sample.duration = end.flatMap { $0 > start ? line.time($0 - start) : nil }
        return sample
    }

    /// When the last sync sample at or before a movie time is shown, and the first one after it, as far as the edit
    /// list shows them; nil: there is none. Where a file has no index of them samples are read, and the next frame
    /// is looked for anew.
    /// - Parameters:
    ///   - before, after: how far away they are of use (seconds; nil: at any distance); what is not may be left out.
    package func syncTimes(
        around time: MediaTime, before: MediaTime?, after: MediaTime?
    ) throws(MediaError) -> (before: MediaTime?, after: MediaTime?) {
        let line = pictures.line
        guard isOpen, let place = line.place(at: line.ticks(time)), !place.span.isHeld else {
            return (nil, nil)
        }
        let span = place.span
        let limits = SyncLimits(
            before: before.map { line.ticks($0) + 1 }, after: after.map { line.ticks($0) + 1 })
        let found = try pictures.syncTimes(around: place.media, within: limits)
        func shown(_ media: Int64?) -> MediaTime? {
            guard let media, media >= span.media ?? 0, case let ticks = span.movieTime(of: media),
                span.contains(ticks)
            else { return nil }
            return line.time(ticks)
        }
        return (shown(found.before), shown(found.after))
    }

    /// Gives back the decoder, its frames and the file.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        pictures.close()
    }

    deinit { close() }
}
