public import Media
internal import Movie
internal import Writing

extension Recorder {
    /// The recording at this moment. Asking changes nothing, so anybody may.
    public func status() -> RecorderStatus {
        let now = core.now()
        let (life, writer) = core.standing
        let timeline = writer?.timeline
        let notes = core.notes.settled(by: timeline)
        let written = writer?.status
        let (free, left) = work.room
        let report = ending.report
        let length = timeline?.length(at: min(now, core.sessionEnd ?? .max)) ?? 0
        var status = RecorderStatus()
        status.state = RecorderState(life, timeline?.phase)
        status.elapsed = report?.duration.mediaTime ?? .nanoseconds(length)
        status.wantedLength = settings.duration
        status.pauses = timeline?.cuts.count ?? 0
        status.pausedTime = .nanoseconds(timeline?.heldTime(at: now) ?? 0)
        status.settingsByOthers = notes.settingsByOthers
        status.tracks = core.plans.map { track($0, now, notes, written) }
        status.bytesWritten = report?.bytes ?? written?.bytesWritten ?? 0
        status.slates = notes.slates.count
        status.lastSlate = notes.slates.last.map { entry($0.slate, at: $0.time, timeline) }
        status.freeBytes = free
        status.secondsLeft = left
        return status
    }

    /// Where the movie's last frame is shown, as far as its nominal rate says (movie time, ns).
    ///
    /// - Parameter distance: from the movie's end to a later frame of the camera, whose frames are regular (ns).
    private func lastFrame(_ timeline: PauseGate?, _ now: Int64, distance: Int64) -> Int64 {
        let rate = core.plans.lazy.compactMap { $0.format.video?.nominalRate }.first
        let frame = rate?.frameDuration.nanoseconds() ?? 0
        let phase = frame > 0 ? max(0, distance) % frame : 0
        return max(0, (timeline?.length(at: now) ?? 0) - frame + phase)
    }

    /// Where the frame of a photo is shown; the movie's last one for a photo behind it (movie time, ns).
    private func place(
        ofPhotoAt time: Int64, end: Int64?, _ timeline: PauseGate?, _ now: Int64
    ) -> Int64 {
        // a frame that began in the movie is in it, however short the last one is cut
        let began = timeline?.length(at: time) ?? 0
        guard began >= timeline?.length(at: now) ?? 0 else { return began }
        return lastFrame(timeline, now, distance: end.map { time - $0 } ?? 0)
    }

    private func track(
        _ plan: TrackPlan, _ now: Int64, _ notes: TakeNotes.Account, _ written: AssetWriterStatus?
    ) -> RecorderStatus.Track {
        let losses = notes.losses[plan.index]
        let snapshot = feeds[plan.index].snapshot(at: now)
        let counts = written?.tracks[core.plan.trackOfSource[plan.index]]
        var track = RecorderStatus.Track(
            index: plan.index, mediaType: plan.format.mediaType, name: plan.origin.name)
        track.silence = snapshot.silentSince.map { .nanoseconds(max(0, now - $0)) }
        track.frames = counts?.kept ?? 0
        track.repeatedFrames = losses.repeats
        track.waitingSamples = counts?.queuedSamples ?? 0
        track.measuredRate = snapshot.currentRate
        track.nominalRate = plan.format.video?.nominalRate
        track.drops = losses.drops
        track.dropsInPauses = losses.dropsInPauses
        track.condition = notes.conditions[plan.index].current.map {
            .init(kind: $0.condition, length: .nanoseconds($0.span.length))
        }
        track.audioPeak = snapshot.peak
        track.driftPPM = snapshot.driftPPM
        return track
    }

    // MARK: The report

    /// Writes the report as it stands, when something has happened and every few seconds.
    func saveReport(_ now: Int64) {
        guard movieHasName else { return }
        let isDue = work.isDue(.report, at: now, atOnce: core.notes.takeDirty())
        if isDue, settings.writesReport { reports.save(currentReport(now)) }
    }

