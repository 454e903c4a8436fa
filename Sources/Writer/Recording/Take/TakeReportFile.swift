internal import FoundationEssentials
internal import Glibc

/// Keeps a take's report on disk: every version is complete, and a crash leaves the one before.
struct TakeReportFile: Sendable {
    let path: String

    /// Writes to a temporary name in the same folder, syncs, renames, and syncs the folder.
    func write(_ report: TakeReport) throws(WriterError) {
        let bytes = try encoded(report)
        let temporary = folder + "." + name + ".tmp-\(getpid())"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("open") }
        do throws(WriterError) {
            defer { close(file) }
            try writeAll(bytes, to: file)
            guard fsync(file) == 0 else { throw failure("fsync") }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let error = failure("rename")
            unlink(temporary)
            throw error
        }
        syncFolder()
    }

    /// Reads a report back.
    static func read(_ bytes: [UInt8]) throws -> TakeReport {
        try JSONDecoder().decode(TakeReport.self, from: Data(bytes))
    }

    func encoded(_ report: TakeReport) throws(WriterError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(report)) + [UInt8(ascii: "\n")]
        } catch {
            throw WriterError(
                code: .invalidState, subject: path,
                message: "Cannot write the take's report \(path): \(error).")
        }
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) throws(WriterError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.write(file, all.baseAddress?.advanced(by: written), all.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            written += count
        }
    }

    private func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ function: String) -> WriterError {
        let number = errno
        let text = String(cString: strerror(number))
        return WriterError(
            code: number == ENOSPC ? .diskFull : .ioError, function: function, subject: path,
            errno: number,
            message: "Cannot write the take's report \(path): \(text); the movie is not affected.")
    }
}
