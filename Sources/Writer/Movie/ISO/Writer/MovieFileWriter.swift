package import Media

/// Writes MP4 and QuickTime movies that are playable while they grow and ordinary when finished
/// (see docs/design/recording.md). Thread-bound to the writing thread.
package final class MovieFileWriter: ContainerWriter {
    /// How a file is laid out.
    package struct Options: Sendable, Hashable {
        /// Longest a fragment lasts (seconds; up to 0.5 keeps the loss budget; 0.25).
        package var fragmentInterval: MediaTime
        /// Most sample data in a fragment (bytes; 8 MiB).
        package var fragmentBytes: Int
        /// Whether the index is made durable before the header is overwritten. Only a test that
        /// shows what goes wrong without it switches it off.
        package var barrier: Bool

        package init(
            fragmentInterval: MediaTime = .milliseconds(250), fragmentBytes: Int = 8 << 20,
            barrier: Bool = true
        ) {
            self.fragmentInterval = fragmentInterval
            self.fragmentBytes = fragmentBytes
            self.barrier = barrier
        }
    }

    private enum Stage {
        case adding
        /// Begun, but the first `moov` waits for the first samples.
        case begun
        case growing
        case failed
        case closed
    }

    // immutable
    private let file: DurableFile
    private let container: MovieContainer
    private let options: Options

    // owned by the writing thread
    private var stage = Stage.adding
    private var tracks: [TrackWriter] = []
    private var metadata = MovieMetadata()
    private var waitingAnnotations: [MovieAnnotation] = []
    private var annotations: [MovieAnnotation] = []
    /// How many samples of the time code are in the file.
    private var givenTimeCodes = 0
    /// All pauses so far (seconds).
    private var paused = MediaTime.zero
    private var pendingBytes = 0
    /// When the first sample of metadata since the last fragment begins (ns).
    private var metadataBegan: Int64?
    private(set) var sequenceNumber: UInt32 = 0
    private var headerOffset: Int64 = 0
    private var lostSamples = 0
    private var finalFormats: [Int: FormatDescription] = [:]
    private var statedEnd: MediaTime?
    /// What tracks show that is not simply all of their samples.
    private var ownEdits: [Int: TrackEdits] = [:]

    /// - Parameter file: empty, with `MovieFileWriter.gapHeader`; closed by `finish` and `abandon`.
    package init(file: DurableFile, container: MovieContainer, options: Options = Options()) {
        self.file = file
        self.container = container
        self.options = options
    }

    /// What makes readers skip a gap: an oversize `free` box.
    package static let gapHeader: DurableFile.GapHeader = { length in
        var builder = BoxBuilder()
        if length <= Int64(UInt32.max) {
            builder.u32(UInt32(length))
            builder.code("free")
        } else {
            builder.u32(1)
            builder.code("free")
            builder.i64(length)
        }
        return builder.bytes
    }

    package func addTrack(_ track: ContainerTrack) throws(MediaError) -> Int {
        try require([.adding], "add a track to")
        guard track.timescale > 0 else {
            throw MediaError(
                code: .invalidSetting, subject: file.name,
                message: "Cannot add a track to \(file.name): its timescale is "
                    + "\(track.timescale); give ticks per second.")
        }
        let header = try TrackHeader(track, id: UInt32(tracks.count + 1), container: container)
        tracks.append(TrackWriter(track: track, header: header))
        return tracks.count - 1
    }

    package func begin(_ metadata: MovieMetadata) throws(MediaError) {
        try require([.adding], "begin")
        self.metadata = metadata
        stage = .begun
    }

    package func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        try require([.begun, .growing], "append to")
        guard tracks.indices.contains(track) else {
            throw invalid("append to track \(track) of", "it has \(tracks.count)")
        }
        let sample = coded(sample, tracks[track].track.format)
        try tracks[track].append(sample, subject: file.name)
        pendingBytes += sample.block?.count ?? 0
        switch tracks[track].track.format.mediaType {
        case .text: return  // it goes with the video and audio beside it
        case .metadata: return try fragmentMetadata(until: sample.presentationTime)
        case .video, .audio: break
        }
        let length = MediaTime(
            value: tracks[track].pendingLength, timescale: tracks[track].track.timescale)
        if length >= options.fragmentInterval || pendingBytes >= options.fragmentBytes {
            try writeFragment(everything: false)
        }
    }

    /// As the file holds it.
    private func coded(_ sample: SampleBuffer, _ format: FormatDescription) -> SampleBuffer {
        guard container == .mp4, let metadata = format.metadata, let block = sample.block else {
            return sample
        }
        var sample = sample
        sample.payload = .coded(MetadataJSON.text(of: block, metadata))
        return sample
    }

    /// Metadata goes with the video and audio beside it too, but not where there are none, or they do not come.
    private func fragmentMetadata(until time: MediaTime) throws(MediaError) {
        let limit = options.fragmentInterval.nanoseconds()
        if metadataBegan == nil { metadataBegan = time.nanoseconds() }
        let waited = time.nanoseconds() - (metadataBegan ?? 0)
        if waited >= 2 * limit || pendingBytes >= options.fragmentBytes {
            try writeFragment(everything: false)
        }
    }

    package func annotate(_ annotation: MovieAnnotation) throws(MediaError) {
        try require([.begun, .growing], "annotate")
        waitingAnnotations.append(annotation)
        guard case .pause(let time, let duration) = annotation else { return }
        paused += duration
        metadata.timeCode?.noteResumed(at: time, paused: paused)
    }

    package func flush() throws(MediaError) {
        try require([.begun, .growing], "flush")
        try writeFragment(everything: false)
    }

    package func abandon() {
        guard stage != .closed else { return }
        stage = .closed
        file.close()
    }

    package var holdsSamples: Bool { sequenceNumber > 0 }

    /// Memory the index holds (bytes).
    package var indexMemory: Int { tracks.reduce(0) { $0 + $1.index.memory } }

    /// What its tables will take in the file at most (bytes).
    private var tableBytes: Int { tracks.reduce(0) { $0 + $1.index.tableBytes } }

    private func require(_ stages: Set<Stage>, _ what: String) throws(MediaError) {
        if stages.contains(stage) { return }
        if stage == .failed, let failure = file.failure { throw failure }
        throw invalid(what, "it is \(stage)")
    }

    private func invalid(_ what: String, _ why: String) -> MediaError {
        MediaError(
            code: .invalidState, subject: file.name,
            message: "Cannot \(what) \(file.name): \(why); the calls are out of order.")
    }
}

