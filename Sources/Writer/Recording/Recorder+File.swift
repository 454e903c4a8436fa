internal import Media
internal import Movie

/// Where a movie lies that has lost its name, and what is left of it.
struct RescuedMovie: Sendable {
    var path: String
    /// What could be made of a movie that was cut or written over; `nil` where all of it is there.
    var repair: RepairReport?
}

/// The movie's file is looked after: another program may delete, move, replace, cut or
/// overwrite it.
extension Recorder {
    var file: GrowingFile? { core.writer?.file }

    /// Whether the movie has its name: one that was to replace another is none before it has begun to exist.
    var movieHasName: Bool { file?.hasName ?? true }

    /// Ends the recording when the movie's file is not what was written.
    func checkFile() {
        guard let fate = file?.look(), fate != .intact, work.found(fate) else { return }
        let error = loss(fate)
        core.emit(.fileLost(error))
        core.fail(error)
    }

    /// Reports bytes that the disk lost and that were written again.
    func checkRecoveries() {
        let times = core.writer?.recoveries ?? 0
        if core.notes.lostBytes(times: times) { core.emit(.diskLostBytes(times: times)) }
    }

    private func loss(_ fate: FileFate) -> MediaError {
        MediaError(
            code: .ioError, subject: settings.outputPath,
            message: "Another program \(fate.deed(to: settings.outputPath)) while it was recorded: "
                + "the recording ends"
                + (settings.isKept ? ", and what there is of it is saved." : "."))
    }

    /// Ends the writer of a movie that has begun.
    func finish(_ writer: any TakeWriting, at end: MediaTime) async -> RecorderEnding.Outcome {
        if core.failure != nil, let file = writer.file, !file.hasName {
            // what has not begun to exist replaces nothing
            await writer.cancel()
            return .abandoned
        }
        if let fate = work.fate, fate.isDamage {
            writer.file?.restore(isOverwritten: fate == .overwritten)
            await writer.leave()
            return .left
        }
        do throws(MediaError) {
            let start = writer.timeline.map { MediaTime.nanoseconds($0.start) } ?? end
            try writer.endSession(atSourceTime: max(start, end))
            return .written(try await writer.close())
        } catch {
            return .refused(error)
        }
    }

    /// Looks once more at a file that is closed now, and saves what has no name. The file's lock is given back.
    /// - Returns: `nil` when the movie lies where it was to lie, whole, or is lost.
    func rescueFile() -> RescuedMovie? {
        guard let file else { return nil }
        defer { file.close() }
        if case .abandoned = ending.outcome { return nil }
        guard settings.isKept else { return nil }
        checkFile()
        guard let fate = work.fate else { return nil }
        do throws(MediaError) {
            var saved = RescuedMovie(path: settings.outputPath)
            if fate.isDamage {
                saved.repair = try file.repairRest()
            } else {
                saved.path = try file.rescue(withRoomFor: RecordingSettings.reportEnding)
            }
            core.emit(.fileSaved(as: saved.path))
            return saved
        } catch {
            core.emit(.fileLost(error))
            return nil
        }
    }

    /// The last version of the report, beside the movie wherever that lies.
    func storeFinal(_ report: TakeReport, _ rescued: RescuedMovie?) {
        guard let rescued, rescued.path != settings.outputPath else {
            return reports.finish(with: report)
        }
        var there = settings
        there.outputPath = rescued.path
        reports.finish(with: report, by: ReportKeeper.storing(at: there.reportPath))
        // the versions before are beside a movie that is not there
        let path = settings.reportPath
        if let identity = FileIdentity(named: path),
            TakeReportFile.report(at: path)?.clocks?.hostAnchor == report.clocks?.hostAnchor
        {
            NameChange.remove(path, of: identity)
        }
    }
}
