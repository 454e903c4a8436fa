internal import LibAV
package import Media

/// The pictures of a track by movie time, in any order. Thread-bound.
///
/// Holds one decoder and the few pictures it has ready. Asking forwards decodes on; asking further
/// back, or behind a sync sample that is still to come, begins at the sync sample before.
package final class PictureCursor: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    /// What decoded pictures are: size, pixels, colour, pixel aspect, orientation still to be applied.
    package let format: VideoFormat
    private let source: any CodedTrack
    private let stream: PictureStream
    private let path: String

    /// How track time lies on the movie's.
    var line: EditLine { source.line }

    // owned by the calling thread
    private var isOpen = true

    /// - Parameters:
    ///   - start: where the first picture will be wanted (movie time).
    ///   - threads: decoding threads (count); more than one decodes several pictures at once, each
    ///     holding one more picture.
    /// - Throws: `unsupported`, `damaged-file`, `no-such-file`.
    package init(
        asset: Asset, track: AssetTrack, startingAt start: MediaTime = .zero, threads: Int = 1
    ) throws(WriterError) {
        path = asset.path
        source = try asset.open(track)
        do throws(WriterError) {
            guard let coded = source.format.video else {
                throw asset.unreadable(track, because: "it holds sound and not pictures")
            }
            stream = try PictureStream(
                source, coded, threads: track.isStill ? 1 : threads,
                maximumPixels: track.isStill
                    ? DemuxerLimits().maximumStillPixels : VideoDecoder.maximumPixels, path: path)
            let place = source.line.place(at: source.line.ticks(start))
            let first = try stream.picture(at: place?.media ?? 0)
            format = first.sample.format.video ?? coded
        } catch {
            source.close()
            throw error
        }
    }

    /// Coded samples that could not be decoded so far (count); the picture before shows instead.
    package var damagedSamples: Int { stream.damagedSamples }

    /// The picture on show at a movie time: the last one whose time is at or before it, before the
    /// first the first, after the last the last. Its time and duration are movie time, as far as the
    /// edit list shows it.
    package func picture(at time: MediaTime) throws(WriterError) -> SampleBuffer {
        guard isOpen else {
            throw WriterError(
                code: .invalidState, subject: path,
                message: "Cannot show a picture of \(path): its cursor is closed.")
        }
        let line = source.line
        let place = line.place(at: line.ticks(time))
        let found = try stream.picture(at: place?.media ?? 0)
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

    /// Gives back the decoder, its pictures and the file.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        stream.close()
        source.close()
    }

    deinit { close() }
}
