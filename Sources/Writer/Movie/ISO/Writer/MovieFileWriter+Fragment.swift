internal import Media

extension MovieFileWriter {
    /// Tables, headers and annotations the index needs beyond those already counted (bytes).
    private static let reserveMargin: Int64 = 64 << 10

    /// Writes what waits, of all tracks, as one fragment; the header first if it is not there yet.
    func writeFragment(everything: Bool) throws(MediaError) {
        let hasSamples = tracks.contains { !$0.pending.isEmpty }
        guard hasSamples || !waitingAnnotations.isEmpty else { return }
        do throws(MediaError) {
            try writeHeader()
            let parts = tracks.indices.map { tracks[$0].takeFragment(everything: everything) }
            pendingBytes = tracks.reduce(0) { $0 + $1.payload.count }
            try write(parts)
        } catch {
            stage = .failed
            dropPending()
            throw error
        }
    }

    private func write(
        _ parts: [(samples: [SampleIndex.Sample], data: [UInt8])]
    ) throws(MediaError) {
        guard parts.contains(where: { !$0.samples.isEmpty }) || !waitingAnnotations.isEmpty
        else { return }
        let builder = try FragmentBuilder(
            sequenceNumber: sequenceNumber + 1, annotations: waitingAnnotations,
            firstAnnotationID: UInt32(annotations.count),
            parts: zip(tracks, parts).map { track, part in
                FragmentBuilder.Part(
                    trackID: track.header.id, shift: track.shift, samples: part.samples,
                    data: part.data, isVideo: track.track.format.mediaType == .video)
            }, subject: file.name)
        file.setReserve(indexSize(adding: parts.map(\.samples)))
        let offset: Int64
        do throws(MediaError) { offset = try file.append(builder.bytes) } catch {
            lostSamples += parts.reduce(0) { $0 + $1.samples.count }
            throw error
        }
        if builder.hasSamples { sequenceNumber += 1 }
        annotations += waitingAnnotations
        waitingAnnotations = []
        for (position, part) in parts.enumerated() where !part.samples.isEmpty {
            tracks[position].index.appendChunk(
                part.samples, at: offset + Int64(builder.dataOffsets[position]))
        }
    }

    /// The first `moov` waits for the first samples, which tell where movie time zero is.
    private func writeHeader() throws(MediaError) {
        guard stage == .begun else { return }
        for position in tracks.indices { tracks[position].shift = tracks[position].initialShift }
        var builder = BoxBuilder()
        builder.append(container.fileType)
        let offset = Int64(builder.bytes.count)
        builder.raw(movieHeader.growing(shifts: tracks.map(\.shift)))
        file.setReserve(MovieFileWriter.reserveMargin)
        try file.append(builder.bytes)
        headerOffset = offset
        stage = .growing
    }

    var movieHeader: MovieHeader {
        MovieHeader(container: container, metadata: metadata, tracks: tracks.map(\.header))
    }

    /// What the index will take at most, once some more samples are in it (bytes).
    private func indexSize(adding parts: [[SampleIndex.Sample]]) -> Int64 {
        // at worst a row in each table for every sample, and a chunk for every part
        let more = parts.reduce(0) { $0 + $1.count * 24 + 20 }
        let waiting = waitingAnnotations.count * 1024
        let notes = (annotations + waitingAnnotations).reduce(0) { total, annotation in
            if case .marker(let text, _) = annotation { return total + 2 * text.utf8.count + 128 }
            return total + 128
        }
        let chapters = ChapterTrack.room(for: annotations + waitingAnnotations)
        let headers = tracks.reduce(0) { $0 + $1.header.sampleDescription.count + 1024 }
        return Int64(tableBytes + more + waiting + notes + chapters + headers)
            + MovieFileWriter.reserveMargin
    }

    func dropPending() {
        for position in tracks.indices { lostSamples += tracks[position].dropPending() }
        pendingBytes = 0
    }
}
