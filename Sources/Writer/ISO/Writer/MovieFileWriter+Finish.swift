internal import Media

extension MovieFileWriter {
    package func finish() throws(WriterError) -> ContainerSummary {
        try require([.begun, .growing, .failed], "finish")
        defer {
            stage = .closed
            file.close()
        }
        if stage == .begun || stage == .growing {
            // a failure here is the caller's to know of from the file's handler: what is on disk
            // is finished all the same
            do throws(WriterError) { try writeFragment(everything: true) } catch {
                guard headerOffset > 0 else { throw error }
            }
        }
        if stage == .begun { try writeEmptyHeader() }
        guard headerOffset > 0 else { throw file.failure ?? nothingWritten }
        try writeIndex()
        return ContainerSummary(
            tracks: tracks.map(\.summary),
            duration: tracks.map(\.summary.duration).max() ?? .zero, fileBytes: file.size,
            lostSamples: lostSamples)
    }

    /// A take that ended before its first sample is an ordinary movie without samples.
    private func writeEmptyHeader() throws(WriterError) {
        var builder = BoxBuilder()
        builder.append(container.fileType)
        let offset = Int64(builder.bytes.count)
        builder.raw(movieHeader.growing(shifts: tracks.map { _ in 0 }))
        try file.append(builder.bytes)
        headerOffset = offset
        stage = .growing
    }

    private func writeIndex() throws(WriterError) {
        // every byte the index points at must be where it says before the index exists
        if options.barrier { try file.synchronize() }
        let index = movieHeader.complete(
            indexes: tracks.map(\.index), edits: tracks.map(\.edits),
            annotations: annotations, place: { self.file.physicalOffset(ofLogical: $0) })
        try MovieFinisher(barrier: options.barrier)
            .finish(file, index: index, headerOffset: headerOffset)
    }

    private var nothingWritten: WriterError {
        WriterError(
            code: .ioError, subject: file.name,
            message: "Cannot finish \(file.name): nothing of it could be written; check the disk.")
    }
}
