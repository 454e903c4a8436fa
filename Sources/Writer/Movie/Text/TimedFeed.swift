package import Media

/// Puts tracks of text and metadata into a container between the video and audio that others append. Thread-bound: the
/// writing thread.
package final class TimedFeed: ContainerWriter {
    /// How far they are ahead of what is shown with it (seconds).
    private static let lead = MediaTime.milliseconds(250)

    /// A track and what of it is still to come.
    private struct PendingTrack {
        let track: ContainerTrack
        var samples: ArraySlice<SampleBuffer>
        /// The container's number of the track.
        var index = 0
    }

    // owned by the writing thread
    private let inner: any ContainerWriter
    private var pending: [PendingTrack]
    private var hasFailed = false

    package init(
        _ inner: any ContainerWriter, _ texts: [TextTrack], metadata: [MetadataTrack] = [],
        in container: OutputContainer
    ) {
        self.inner = inner
        let textTracks = texts.enumerated().map { number, text in
            PendingTrack(
                track: text.containerTrack(in: container, isFirst: number == 0),
                samples: text.samples(in: container)[...])
        }
        pending =
            textTracks
            + metadata.map { PendingTrack(track: $0.containerTrack, samples: $0.placed[...]) }
    }

    package func addTrack(_ track: ContainerTrack) throws(MediaError) -> Int {
        try inner.addTrack(track)
    }

    package func begin(_ metadata: MovieMetadata) throws(MediaError) {
        for number in pending.indices {
            pending[number].index = try inner.addTrack(pending[number].track)
        }
        try inner.begin(metadata)
    }

    package func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        do throws(MediaError) {
            try feed(until: max(.zero, sample.decodeTime ?? sample.presentationTime))
            try inner.append(sample, track: track)
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func feed(until time: MediaTime?) throws(MediaError) {
        let most = time.map { $0.nanoseconds() + Self.lead.nanoseconds() } ?? .max
        for number in pending.indices {
            while let next = pending[number].samples.first,
                next.presentationTime.nanoseconds() <= most
            {
                pending[number].samples.removeFirst()
                try inner.append(next, track: pending[number].index)
            }
        }
    }

    package func annotate(_ annotation: MovieAnnotation) throws(MediaError) {
        try inner.annotate(annotation)
    }

    package func flush() throws(MediaError) { try inner.flush() }

    package func setEnd(_ end: MediaTime) { inner.setEnd(end) }

    package func cut(track: Int, at end: MediaTime) { inner.cut(track: track, at: end) }

    package func update(format: FormatDescription, ofTrack track: Int) throws(MediaError) {
        try inner.update(format: format, ofTrack: track)
    }

    package func finish() throws(MediaError) -> ContainerSummary {
        // after a failure the container takes nothing more, and is finished all the same
        guard !hasFailed else { return try inner.finish() }
        var failure: MediaError?
        do throws(MediaError) { try feed(until: nil) } catch { failure = error }
        let summary = try inner.finish()
        if let failure { throw failure }
        return summary
    }

    package func abandon() { inner.abandon() }

    package var holdsSamples: Bool { inner.holdsSamples }
}