    func finalReport(
        _ outcome: RecorderEnding.Outcome, failure: MediaError?, rescued: RescuedMovie?
    ) -> TakeReport {
        var report = currentReport(core.now())
        report.state = failure == nil ? .finished : .failed
        report.failure = failure?.message
        if !movieHasName { report.clocks = nil }
        if let rescued {
            // one sentence
            report.failure = failure.map { "\($0.message.dropLast()); it is in \(rescued.path)." }
            report.movie = String(TemporaryName.split(rescued.path).name)
            if let repair = rescued.repair { report.duration = TakeTime(repair.duration) }
        }
        if case .written(let result) = outcome {
            report.duration = TakeTime(result.duration)
            report.bytes = result.byteCount
            // where the file could not be finished either, it says what finishes it
            if result.isUnfinished { report.failure = result.failure?.message ?? report.failure }
            report.pauses = result.pauses.map(TakeReport.Pause.init)
            report.state(core.notes.settled(by: nil).timeCode, settings.timeCode)
            let end = core.sessionEnd ?? core.now()
            report.clocks?.end =
                result.pauses.last.flatMap { pause in
                    pause.resumeTime == nil ? TakeTime(pause.cutTime) : nil
                } ?? TakeTime(nanoseconds: end)
        }
        if failure != nil, report.clocks != nil {
            report.measure(rescued?.path ?? settings.outputPath)
        }
        report.judge()
        if report.clocks == nil {
            giveBackReport()
        } else if settings.writesReport {
            storeFinal(report, rescued)
        }
        return report
    }

    /// Writes the report of a take that has ended once more, where photos or settings came, were completed or lost
    /// since. Blocks for a
    /// sync.
    /// - Returns: the report as it is now; `nil` where nothing has changed.
    /// - Throws: why it could not be written: the events are over by now. It can be tried again.
    public func completeReport() throws(MediaError) -> TakeReport? {
        let notes = core.notes.settled(by: nil)
        let timeline = core.writer?.timeline
        let end = notes.end ?? core.now()
        return try reports.amend { report in
            report.photos = photos(notes, timeline, end)
            report.controls = controls(notes, timeline)
        }
    }

    private func photos(
        _ notes: TakeNotes.Account, _ timeline: PauseGate?, _ now: Int64
    ) -> [TakeReport.Photo]? {
        notes.photos.isEmpty
            ? nil
            : notes.photos.map { photo in
                let place = place(ofPhotoAt: photo.time, end: notes.end, timeline, now)
                return TakeReport.Photo(
                    movieTime: TakeTime(nanoseconds: place),
                    hostTime: TakeTime(nanoseconds: photo.time), path: photo.path,
                    live: photo.live)
            }
    }

    private func controls(
        _ notes: TakeNotes.Account, _ timeline: PauseGate?
    ) -> [TakeReport.ControlEntry]? {
        notes.controls.isEmpty
            ? nil
            : notes.controls.map { control in
                // what came while the file was closed is at its end
                let time = min(control.time, notes.end ?? control.time)
                return TakeReport.ControlEntry(
                    movieTime: TakeTime(nanoseconds: timeline?.length(at: time) ?? 0),
                    hostTime: TakeTime(nanoseconds: control.time), camera: control.camera,
                    id: control.id, setting: control.setting, granted: control.granted,
                    isByOthers: control.isByOthers ? true : nil)
            }
    }

