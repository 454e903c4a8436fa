public import Media

/// Makes an ordinary movie of what a crash left: MP4 and QuickTime in place, Matroska and WebM by a
/// copy that takes the old file's name once it is durable, MPEG-TS by cutting its torn end.
///
/// Killed at any moment it can be repaired: what plays before it plays in every state between
/// (docs/design/recording.md). Blocks; not for Swift's cooperative pool.
public enum MovieRepair {
    /// - Throws: `damaged-file` when nothing in the file can be played, `in-use` while it is being
    ///   written; the file is then untouched.
    public static func repair(_ path: String) throws(MediaError) -> RepairReport {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(opening: path, writable: true) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { io.close() }
        return try repair(path, io)
    }

    /// As above, of a file that is open and locked.
    static func repair(_ path: String, _ io: SystemFileIO) throws(MediaError) -> RepairReport {
        if try MovieFile.looksLikeOne(io, name: path) { return try repair(io, name: path) }
        if try MatroskaScanner.looksLikeOne(io, name: path) {
            return try MatroskaRepair(path, io).repair()
        }
        let head = try reading(path) { () throws(IOFailure) in
            try io.readAll(5 * TransportTail.packetSize, at: 0)
        }
        guard TransportTail.looksLikeOne(head) else {
            throw MediaError(
                code: .unsupported, subject: path,
                message:
                    "Cannot repair \(path): it is no MP4, QuickTime, Matroska, WebM or MPEG-TS "
                    + "movie; those are what repair knows.")
        }
        return try TransportRepair.repair(path, io)
    }

    package static func repair(
        _ io: any FileIO, name: String
    ) throws(MediaError) -> RepairReport {
        let movie = try MovieFile(io: io, name: name)
        if movie.layout == .ordinary {
            return RepairReport(
                path: name, outcome: .alreadyOrdinary, duration: movie.duration,
                sampleCounts: movie.tracks.map(\.samples.count), losses: [], isTake: isTake(movie))
        }
        let torn = try tornFragments(of: movie, io)
        if case .finishing(let index) = movie.layout, torn.isEmpty,
            try indexIsWhole(at: index, of: movie, io)
        {
            try putInForce(index: index, movie, io)
            return report(movie, .indexPutInForce, torn: [])
        }
        let audio =
            torn.isEmpty
            ? movie
            : try MovieFile(io: io, name: name, ignoring: Set(torn.map(\.offset)))
        try rebuild(audio, io)
        return report(audio, .indexRebuilt, torn: torn)
    }

    // MARK: looking

