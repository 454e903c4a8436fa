internal import Glibc
internal import Media

/// The report of a take that a crash cut off. It says `recording` until somebody looks at the movie, with
/// figures up to five seconds old; here it is closed with what the movie turned out to hold.
public enum CrashedTake {
    /// Largest report that is read (bytes).
    private static let sizeLimit: Int64 = 64 << 20

    /// Closes the report beside a movie when it is that movie's, still says `recording`, and nobody is writing
    /// the movie. Blocks; not for Swift's cooperative pool.
    /// - Returns: the report as it is on disk now; `nil` when there was nothing to close.
    /// - Throws: `io-error` or `not-permitted` when the report cannot be read or written; the movie is not
    ///   touched in any case.
    public static func closeReport(of movie: Asset) throws(WriterError) -> TakeReport? {
        let path = RecordingSettings(outputPath: movie.path).reportPath
        guard var report = try openReport(at: path), report.movie == name(of: movie.path),
            !isBeingWritten(movie.path)
        else { return nil }
        report.state = .recovered
        report.duration = TakeTime(movie.duration)
        var status = stat()
        if stat(movie.path, &status) == 0 { report.bytes = Int64(status.st_size) }
        let media = movie.tracks.filter { $0.mediaType != .text }
        for index in report.tracks.indices {
            let number = report.tracks[index].movieTrack
            if media.indices.contains(number) { report.tracks[index].frames = media[number].frames }
        }
        report.judge()
        try TakeReportFile(path: path).write(report)
        return report
    }

    /// A report that nobody has closed; `nil` when there is none, and when the file is something else.
    private static func openReport(at path: String) throws(WriterError) -> TakeReport? {
        guard FileSystemSpace.exists(path) else { return nil }
        let bytes: [UInt8]
        do throws(IOFailure) {
            let file = try SystemFileIO(opening: path, writable: false)
            defer { file.close() }
            let size = try file.size()
            guard size <= sizeLimit else { return nil }
            bytes = try file.readAll(Int(size), at: 0)
        } catch {
            throw WriterError(error, attempt: "read the take's report \(path)", subject: path)
        }
        guard let report = try? TakeReportFile.read(bytes), report.state == .recording else {
            return nil
        }
        return report
    }

    /// Whether a recorder or a repair has the movie; asking takes it from nobody.
    private static func isBeingWritten(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

extension AssetTrack {
    /// Video frames, or audio frames by the track's length.
    fileprivate var frames: Int64 {
        guard let rate = format?.audio?.sampleRate, rate > 0, let timescale = Int32(exactly: rate)
        else { return Int64(sampleCount) }
        return duration.ticks(per: timescale, rounding: .nearest)
    }
}
