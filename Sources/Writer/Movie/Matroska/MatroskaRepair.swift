internal import LibAV
internal import Media

/// Finishes a Matroska or WebM movie that a crash left: its coded samples are copied, with their
/// stamps, into a new file beside it, which is made durable, compared with the old one sample by
/// sample, and only then takes its name. Blocks.
struct MatroskaRepair {
    let path: String
    private let scan: MatroskaScanner

    /// - Parameter io: the file; the one who has it open keeps it from being written meanwhile.
    init(_ path: String, _ io: any FileIO) throws(MediaError) {
        self.path = path
        scan = try MatroskaScanner(io, name: path)
    }

    func repair() throws(MediaError) -> RepairReport {
        try scan.requireBlocks(to: "repair")
        if scan.isFinished {
            let movie = try MovieContents(path: path)
            return RepairReport(
                path: path, outcome: .alreadyOrdinary, duration: movie.duration,
                sampleCounts: movie.tracks.map(\.sampleCount), losses: [],
                isTake: isTake(movie.metadata))
        }
        let replacement = try Replacement(of: path)
        do throws(MediaError) {
            let (truth, metadata, unread) = try copy(into: replacement)
            try replacement.makeDurable()
            try compare(truth, replacement)
            // as everybody reads it: what a decoder is not to give out at its beginning does not count
            let length = try MovieContents(path: replacement.path).duration
            try replacement.takeName()
            return report(truth, length, isTake(metadata), unread)
        } catch {
            replacement.remove()
            throw error
        }
    }

    // MARK: copying

    private func copy(
        into replacement: Replacement
    ) throws(MediaError) -> (
        trace: SampleTrace, metadata: MovieMetadata, unread: [RepairReport.Loss]
    ) {
        let demuxer = try MatroskaRepair.open(path, excluding: scan.lostBytes)
        var trace = SampleTrace(tracks: demuxer.tracks.count)
        do {
            let muxer = try Muxer(
                container: scan.docType == "webm" ? .webm : .matroska, output: replacement)
            for track in demuxer.tracks {
                _ = try muxer.addTrack(
                    track.format, name: track.name, language: track.language,
                    isDefault: track.isDefault, isForced: track.isForced)
            }
            let ours = ["ENCODER", "DURATION"]
            try muxer.start(
                metadata: demuxer.metadata.filter { !ours.contains($0.name) },
                timeCode: demuxer.tracks.lazy.compactMap(\.timeCode).first)
            while case .sample(let track, let sample) = try demuxer.next() {
                try muxer.write(sample, track: track)
                trace.add(sample, track)
            }
            if trace.count > 0 {
                // an element that is longer than a megabyte is not read again
                for start in stride(from: 0, to: scan.annotations.count, by: 64) {
                    let some = Array(scan.annotations[start...].prefix(64))
                    try muxer.insert(MatroskaAnnotations.element(some, leadIn: muxer.leadIn))
                }
            }
            if trace.count > 0 {
                try muxer.finish(chapters: chapters(demuxer, until: trace.end))
            }
        } catch { throw MatroskaRepair.failure(error, path) }
        guard trace.count > 0 else { throw nothingPlayable }
        let unread = demuxer.unreadTracks.map { track in
            RepairReport.Loss.unreadTrack(
                track.mediaType, reason: "its codec \"\(track.codec)\" is none that vcap knows")
        }
        return (trace, MovieMetadata(libavEntries: demuxer.metadata), unread)
    }

    /// Those the file has, else its markers.
    private func chapters(_ demuxer: Demuxer, until end: MediaTime) -> [MuxerChapter] {
        guard demuxer.chapters.isEmpty else { return demuxer.chapters }
        return MovieAnnotation.chapters(of: scan.annotations, until: end)
            .map { MuxerChapter(range: $0.range, title: $0.title) }
    }

    private func compare(
        _ truth: SampleTrace, _ replacement: Replacement
    ) throws(MediaError) {
        let demuxer = try MatroskaRepair.open(replacement.path, excluding: [])
        var found = SampleTrace(tracks: demuxer.tracks.count)
        do throws(MediaError) {
            while case .sample(let track, let sample) = try demuxer.next() {
                found.add(sample, track)
            }
        } catch { throw MatroskaRepair.failure(error, path) }
        guard found == truth else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot repair \(path): its copy would not hold the same samples at the "
                    + "same times; the file was left as it is, and it plays.")
        }
    }

    // MARK: Reports

    private func report(
        _ trace: SampleTrace, _ duration: MediaTime, _ isTake: Bool,
        _ unread: [RepairReport.Loss]
    ) -> RepairReport {
        var losses: [RepairReport.Loss] = []
        if !scan.tornEnd.isEmpty { losses.append(.cutEnd(bytes: Int64(scan.tornEnd.count))) }
        for damage in scan.damage {
            losses.append(
                damage.time == nil
                    ? .damagedBytes(damage.bytes)
                    : .damagedFragment(at: damage.time, bytes: Int64(damage.bytes.count)))
        }
        return RepairReport(
            path: path, outcome: .remuxed, duration: duration, sampleCounts: trace.counts,
            losses: losses + unread, isTake: isTake)
    }

    /// Whether vcap wrote it.
    private func isTake(_ metadata: MovieMetadata) -> Bool {
        !scan.annotations.isEmpty || metadata.software?.hasPrefix("vcap") ?? false
    }

    private var nothingPlayable: MediaError {
        MediaError(
            code: .damagedFile, subject: path,
            message: "Cannot repair \(path): nothing in it can be played; it was left as it is.")
    }

    private static func open(
        _ path: String, excluding excluded: [Range<Int64>]
    ) throws(MediaError) -> Demuxer {
        do throws(MediaError) { return try Demuxer(path: path, excluding: excluded) } catch {
            throw failure(error, path)
        }
    }

    private static func failure(_ error: any Error, _ path: String) -> MediaError {
        guard let error = error as? MediaError else {
            return MediaError(
                code: .ioError, subject: path, message: "Cannot repair \(path): \(error).")
        }
        // the new file's disk has a sentence of its own
        if error.errno > 0 { return error }
        return error.describing(
            code: error.code == .unsupported ? .unsupported : .damagedFile, subject: path,
            message: "Cannot repair \(path), which was left as it is: \(error.message)")
    }
}
