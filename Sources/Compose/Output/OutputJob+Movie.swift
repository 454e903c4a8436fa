internal import Media
internal import Movie
internal import Reading
internal import Writing

extension OutputJob {
    /// Copies coded samples into a new movie under its temporary name, which is closed then.
    /// - Parameters:
    ///   - chapters: by the new movie's times.
    ///   - duration: how long it will be, for what is reported.
    func copy(
        _ tracks: [CopiedTrack], texts: [TextTrack], groups: [MetadataTrack], chapters: [Chapter],
        duration: MediaTime,
        to output: TemporaryOutput, as container: OutputContainer, metadata: MovieMetadata
    ) throws(MediaError) -> MovieCopy.Result {
        try write(output) { () throws(MediaError) in
            let copy = try MovieCopy(
                tracks, texts: texts, groups: groups, to: output.temporaryPath,
                container: container,
                metadata: metadata, movieScale: Composition.timescale)
            do throws(MediaError) {
                try output.begin(copy.keepLock())
                for chapter in chapters { try copy.mark(chapter.title, at: chapter.time) }
                var steps = 0
                while let reached = try copy.step() {
                    steps += 1
                    guard steps % 64 == 1 else { continue }
                    try checkCancelled(output.path)
                    report(reached.time, of: duration, bytes: reached.bytes)
                }
                return try copy.finish()
            } catch {
                copy.abandon()
                throw error
            }
        }
    }
}

extension AssetWriterConfiguration {
    /// Of a movie that is encoded as fast as it goes, under its temporary name.
    init(
        _ output: TemporaryOutput, as container: OutputContainer?, metadata: MovieMetadata,
        texts: [TextTrack], groups: [MetadataTrack]
    ) throws(MediaError) {
        try self.init(
            outputPath: output.temporaryPath,
            container: container ?? OutputContainer(path: output.path), overwrites: true,
            mode: .offline)
        syncPolicy = .never
        fragmentInterval = .milliseconds(500)
        rescuesFile = false  // the job does
        audioQueueBytes = 4 << 20
        self.metadata = metadata
        textTracks = texts
        metadataTracks = groups
    }
}