    /// Fragments whose data is not what their checksum says.
    private static func tornFragments(
        of movie: MovieFile, _ io: any FileIO
    ) throws(MediaError) -> [FragmentReader.Fragment] {
        var torn: [FragmentReader.Fragment] = []
        for fragment in movie.fragments {
            guard let checksum = fragment.checksum else { continue }
            let data = try reading(movie.name) { () throws(IOFailure) in
                try io.readAll(fragment.data.count, at: fragment.data.lowerBound)
            }
            let actual = data.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }
            if actual != checksum { torn.append(fragment) }
        }
        return torn
    }

    /// Whether the index at the end covers every sample of the fragments, and nothing else.
    private static func indexIsWhole(
        at offset: Int64, of movie: MovieFile, _ io: any FileIO
    ) throws(MediaError) -> Bool {
        let finished: MovieFile
        do throws(MediaError) {
            let overlay = OverlaidFileIO(
                io, bytes: MovieFinisher.header(length: offset - movie.headerOffset),
                at: movie.headerOffset)
            finished = try MovieFile(io: overlay, name: movie.name)
        } catch {
            if error.code == .damagedFile { return false }
            throw error
        }
        guard finished.layout == .ordinary, finished.tracks.count == movie.tracks.count else {
            return false
        }
        return zip(finished.tracks, movie.tracks).allSatisfy { index, fragments in
            index.samples.reduce(0) { $0 + Int64($1.size) }
                == fragments.samples.reduce(0) { $0 + Int64($1.size) }
                && index.samples.allSatisfy { $0.offset + Int64($0.size) <= offset }
        }
    }

    // MARK: writing

    private static func rebuild(_ movie: MovieFile, _ io: any FileIO) throws(MediaError) {
        let (index, length) = ordinaryIndex(of: movie)
        if movie.fileSize > movie.end {
            try writing(movie.name) { () throws(IOFailure) in try io.truncate(to: movie.end) }
        }
        try closeCutData(of: movie, io)
        do throws(IOFailure) { try io.writeAll(index, at: movie.end) } catch {
            // no room: the file is again what it was, without the torn end
            try? io.truncate(to: movie.end)
            throw MediaError(error, attempt: "repair \(movie.name)", subject: movie.name)
        }
        try putInForce(index: movie.end + length, movie, io)
    }

    /// What is appended must not look like the rest of the data that was cut off, whenever a repair ends.
    private static func closeCutData(
        of movie: MovieFile, _ io: any FileIO
    ) throws(MediaError) {
        guard let data = movie.cutData else { return }
        let size = UInt64(movie.end - data.offset)
        let isLong = data.headerSize == 16
        let bytes = (0..<(isLong ? 8 : 4)).reversed()
            .map { UInt8(truncatingIfNeeded: size >> UInt64($0 * 8)) }
        try writing(movie.name) { () throws(IOFailure) in
            try io.writeAll(bytes, at: data.offset + (isLong ? 8 : 0))
            try io.synchronize()
        }
    }

    private static func putInForce(
        index: Int64, _ movie: MovieFile, _ io: any FileIO
    ) throws(MediaError) {
        try writing(movie.name) { () throws(IOFailure) in
            try io.synchronize()  // the barrier
            let header = MovieFinisher.header(length: index - movie.headerOffset)
            try io.writeAll(header, at: movie.headerOffset)
            try io.synchronize()
        }
    }

    /// What is to be appended: the chapters' texts and the time code, if there are any, and the index behind them.
    private static func ordinaryIndex(
        of movie: MovieFile
    ) -> (bytes: [UInt8], dataLength: Int64) {
        let indexes = movie.tracks.map(sampleIndex)
        let container: MovieContainer = movie.fileType?.majorBrand == "qt  " ? .mov : .mp4
        let header = MovieHeader(
            container: container, metadata: movie.metadata, tracks: movie.tracks.map(\.header))
        let chapters =
            movie.tracks.isEmpty ? nil : ChapterTrack(movie.annotations, end: movie.duration)
        let texts = chapters?.data ?? []
        let codes = header.timeCode?.data(until: movie.duration) ?? []
        let index = header.complete(
            indexes: indexes,
            edits: zip(indexes, movie.tracks).map { TrackEdits($0, timescale: $1.timescale) },
            annotations: movie.annotations, chapters: chapters.map { ($0, movie.end) },
            timeCodes: (movie.end + Int64(texts.count), movie.duration), place: { $0 })
        return (texts + codes + index, Int64(texts.count + codes.count))
    }

    /// The index of a track, on the movie's timeline.
    private static func sampleIndex(_ track: MovieTrack) -> SampleIndex {
        var index = SampleIndex(bytesPerFrame: TrackWriter.bytesPerFrame(track.format))
        let shift = track.movieShift
        var chunk: [SampleIndex.Sample] = []
        var start: Int64 = 0
        var end: Int64 = -1
        for sample in track.samples {
            // a table of durations cannot go back in time: a sample that would is none
            guard sample.decodeTime - shift > index.lastTime(or: chunk) else { continue }
            if sample.offset != end {
                index.appendChunk(chunk, at: start)
                chunk = []
                start = sample.offset
            }
            chunk.append(
                SampleIndex.Sample(
                    decodeTime: sample.decodeTime - shift,
                    compositionOffset: sample.compositionOffset, duration: sample.duration,
                    size: sample.size, isSync: sample.isSync))
            end = sample.offset + Int64(sample.size)
        }
        index.appendChunk(chunk, at: start)
        return index
    }

    // MARK: Reports

    private static func report(
        _ movie: MovieFile, _ outcome: RepairReport.Outcome, torn: [FragmentReader.Fragment]
    ) -> RepairReport {
        var losses: [RepairReport.Loss] = []
        if movie.fileSize > movie.end {
            let bytes = movie.fileSize - movie.end
            losses.append(
                movie.cutData == nil ? .cutEnd(bytes: bytes) : .cutSamples(bytes: bytes))
        }
        for span in movie.damage where span.upperBound <= movie.end {
            losses.append(.damagedBytes(span))
        }
        // an index that was there has every track
        for track in movie.unreadTracks where outcome == .indexRebuilt {
            losses.append(
                .unreadTrack(track.mediaType ?? .video, reason: track.obstacle))
        }
        for fragment in torn {
            losses.append(
                .damagedFragment(at: fragment.start, bytes: Int64(fragment.data.count)))
        }
        return RepairReport(
            path: movie.name, outcome: outcome, duration: movie.duration,
            sampleCounts: movie.tracks.map(\.samples.count), losses: losses, isTake: isTake(movie))
    }

    /// Whether vcap wrote it: its fragments have checksums, and its header says so before there are any.
    private static func isTake(_ movie: MovieFile) -> Bool {
        movie.fragments.contains { $0.checksum != nil }
            || movie.metadata.software?.hasPrefix("vcap") ?? false
    }

    private static func reading<Result>(
        _ name: String, _ body: () throws(IOFailure) -> Result
    ) throws(MediaError) -> Result {
        do throws(IOFailure) { return try body() } catch {
            throw MediaError(error, attempt: "read \(name)", subject: name)
        }
    }

    private static func writing(
        _ name: String, _ body: () throws(IOFailure) -> Void
    ) throws(MediaError) {
        do throws(IOFailure) { try body() } catch {
            throw MediaError(error, attempt: "repair \(name)", subject: name)
        }
    }
}

extension SampleIndex {
    /// The decode time of the last sample, of a chunk to come if it has any.
    fileprivate func lastTime(or chunk: [Sample]) -> Int64 {
        chunk.last?.decodeTime ?? (count > 0 ? lastDecodeTime : Int64.min)
    }
}
