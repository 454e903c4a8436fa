internal import Media

extension Recorder {
    /// The recording at this moment. Asking resets the audio peaks, so one caller asks.
    public func status() -> RecorderStatus {
        let now = core.now()
        let (state, writer) = core.control.withLock { ($0.machine.state, $0.writer) }
        let end = core.sessionEnd ?? .max
        let (elapsed, drops) = core.notes.withLock { notes in
            (notes.timeline.movieTime(at: min(now, end)), notes.drops.map(\.totals))
        }
        let (free, left) = work.withLock { ($0.disk.freeBytes, $0.disk.secondsLeft) }
        return RecorderStatus(
            state: state, elapsed: .nanoseconds(elapsed),
            tracks: core.plans.map { track($0, drops: drops[$0.index]) },
            bytesWritten: writer?.bytesWritten ?? 0, freeBytes: free, secondsLeft: left)
    }

    private func track(
        _ plan: TrackPlan, drops: [SampleDrop.Cause: Int]
    ) -> RecorderStatus.Track {
        let snapshot = feeds[plan.index].snapshot(takesPeak: true)
        return RecorderStatus.Track(
            index: plan.index, mediaType: plan.format.mediaType, name: plan.origin.name,
            isInterrupted: snapshot.isInterrupted, frames: snapshot.frames,
            measuredRate: snapshot.currentRate, nominalRate: plan.format.video?.nominalRate,
            drops: drops, audioPeak: snapshot.peak, driftPPM: snapshot.driftPPM)
    }

    // MARK: The report

    /// Nobody's report is overwritten by accident.
    func requireFreeReportPath() throws(WriterError) {
        guard settings.writesReport, !settings.replacesExisting,
            FileSystemSpace.exists(settings.reportPath)
        else { return }
        throw WriterError(
            code: .alreadyExists, subject: settings.reportPath,
            message: "Cannot write the take's report: \(settings.reportPath) exists already; "
                + "choose another name or allow replacing.")
    }

    /// Writes the report as it stands, when something has happened.
    func saveReport(_ now: Int64) {
        let isDirty = core.notes.withLock { notes in
            defer { notes.isReportDirty = false }
            return notes.isReportDirty
        }
        guard isDirty else { return }
        var report = currentReport(now)
        report.judge()
        if settings.writesReport { reports.save(report) }
    }

    func finalReport(
        _ outcome: RecorderEnding.Outcome, failure: WriterError?
    ) -> TakeReport {
        var report = currentReport(core.now())
        report.state = failure == nil ? .finished : .failed
        report.failure = failure?.message
        if case .written(let result) = outcome {
            report.duration = TakeTime(result.duration)
            report.bytes = result.byteCount
            report.pauses = result.pauses.map(TakeReport.Pause.init)
            let end = core.sessionEnd ?? core.now()
            report.clocks?.end =
                result.pauses.last.flatMap { pause in
                    pause.resumeTime == nil ? TakeTime(pause.cutTime) : nil
                } ?? TakeTime(nanoseconds: end)
        }
        report.judge()
        if core.sessionStart != nil, settings.writesReport { reports.finish(with: report) }
        return report
    }

    private func currentReport(_ now: Int64) -> TakeReport {
        let path = settings.outputPath
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        var report = TakeReport(movie: name, container: settings.container.rawValue)
        report.bytes = core.control.withLock { $0.writer }?.bytesWritten ?? 0
        let notes = core.notes.withLock { $0 }
        report.duration = TakeTime(nanoseconds: notes.timeline.movieTime(at: now))
        report.clocks = notes.clocks
        report.pauses = notes.timeline.cuts.map(TakeReport.Pause.init)
        report.markers = notes.markers
        report.tracks = core.plans.map { track($0, notes) }
        return report
    }

    private func track(_ plan: TrackPlan, _ notes: TakeCore.Notes) -> TakeReport.Track {
        let snapshot = feeds[plan.index].snapshot(takesPeak: false)
        var track = TakeReport.Track(
            index: plan.index, mediaType: plan.format.mediaType, origin: plan.origin,
            granted: TakeReport.GrantedFormat(plan.format), codec: plan.codecName)
        track.movieTrack = core.plan.trackOfSource[plan.index]
        track.explanation = settings.explanations[plan.index]
        track.frames = snapshot.frames
        track.filledFrames = snapshot.filledFrames
        track.measuredRate = snapshot.overallRate
        track.driftPPM = snapshot.driftPPM
        track.largestError = snapshot.largestError.map {
            TakeTime(nanoseconds: Int64(($0 * 1e9).rounded()))
        }
        for (cause, count) in notes.drops[plan.index].totals { track.drops[cause.rawValue] = count }
        track.gaps = notes.fills[plan.index].map { fill in
            TakeReport.Gap(
                movieTime: TakeTime(nanoseconds: notes.timeline.movieTime(at: fill.start)),
                hostTime: TakeTime(nanoseconds: fill.start),
                length: TakeTime(nanoseconds: fill.length), cause: fill.cause)
        }
        return track
    }
}

extension TakeReport.Pause {
    init(_ pause: MoviePause) {
        let start = TakeTime(pause.cutTime)
        let end = pause.resumeTime.map { TakeTime($0) }
        self.init(
            movieTime: TakeTime(pause.movieTime), start: start, end: end,
            length: end.map { TakeTime(nanoseconds: $0.nanoseconds - start.nanoseconds) })
    }
}