    private func currentReport(_ now: Int64) -> TakeReport {
        var report = TakeReport(
            movie: settings.movieName, container: settings.container.rawValue)
        let writer = core.writer
        let timeline = writer?.timeline
        let written = writer?.status
        report.bytes = written?.bytesWritten ?? 0
        let notes = core.notes.settled(by: timeline)
        report.duration = TakeTime(nanoseconds: timeline?.length(at: now) ?? 0)
        report.clocks = notes.clocks
        report.pauses = timeline?.cuts.map { TakeReport.Pause(MoviePause($0)) } ?? []
        report.state(notes.timeCode, settings.timeCode)
        report.markers = notes.markers
        report.photos = photos(notes, timeline, now)
        report.controls = controls(notes, timeline)
        report.slates =
            notes.slates.isEmpty
            ? nil : notes.slates.map { entry($0.slate, at: $0.time, timeline) }
        report.pressure =
            notes.steps.isEmpty
            ? nil
            : notes.steps.map { step in
                let host = step.time.nanoseconds()
                return TakeReport.PressureEntry(
                    movieTime: TakeTime(nanoseconds: timeline?.length(at: host) ?? 0),
                    hostTime: TakeTime(nanoseconds: host), measure: step.measure.name,
                    isTaken: step.isTaken, level: step.state.level,
                    causes: step.state.causesInOrder)
            }
        report.diskLosses = notes.diskLosses > 0 ? notes.diskLosses : nil
        report.tracks = core.plans.map { plan in
            let counts = written?.tracks[core.plan.trackOfSource[plan.index]]
            return track(plan, now, notes, counts)
        }
        return report
    }

    private func track(
        _ plan: TrackPlan, _ now: Int64, _ notes: TakeNotes.Account,
        _ counts: AssetWriterStatus.Track?
    ) -> TakeReport.Track {
        let snapshot = feeds[plan.index].snapshot(at: now)
        var track = TakeReport.Track(
            index: plan.index, mediaType: plan.format.mediaType, origin: plan.origin,
            granted: TakeReport.GrantedFormat(plan.format), codec: plan.codecName)
        track.movieTrack = core.movieTrack(ofSource: plan.index)
        track.explanation = settings.explanations[plan.index]
        track.frames = counts?.kept ?? 0
        track.measuredRate = snapshot.overallRate
        track.driftPPM = snapshot.driftPPM
        track.largestError = snapshot.largestError.map {
            TakeTime(nanoseconds: Int64(($0 * 1e9).rounded()))
        }
        let planned = core.plan.tracks[core.plan.trackOfSource[plan.index]]
        track.take(notes.losses[plan.index], audioRate: planned.format.audio?.sampleRate)
        track.take(notes.conditions[plan.index])
        track.clockSteps = notes.clockSteps[plan.index]
        track.presets = notes.presets[plan.index]
        track.firstFrame = notes.lateStarts[plan.index]
        track.detections = detections(ofSource: plan.index)
        track.filters = filters(ofSource: plan.index, counted: counts?.filters ?? [])
        return track
    }
}

extension TakeReport.Track {
    /// - Parameter audioRate: of the movie's track (Hz); `nil` for video.
    fileprivate mutating func take(_ losses: LossAccount, audioRate: Int?) {
        for (cause, count) in losses.drops { drops[cause.rawValue] = count }
        for (cause, count) in losses.dropsInPauses {
            dropsInPauses = (dropsInPauses ?? [:]).merging([cause.rawValue: count]) { $1 }
        }
        gapsInPauses = losses.gapsInPauses > 0 ? losses.gapsInPauses : nil
        gaps = losses.gaps.map { gap in
            TakeReport.Gap(
                movieTime: TakeTime(nanoseconds: gap.movieTime),
                hostTime: TakeTime(nanoseconds: gap.start),
                length: TakeTime(nanoseconds: gap.length), cause: gap.cause)
        }
        filledFrames =
            audioRate.map { rate in
                let silent = losses.gaps.reduce(0) { $0 + $1.length }
                return MediaTime.nanoseconds(silent).ticks(per: Int32(rate), rounding: .nearest)
            } ?? losses.repeats
    }
}

extension TakeReport.Track {
    fileprivate mutating func take(_ account: ConditionAccount) {
        let found = TrackCondition.allCases.compactMap { kind in
            account.totals[kind].map { total in
                TakeReport.Condition(
                    kind: kind, count: total.count, total: TakeTime(nanoseconds: total.length),
                    spans: total.spans.map { span in
                        TakeReport.Span(
                            movieTime: TakeTime(nanoseconds: span.start),
                            length: TakeTime(nanoseconds: span.length))
                    })
            }
        }
        conditions = found.isEmpty ? nil : found
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
