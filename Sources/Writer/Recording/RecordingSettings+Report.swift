package import Media
internal import Movie

extension RecordingSettings {
    static let reportEnding = ".vcap.json"

    /// Nobody's report is overwritten by accident, and no take is without one by the length of its name.
    /// Replacing a movie replaces its own report, and one whose movie is gone.
    /// - Throws: `already-exists`, `cannot-create`.
    package func requireFreeReport() throws(MediaError) {
        guard writesReport else { return }
        let path = reportPath
        let (_, name) = TemporaryName.split(path)
        let excess = name.utf8.count - TemporaryName.longest
        guard excess <= 0 else {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Cannot write the take's report beside \(outputPath): its name would have "
                    + "\(name.utf8.count) bytes; choose one for the movie that is shorter by "
                    + "\(excess).")
        }
        guard FileSystemSpace.exists(path) else { return }
        guard let owner = TakeReportFile.movie(ofReportAt: path) else {
            throw taken("\(path) is there and is no take's report; choose another name")
        }
        let movie = TemporaryName.split(outputPath).name
        if TakeReportFile(path: path).mayReplace(path, by: String(movie)) {
            // that of a movie which is gone is in nobody's way
            if replacesExisting || !FileSystemSpace.exists(outputPath) { return }
            throw taken(
                "\(path) exists; choose another name, or give -y to replace movie and report")
        }
        throw taken(
            "\(path) is the report of \(owner), which is there; choose a name that differs before "
                + "its ending")
    }

    private func taken(_ reason: String) -> MediaError {
        MediaError(
            code: .alreadyExists, subject: reportPath,
            message: "Cannot write the take's report: \(reason).")
    }
}
