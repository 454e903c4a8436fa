package import Media

/// Writes a movie of coded samples of others, without decoding anything. Blocks; thread-bound.
package final class MovieCopy {
    /// What was copied.
    package struct Result: Sendable {
        package let duration: MediaTime
        /// Samples of each track (count; PCM: as read).
        package let sampleCounts: [Int]
        /// Size of the file (bytes).
        package let fileBytes: Int64
    }

    // immutable
    private let path: String
    private let writer: MovieFileWriter
    private let movieScale: Int32
    private let tracks: [SpanSamples]

    // owned by the calling thread
    private var waiting: [SpanSamples.Placed?]
    private var counts: [Int]

    /// Containers that can show a part of what they hold.
    package static func applies(to container: OutputContainer) -> Bool {
        container == .mp4 || container == .mov
    }

    /// Creates the file; one of this name that is there is replaced.
    /// - Parameters:
    ///   - texts: subtitles of the new movie, by its times.
    ///   - movieScale: ticks of the spans' targets (1/s).
    /// - Throws: `unsupported` when the container cannot carry what the sources hold.
    package init(
        _ tracks: [CopiedTrack], texts: [TextTrack] = [], to path: String,
        container: OutputContainer, metadata: MovieMetadata, movieScale: Int32
    ) throws(WriterError) {
        self.path = path
        self.movieScale = movieScale
        var sources: [SpanSamples] = []
        for track in tracks { sources.append(try SpanSamples(track, movieScale: movieScale)) }
        self.tracks = sources
        waiting = Array(repeating: nil, count: sources.count)
        counts = Array(repeating: 0, count: sources.count)
        let file = try DurableFile(
            creating: path, existing: .replace, policy: .never,
            gapHeader: MovieFileWriter.gapHeader)
        writer = MovieFileWriter(file: file, container: container == .mov ? .mov : .mp4)
        do throws(WriterError) {
            for (track, samples) in zip(tracks, sources) {
                guard let format = samples.format else { continue }
                if let codec = format.video?.codec { try container.requireRoom(for: codec) }
                if let codec = format.audio?.codec { try container.requireRoom(for: codec) }
                let first = track.spans.first?.track
                _ = try writer.addTrack(
                    ContainerTrack(
                        format: format, timescale: samples.timescale, language: first?.language,
                        name: first?.name))
            }
            var lanes: [Int] = []
            for (number, text) in texts.enumerated() {
                lanes.append(
                    try writer.addTrack(
                        text.containerTrack(in: container, isFirst: number == 0)))
            }
            try writer.begin(metadata)
            for (lane, text) in zip(lanes, texts) {
                for sample in text.samples(in: container) { try writer.append(sample, track: lane) }
            }
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Notes a chapter (movie time).
    package func mark(_ title: String, at time: MediaTime) throws(WriterError) {
        try writer.annotate(.marker(title, at: time))
    }

    /// Copies one sample of the track that has come least far.
    /// - Returns: how far all tracks have come, and how many bytes are written; `nil` at the end.
    package func step() throws(WriterError) -> (time: MediaTime, bytes: Int64)? {
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
        return (MediaTime(value: placed.time, timescale: movieScale), writer.file.size)
    }

    /// Writes the edit lists and the index.
    package func finish() throws(WriterError) -> Result {
        for (index, track) in tracks.enumerated() { writer.edit(track.edits, track: index) }
        let summary = try writer.finish()
        return Result(
            duration: summary.duration, sampleCounts: counts, fileBytes: summary.fileBytes)
    }

    /// Closes the file as it is; the caller removes it.
    package func abandon() { writer.abandon() }
}
