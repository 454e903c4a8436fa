public import Media

/// Records for a while as a recording would, into a file that is removed, and says what that costs: what a machine
/// carries is best known by trying. Thread-safe.
///
/// As with a `Recorder`, sources run by the time of `start`; the outputs can be recorded afterwards.
public final class Rehearsal: Sendable {
    // immutable
    private let recorder: Recorder
    private let folder: RehearsalFolder

    /// - Parameters:
    ///   - sources: one track each, as `Recorder` takes them.
    ///   - settings: of the recording. Beside its movie a hidden folder is made for the time of the rehearsal, so that
    ///     the disk is the same.
    ///   - duration: how long it lasts (movie time, positive; default: three seconds).
    ///   - pressure: as for `Recorder`.
    /// - Throws: as `Recorder`; `ioError` and the like when the folder cannot be made.
    public init(
        sources: [any SampleSource], settings: RecordingSettings,
        duration: MediaTime = .seconds(3), pressure: PressureMonitor? = nil
    ) throws(MediaError) {
        let folder = try RehearsalFolder(beside: settings.outputPath)
        self.folder = folder
        var rehearsed = settings
        rehearsed.outputPath = "\(folder.path)/rehearsal.\(settings.container.rawValue)"
        rehearsed.duration = duration
        rehearsed.writesReport = false
        rehearsed.isKept = false
        do throws(MediaError) {
            recorder = try Recorder(sources: sources, settings: rehearsed, pressure: pressure)
        } catch {
            folder.remove()
            throw error
        }
    }

    deinit {
        // a recorder that still runs would save what it has lost
        guard folder.isThere else { return }
        Task.detached { [recorder, folder] in
            _ = await recorder.stop(fast: true)
            folder.remove()
        }
    }

    /// Begins.
    /// - Throws: as `Recorder.start`.
    public func start() throws(MediaError) { try recorder.start() }

    /// Ends it early; `finished` then says what was measured so far.
    public func stop() { recorder.requestStop() }

    /// Gives it up, whatever it does, and removes what was written.
    public func discard() async {
        _ = await recorder.stop(fast: true)
        folder.remove()
    }

    /// Removes what was written at once, because the process ends.
    package func removeNow() { folder.remove() }

    /// Waits for the end, and removes what was written. Each call once.
    /// - Returns: what it cost.
    /// - Throws: `invalidState` when it was not started; `cancelled` when the task is, with all removed.
    public func finished() async throws(MediaError) -> RecordingCost {
        let watch = Task { [recorder] in await RecordingWatch.follow(recorder) }
        let report: TakeReport
        do throws(MediaError) {
            report = try await recorder.finished()
        } catch {
            watch.cancel()
            if error.code == .cancelled { _ = await recorder.stop(fast: true) }
            folder.remove()
            throw error
        }
        watch.cancel()
        let seen = await watch.value
        folder.remove()
        let seconds = report.duration.mediaTime.approximateSeconds
        return RecordingCost(
            duration: report.duration.mediaTime, processors: RecordingWatch.processors,
            processorShare: seen.processorShare, idleShare: seen.idleShare,
            longestQueue: seen.longestQueue,
            bytesPerSecond: seconds > 0 ? Int64(Double(report.bytes) / seconds) : 0,
            report: report)
    }
}