extension MovieFileWriter {
    /// Tables, headers and annotations the index needs beyond those already counted (bytes).
    private static let reserveMargin: Int64 = 64 << 10

    /// Writes what waits, of all tracks, as one fragment; the header first if it is not there yet.
    private func writeFragment(everything: Bool) throws(MediaError) {
        let hasSamples = tracks.contains { !$0.pending.isEmpty }
        guard hasSamples || !waitingAnnotations.isEmpty else { return }
        do throws(MediaError) {
            try writeHeader()
            let parts = tracks.indices.map { tracks[$0].takeFragment(everything: everything) }
            pendingBytes = tracks.reduce(0) { $0 + $1.pendingBytes }
            metadataBegan = nil
            try write(parts)
        } catch {
            stage = .failed
            dropPending()
            throw error
        }
    }

    private func write(
        _ parts: [(samples: [SampleIndex.Sample], data: [BlockBuffer])]
    ) throws(MediaError) {
        guard parts.contains(where: { !$0.samples.isEmpty }) || !waitingAnnotations.isEmpty
        else { return }
        let codes = timeCodePart
        let builder = try FragmentBuilder(
            sequenceNumber: sequenceNumber + 1, annotations: waitingAnnotations,
            firstAnnotationID: UInt32(annotations.count),
            parts: zip(tracks, parts).map { track, part in
                FragmentBuilder.Part(
                    trackID: track.header.id, shift: track.shift, samples: part.samples,
                    data: part.data, isVideo: track.track.format.mediaType == .video)
            } + codes, subject: file.name)
        file.setReserve(indexSize(adding: parts.map(\.samples)))
        let offset: Int64
        do throws(MediaError) { offset = try file.append(builder.bytes) } catch {
            lostSamples += parts.reduce(0) { $0 + $1.samples.count }
            throw error
        }
        if builder.hasSamples {
            sequenceNumber += 1
            givenTimeCodes += codes.first?.samples.count ?? 0
        }
        annotations += waitingAnnotations
        waitingAnnotations = []
        for (position, part) in parts.enumerated() where !part.samples.isEmpty {
            tracks[position].index.appendChunk(
                part.samples, at: offset + Int64(builder.dataOffsets[position]))
        }
    }

    /// The time code's samples that the file does not have yet, for the next fragment.
    private var timeCodePart: [FragmentBuilder.Part] {
        guard metadata.timeCode != nil else { return [] }
        let header = movieHeader
        guard let track = header.timeCode else { return [] }
        let waiting = track.waiting(from: givenTimeCodes)
        guard !waiting.samples.isEmpty else { return [] }
        return [
            FragmentBuilder.Part(
                trackID: header.timeCodeID, shift: 0, samples: waiting.samples,
                data: waiting.data, isVideo: false)
        ]
    }

