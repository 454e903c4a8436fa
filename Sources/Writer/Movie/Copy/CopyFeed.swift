package import Media

/// Puts copied tracks into a container beside those that others encode: each sample when what is written with
/// it has come so far. Thread-bound: the writing thread.
package final class CopyFeed: ContainerWriter {
    /// Ticks of movie time by which samples are put in order (1/s).
    private static let movieScale: Int32 = 705_600_000

    /// A copied track and its next sample.
    private struct Input {
        let samples: any CopiedSamples
        var next: CopiedSample?
        /// The container's number of the track.
        var index = 0
    }

    // owned by the writing thread
    private let inner: any ContainerWriter
    private var inputs: [Input] = []
    private let places: [Int]
    private var own: [ContainerTrack] = []
    /// The container's numbers of those tracks.
    private var ownIndexes: [Int] = []
    private var hasFailed = false

    /// - Parameter copies: by the numbers they get.
    package init(
        _ inner: any ContainerWriter, _ copies: [Int: any CopySource], in container: OutputContainer
    ) throws(MediaError) {
        self.inner = inner
        places = copies.keys.sorted()
        for place in places {
            guard let track = copies[place] else { continue }
            let samples = try track.samples(
                movieScale: Self.movieScale, isEdited: container.hasEditLists)
            try container.requireRoom(forCopyOf: samples.format)
            inputs.append(Input(samples: samples))
        }
    }

    package func addTrack(_ track: ContainerTrack) -> Int {
        own.append(track)
        return own.count - 1
    }

    package func begin(_ metadata: MovieMetadata) throws(MediaError) {
        var number = 0
        for input in inputs.indices {
            while number < places[input], ownIndexes.count < own.count {
                ownIndexes.append(try inner.addTrack(own[ownIndexes.count]))
                number += 1
            }
            if let track = inputs[input].samples.containerTrack {
                inputs[input].index = try inner.addTrack(track)
            }
            number += 1
        }
        while ownIndexes.count < own.count {
            ownIndexes.append(try inner.addTrack(own[ownIndexes.count]))
        }
        try inner.begin(metadata)
        for input in inputs.indices { inputs[input].next = try inputs[input].samples.next() }
    }

    package func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        do throws(MediaError) {
            let time = sample.decodeTime ?? sample.presentationTime
            try feed(until: time.ticks(per: Self.movieScale, rounding: .down))
            try inner.append(sample, track: ownIndexes[track])
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func feed(until time: Int64) throws(MediaError) {
        while let input = inputs.indices.filter({ inputs[$0].next != nil })
            .min(by: { inputs[$0].next?.time ?? 0 < inputs[$1].next?.time ?? 0 }),
            let placed = inputs[input].next, placed.time <= time
        {
            try inner.append(placed.sample, track: inputs[input].index)
            inputs[input].next = try inputs[input].samples.next()
        }
    }

    package func annotate(_ annotation: MovieAnnotation) throws(MediaError) {
        try inner.annotate(annotation)
    }

    package func flush() throws(MediaError) { try inner.flush() }

    package func cut(track: Int, at end: MediaTime) {
        guard ownIndexes.indices.contains(track) else { return }
        inner.cut(track: ownIndexes[track], at: end)
    }

    package func update(format: FormatDescription, ofTrack track: Int) throws(MediaError) {
        guard ownIndexes.indices.contains(track) else { return }
        try inner.update(format: format, ofTrack: ownIndexes[track])
    }

    package func finish() throws(MediaError) -> ContainerSummary {
        // after a failure the container takes nothing more, and is finished all the same
        guard !hasFailed else { return try inner.finish() }
        var failure: MediaError?
        do throws(MediaError) { try feed(until: .max) } catch { failure = error }
        for input in inputs where input.samples.isEdited {
            (inner as? MovieFileWriter)?.edit(input.samples.edits, track: input.index)
        }
        let summary = try inner.finish()
        if let failure { throw failure }
        return summary
    }

    package func abandon() { inner.abandon() }

    package var holdsSamples: Bool { inner.holdsSamples }
}
