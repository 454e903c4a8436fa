package import Media

/// Writes a movie of coded samples of others, without decoding anything. Blocks; thread-bound.
package final class MovieCopy {
    /// What was copied.
    package struct Result: Sendable {
        package let duration: MediaTime
        /// Samples of each track (count; PCM: as read).
        package let sampleCounts: [Int]
        /// Those of them of which the movie shows something, which edit lists may cut (count).
        package let shownCounts: [Int]
        /// Size of the file (bytes).
        package let fileBytes: Int64
    }

    // immutable
    private let path: String
    private let file: DurableFile
    private let writer: any ContainerWriter
    /// The writer where the container has edit lists.
    private let movie: MovieFileWriter?
    private let movieScale: Int32
    private let tracks: [any CopiedSamples]

    // owned by the calling thread
    private var waiting: [CopiedSample?]
    private var counts: [Int]

    /// Containers that can show a part of what they hold; others hold copies of whole tracks.
    package static func applies(to container: OutputContainer) -> Bool { container.hasEditLists }

    /// Creates the file; one of this name that is there is replaced.
    /// - Parameters:
    ///   - texts: subtitles of the new movie, by its times.
    ///   - groups: metadata of the new movie, by its times; of MP4 and QuickTime.
    ///   - movieScale: ticks of the spans' targets (1/s).
    /// - Throws: `unsupported` when the container cannot carry what the sources hold.
    package init(
        _ tracks: [any CopySource], texts: [TextTrack] = [], groups: [MetadataTrack] = [],
        to path: String, container: OutputContainer, metadata: MovieMetadata, movieScale: Int32
    ) throws(MediaError) {
        self.path = path
        self.movieScale = movieScale
        var sources: [any CopiedSamples] = []
        for track in tracks {
            sources.append(
                try track.samples(movieScale: movieScale, isEdited: container.hasEditLists))
        }
        self.tracks = sources
        waiting = Array(repeating: nil, count: sources.count)
        counts = Array(repeating: 0, count: sources.count)
        file = try DurableFile(
            creating: path, existing: .replace, policy: .never,
            gapHeader: container.hasEditLists ? MovieFileWriter.gapHeader : nil)
        let inner: any ContainerWriter
        if let kind = container.libavContainer {
            movie = nil
            inner = try LibAVContainerWriter(
                file: file, container: kind, fragmentInterval: .milliseconds(250),
                statesLastLength: true)
        } else {
            let movie = MovieFileWriter(file: file, container: container == .mov ? .mov : .mp4)
            self.movie = movie
            inner = movie
        }
        writer =
            texts.isEmpty && groups.isEmpty
            ? inner : TimedFeed(inner, texts, metadata: groups, in: container)
        do throws(MediaError) {
            for samples in sources {
                try container.requireRoom(forCopyOf: samples.format)
                guard let own = samples.containerTrack else { continue }
                _ = try writer.addTrack(own)
            }
            try writer.begin(metadata)
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Notes a chapter (movie time).
    package func mark(_ title: String, at time: MediaTime) throws(MediaError) {
        try writer.annotate(.marker(title, at: time))
    }

    /// Copies one sample of the track that has come least far.
    /// - Returns: how far all tracks have come, and how many bytes are written; `nil` at the end.
    package func step() throws(MediaError) -> (time: MediaTime, bytes: Int64)? {
        for index in tracks.indices where waiting[index] == nil {
            waiting[index] = try tracks[index].next()
        }
        // by the movie's times: those of the tracks run ahead by what their edit lists cut
        let next = tracks.indices.filter { waiting[$0] != nil }
            .min { waiting[$0]?.time ?? 0 < waiting[$1]?.time ?? 0 }
        guard let next, let placed = waiting[next] else { return nil }
        waiting[next] = nil
        try writer.append(placed.sample, track: next)
        counts[next] += 1
        return (MediaTime(value: placed.time, timescale: movieScale), file.size)
    }

    /// Writes the edit lists and the index.
    package func finish() throws(MediaError) -> Result {
        for (index, track) in tracks.enumerated() where track.isEdited {
            movie?.edit(track.edits, track: index)
        }
        let summary = try writer.finish()
        return Result(
            duration: summary.duration, sampleCounts: counts,
            shownCounts: tracks.map(\.shownCount), fileBytes: summary.fileBytes)
    }

    /// The lock of the new file, for longer than it is open.
    package func keepLock() -> FileLock? { file.keepLock() }

    /// Closes the file as it is; the caller removes it.
    package func abandon() { writer.abandon() }
}
