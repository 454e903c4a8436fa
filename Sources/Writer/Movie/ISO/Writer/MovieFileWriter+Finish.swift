package import Media

extension MovieFileWriter {
    package func finish() throws(MediaError) -> ContainerSummary {
        try require([.begun, .growing, .failed], "finish")
        defer {
            stage = .closed
            file.close()
        }
        if stage == .begun || stage == .growing {
            // a failure here is the caller's to know of from the file's handler: what is on disk
            // is finished all the same
            do throws(MediaError) { try writeFragment(everything: true) } catch {
                guard headerOffset > 0 else { throw error }
            }
        }
        if stage == .begun { try writeEmptyHeader() }
        guard headerOffset > 0 else { throw file.failure ?? nothingWritten }
        try adoptFormats()
        for position in tracks.indices { tracks[position].settleEnd() }
        try writeIndex()
        return ContainerSummary(
            tracks: summaries, duration: summaries.map(\.duration).max() ?? .zero,
            fileBytes: file.size, lostSamples: lostSamples)
    }

    /// Says what a track shows, before `finish`; the samples appended stay as they are.
    func edit(_ edits: TrackEdits, track: Int) {
        guard tracks.indices.contains(track) else { return }
        ownEdits[track] = edits
    }

    private var summaries: [ContainerSummary.Track] {
        tracks.indices.map { position in
            var summary = tracks[position].summary
            if let own = ownEdits[position] {
                summary.duration = MediaTime(value: own.end, timescale: own.timescale)
            }
            return summary
        }
    }

    package func update(format: FormatDescription, ofTrack track: Int) throws(MediaError) {
        guard tracks.indices.contains(track) else { return }
        finalFormats[track] = format
    }

    /// What encoders know at their end and not before (FLAC's counts and checksum) goes into the
    /// index; the first `moov` says "unknown" for as long as it counts.
    private func adoptFormats() throws(MediaError) {
        for (track, format) in finalFormats where format != tracks[track].track.format {
            tracks[track].sampleDescription = try SampleEntry.description(
                of: format, in: container)
        }
    }

    /// A take that ended before its first sample is an ordinary movie without samples.
    private func writeEmptyHeader() throws(MediaError) {
        var builder = BoxBuilder()
        builder.append(container.fileType)
        let offset = Int64(builder.bytes.count)
        builder.raw(movieHeader.growing(shifts: tracks.map { _ in 0 }))
        try file.append(builder.bytes)
        headerOffset = offset
        stage = .growing
    }

    private func writeIndex() throws(MediaError) {
        let chapters = try appendChapters()
        // every byte the index points at must be where it says before the index exists
        if options.barrier { try file.synchronize() }
        let index = movieHeader.complete(
            indexes: tracks.map(\.index),
            edits: tracks.indices.map { ownEdits[$0] ?? tracks[$0].edits },
            annotations: annotations, chapters: chapters,
            place: { self.file.physicalOffset(ofLogical: $0) })
        try MovieFinisher(barrier: options.barrier)
            .finish(file, index: index, headerOffset: headerOffset)
    }

    /// The chapters' texts, which the index points at, go in front of it.
    private func appendChapters() throws(MediaError) -> (track: ChapterTrack, offset: Int64)? {
        let end = summaries.map(\.duration).max() ?? .zero
        guard !tracks.isEmpty, let chapters = ChapterTrack(annotations, end: end) else {
            return nil
        }
        return (chapters, try file.append(chapters.data, usingReserve: true))
    }

    private var nothingWritten: MediaError {
        MediaError(
            code: .ioError, subject: file.name,
            message: "Cannot finish \(file.name): nothing of it could be written; check the disk.")
    }
}