    /// The first `moov` waits for the first samples, which say where movie time zero is.
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

    private var movieHeader: MovieHeader {
        MovieHeader(container: container, metadata: metadata, tracks: tracks.map(\.header))
    }

    /// What the index will take at most, once some more samples are in it (bytes).
    private func indexSize(adding parts: [[SampleIndex.Sample]]) -> Int64 {
        // at worst a row in each table for every sample, and a chunk for every part
        let more = parts.reduce(0) { $0 + $1.count * 24 + 20 }
        let waiting = waitingAnnotations.count * 1024
        let notes = (annotations + waitingAnnotations).reduce(0) { total, annotation in
            switch annotation {
            case .marker(let text, _): total + 2 * text.utf8.count + 128
            // in the list of annotations and, at worst, as tags of their own
            case .tags(let tags, _): total + 2 * AnnotatedTags.text(tags).utf8.count + 512
            case .pause: total + 128
            }
        }
        let chapters = ChapterTrack.room(for: annotations + waitingAnnotations)
        let headers = tracks.reduce(0) { $0 + $1.header.sampleDescription.count + 1024 }
        let timeCodes = metadata.timeCode.map { 2048 + $0.jumps.count * 32 } ?? 0
        return Int64(tableBytes + more + waiting + notes + chapters + headers + timeCodes)
            + MovieFileWriter.reserveMargin
    }

    private func dropPending() {
        for position in tracks.indices { lostSamples += tracks[position].dropPending() }
        pendingBytes = 0
    }
}

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
        settleEnds()
        try writeIndex()
        return ContainerSummary(
            tracks: summaries, duration: movieDuration,
            fileBytes: file.size, lostSamples: lostSamples)
    }

    private func settleEnds() {
        for position in tracks.indices { tracks[position].settleEnd() }
        let shown = duration(ofTracks: \.setsLength) ?? statedEnd
        for position in tracks.indices { tracks[position].settleMetadata(movieEnd: shown) }
    }

    /// Says what a track shows, before `finish`; the samples appended stay as they are.
    func edit(_ edits: TrackEdits, track: Int) {
        guard tracks.indices.contains(track) else { return }
        ownEdits[track] = edits
    }

    /// The longest one's of these kinds; nil: there are none.
    private func duration(ofTracks isWanted: (MediaType) -> Bool) -> MediaTime? {
        zip(tracks, summaries).filter { isWanted($0.0.track.format.mediaType) }
            .map(\.1.duration).max()
    }

    private var movieDuration: MediaTime {
        duration(ofTracks: { $0 != .metadata }) ?? duration(ofTracks: { _ in true }) ?? .zero
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

    package func setEnd(_ end: MediaTime) { statedEnd = end }

    package func cut(track: Int, at end: MediaTime) {
        guard tracks.indices.contains(track) else { return }
        tracks[track].shownUntil = end.ticks(
            per: tracks[track].track.timescale, rounding: .nearest)
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
        let timeCodes = try appendTimeCodes()
        // every byte the index points at must be where it says before the index exists
        if options.barrier { try file.synchronize() }
        metadata = metadata.followed(by: annotations)
        let index = movieHeader.complete(
            indexes: tracks.map(\.index),
            edits: tracks.indices.map { ownEdits[$0] ?? tracks[$0].edits },
            annotations: annotations, chapters: chapters, timeCodes: timeCodes,
            place: { self.file.physicalOffset(ofLogical: $0) })
        try MovieFinisher(barrier: options.barrier)
            .finish(file, index: index, headerOffset: headerOffset)
    }

    /// The chapters' texts, which the index points at, go in front of it.
    private func appendChapters() throws(MediaError) -> (track: ChapterTrack, offset: Int64)? {
        let end = movieDuration
        guard !tracks.isEmpty, let chapters = ChapterTrack(annotations, end: end) else {
            return nil
        }
        return (chapters, try file.append(chapters.data, usingReserve: true))
    }

    /// And so does the time code, whose lengths are known only now.
    private func appendTimeCodes() throws(MediaError) -> (offset: Int64, end: MediaTime)? {
        let end = shownEnd
        guard let track = movieHeader.timeCode else { return nil }
        return (try file.append(track.data(until: end), usingReserve: true), end)
    }

    /// Where the longest track ends.
    private var shownEnd: MediaTime { summaries.map(\.duration).max() ?? .zero }

    private var nothingWritten: MediaError {
        MediaError(
            code: .ioError, subject: file.name,
            message: "Cannot finish \(file.name): nothing of it could be written; check the disk.")
    }
}
