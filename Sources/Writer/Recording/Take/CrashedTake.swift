internal import Glibc
public import Media
internal import Movie

/// The report of a take that a crash cut off. It says `recording` until somebody looks at the movie, with
/// figures up to five seconds old; here it is closed with what the movie turned out to hold.
public enum CrashedTake {
    /// Largest report that is read (bytes).
    private static let sizeLimit: Int64 = 64 << 20

    /// Closes the report beside a movie when it is that movie's, still says `recording`, and nobody is writing
    /// the movie. Blocks; not for Swift's cooperative pool.
    /// - Parameter movie: its path.
    /// - Returns: the report as it is on disk now; `nil` when there was nothing to close.
    /// - Throws: `io-error` or `not-permitted` when the report cannot be read or written, `damaged-file` when the
    ///   movie cannot; the movie is not touched in any case.
    public static func closeReport(of movie: String) throws(MediaError) -> TakeReport? {
        let path = RecordingSettings(outputPath: movie).reportPath
        guard var report = try openReport(at: path), report.movie == name(of: movie),
            !isBeingWritten(movie)
        else { return nil }
        report.state = .recovered
        report.measure(try MovieContents(path: movie), at: movie)
        report.judge()
        try TakeReportFile(path: path).write(report)
        return report
    }

    /// As above, of a movie in which nothing is that could be read.
    public static func closeReport(ofEmpty movie: String) throws(MediaError) -> TakeReport? {
        let path = RecordingSettings(outputPath: movie).reportPath
        guard var report = try openReport(at: path), report.movie == name(of: movie),
            !isBeingWritten(movie)
        else { return nil }
        report.state = .recovered
        report.duration = .zero
        report.clocks = nil
        report.bytes = size(of: movie) ?? 0
        for index in report.tracks.indices { report.tracks[index].frames = 0 }
        report.judge()
        try TakeReportFile(path: path).write(report)
        return report
    }

    fileprivate static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// A report that nobody has closed; `nil` when there is none, and when the file is something else.
    private static func openReport(at path: String) throws(MediaError) -> TakeReport? {
        guard FileSystemSpace.exists(path) else { return nil }
        let bytes: [UInt8]
        do throws(IOFailure) {
            let file = try SystemFileIO(opening: path, writable: false)
            defer { file.close() }
            let size = try file.size()
            guard size <= sizeLimit else { return nil }
            bytes = try file.readAll(Int(size), at: 0)
        } catch {
            throw MediaError(error, attempt: "read the take's report \(path)", subject: path)
        }
        guard let report = try? TakeReportFile.read(bytes), report.state == .recording else {
            return nil
        }
        return report
    }

    /// Whether the report beside a movie is that movie's and still says `recording`.
    package static func hasOpenReport(_ movie: String) -> Bool {
        let path = RecordingSettings(outputPath: movie).reportPath
        return (try? openReport(at: path))?.movie == name(of: movie)
    }

    /// Whether a recorder or a repair has the movie; asking takes it from nobody.
    package static func isBeingWritten(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

extension TakeReport {
    /// Takes the figures of what is in the movie's file in the place of what was to be in it; those of a file that
    /// cannot be read stay.
    mutating func measure(_ path: String) {
        if let movie = try? MovieContents(path: path) { measure(movie, at: path) }
    }

    /// As above, of a movie whose structure is known.
    fileprivate mutating func measure(_ movie: MovieContents, at path: String) {
        let length = TakeTime(movie.duration)
        // a frame's time is the coder's clock's
        if duration.nanoseconds - length.nanoseconds > 1_000_000 {
            missingEnd = TakeTime(nanoseconds: duration.nanoseconds - length.nanoseconds)
        }
        duration = length
        bytes = CrashedTake.size(of: path) ?? bytes
        let media = movie.tracks.filter { $0.mediaType != .text }
        for index in tracks.indices {
            let number = tracks[index].movieTrack
            if media.indices.contains(number) { tracks[index].frames = media[number].frames }
        }
        for index in pauses.indices {
            pauses[index].movieTime = min(pauses[index].movieTime, length)
        }
        for index in markers.indices {
            markers[index].movieTime = min(markers[index].movieTime, length)
        }
    }
}
