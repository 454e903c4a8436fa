internal import Glibc
internal import Media
internal import Movie

/// Keeps a take's report on disk: every version is complete, and a crash leaves the one before. What is no
/// report, or the report of another movie that is there, keeps its name.
struct TakeReportFile: Sendable {
    /// Bytes of a report that is read (count).
    private static let longest = 256 << 20

    let path: String

    /// Writes to a temporary name in the same folder, syncs, renames, and syncs the folder.
    func write(_ report: TakeReport) throws(MediaError) {
        let bytes = try encoded(report)
        do throws(IOFailure) {
            try NameChange.write(bytes, for: path, isDurable: true) { file throws(IOFailure) in
                try NameChange.give(file, name: path) { displaced, _ throws(IOFailure) in
                    guard mayReplace(displaced, by: report.movie) else {
                        throw IOFailure(function: "rename", errno: EEXIST)
                    }
                }
            }
        } catch { throw failure(error) }
    }

    /// Takes the name for a movie that has its file and is about to begin, so that no other take can: a name
    /// that nothing has, or that of a report whose movie is gone.
    /// - Returns: the file, to be given back when the movie never begins.
    /// - Throws: `already-exists` when another take was quicker.
    func claim(for movie: String, container: String) throws(MediaError) -> FileIdentity {
        let bytes = try encoded(TakeReport(movie: movie, container: container))
        do throws(IOFailure) {
            var claim: FileIdentity?
            try NameChange.write(bytes, for: path, isDurable: false) { made throws(IOFailure) in
                claim = FileIdentity(named: made)
                try NameChange.give(made, name: path) { displaced, _ throws(IOFailure) in
                    guard mayReplace(displaced, by: movie) else {
                        throw IOFailure(function: "rename", errno: EEXIST)
                    }
                }
            }
            guard let claim else { throw IOFailure(function: "stat", errno: ENOENT) }
            return claim
        } catch {
            guard error.errno == EEXIST else { throw failure(error) }
            throw MediaError(
                code: .alreadyExists, function: error.function, subject: path, errno: error.errno,
                message:
                    "Cannot write the take's report: \(path) is another take's that begins at this "
                    + "moment; choose a name that differs before its ending.")
        }
    }

    /// Reads a report back.
    static func read(_ bytes: [UInt8]) throws -> TakeReport {
        try JSONParser.parse(bytes, as: .json, longest: longest).decoded()
    }

    /// Whether the file of this path is a report that this movie's may replace: its own, or that of a movie
    /// which is not in the folder any more.
    func mayReplace(_ old: String, by movie: String) -> Bool {
        guard let owner = Self.movie(ofReportAt: old) else { return false }
        return owner == movie
            || FileIdentity(named: TemporaryName.split(path).folder + owner) == nil
    }

    /// The name of the movie a report is of; `nil` where there is no report.
    static func movie(ofReportAt path: String) -> String? {
        report(at: path)?.movie
    }

    /// The report of this path.
    static func report(at path: String) -> TakeReport? {
        guard let file = try? SystemFileIO(opening: path, writable: false) else { return nil }
        defer { file.close() }
        guard let size = try? file.size(), size < longest,
            let bytes = try? file.readAll(Int(size), at: 0)
        else { return nil }
        return try? read(bytes)
    }

    func encoded(_ report: TakeReport) throws(MediaError) -> [UInt8] {
        do {
            return Array((JSONWriter.text(try JSONValue(encoding: report), .report) + "\n").utf8)
        } catch {
            throw MediaError(
                code: .invalidState, subject: path,
                message: "Cannot write the take's report \(path): \(error).")
        }
    }

    private func failure(_ failure: IOFailure) -> MediaError {
        let answer =
            failure.errno == EEXIST
            ? "the name is another movie's report's" : String(cString: strerror(failure.errno))
        return MediaError(
            code: failure.errno == ENOSPC ? .diskFull : .ioError, function: failure.function,
            subject: path, errno: failure.errno,
            message: "Cannot write the take's report \(path): \(answer); the movie is not affected."
        )
    }
}
