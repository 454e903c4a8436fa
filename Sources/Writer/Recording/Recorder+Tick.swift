internal import Media
internal import Writing

extension Recorder {
    /// Distance of ticks (ns).
    private static let interval: Int64 = 100_000_000
    /// So long a stop waits for the silence of a standstill (ns).
    private static let longestCatchingUp: Int64 = 60_000_000_000

    /// The recorder's thread: ticks until the recording is over.
    func run() {
        while !core.life.isOver {
            let next = core.now() + Self.interval
            _ = core.clock.wait(until: .nanoseconds(next), orSignal: core.wake)
            core.wake.lower()
            tick()
        }
    }

    /// Does what time asks for. Called by one thread at a time.
    func tick() {
        let now = core.now()
        let (isHeldUp, stoodStill) = work.noteTick(now)
        switch core.life {
        case .idle, .finished, .failed: break
        case .starting:
            core.postponeStart(by: stoodStill)
            if !isHeldUp { checkStart(now) }
        case .running:
            if !isHeldUp { for feed in feeds { feed.tick(now) } }
            checkEnd(now)
            checkDisk(now)
            if work.isDue(.losses, at: now) { reportLosses() }
            saveReport(now)
        case .finishing:
            if !isHeldUp { for feed in feeds { feed.tick(now) } }
            if isDrained(now) { close() }
            conclude(now)
        }
    }

    private func checkStart(_ now: Int64) {
        let (missing, lead, deadline) = core.awaited
        let snapshots = feeds.map { $0.snapshot(at: now) }
        let ended = missing.filter { snapshots[$0].isEnded }
        // a device that is slow to begin is not gone
        let gone = missing.filter {
            snapshots[$0].isEnded
                || snapshots[$0].silentSince != nil && !snapshots[$0].isStalled
        }
        guard now >= deadline || !gone.isEmpty else { return }
        // when every source has delivered, the lead has not since
        let late = missing.isEmpty ? [lead ?? 0] : missing
        if begin(without: now >= deadline ? late : gone, at: now) { return }
        // who is gone may come back in time
        guard now >= deadline || !ended.isEmpty else { return }
        let silent = !ended.isEmpty ? ended : late
        failStart(
            silent, hasEnded: !ended.isEmpty,
            isDisabled: silent.allSatisfy { snapshots[$0].isDisabled })
    }

    private func failStart(_ silent: [Int], hasEnded: Bool, isDisabled: Bool) {
        let subject = silent.map { core.plans[$0].origin.name }.joined(separator: ", ")
        let limit = settings.startTimeout.approximateSeconds
        let reason =
            if hasEnded {
                "ended without a sample; check that it is connected, switched on and not muted, or leave it out"
            } else if isDisabled {
                "is disabled, and was not enabled within \(limit) s; enable it (setEnabled), or leave it out"
            } else {
                "delivered nothing within \(limit) s; check that it is connected, switched on and not "
                    + "muted, or leave it out"
            }
        core.fail(
            MediaError(
                code: .sourceSilent, subject: subject,
                message: "Cannot start recording: \(subject) \(reason)."))
    }

    /// - Returns: whether the others can be recorded without these sources.
    private func begin(without sources: [Int], at now: Int64) -> Bool {
        guard core.excuse(sources, at: now) else { return false }
        for index in sources {
            let isReported = feeds[index].snapshot(at: now).isDisabled
            feeds[index].miss(at: now)
            if isReported { continue }
            let name = core.plans[index].origin.name
            core.emit(
                .interrupted(
                    track: index,
                    SourceInterruption(
                        reason: .deviceStalled, time: .nanoseconds(now),
                        message: "\(name) has delivered nothing: the recording begins without it."))
            )
        }
        return true
    }

    private func checkEnd(_ now: Int64) {
        let isReached = !core.reached.isEmpty
        if let end = core.sessionEnd, isReached || now >= end {
            return core.stop(at: end, drains: true)
        }
        if shownFeeds.allSatisfy({ feeds[$0].snapshot(at: now).isEnded }) {
            core.stop(at: now, drains: false)
        }
    }

    private func checkDisk(_ now: Int64) {
        guard work.isDue(.diskLook, at: now) else { return }
        checkFile()
        checkRecoveries()
        let free = space.freeBytes(forFileAt: settings.outputPath)
        work.noteDelay(until: core.now())
        guard let free else { return }
        let writer = core.writer
        let written = writer?.status.bytesWritten ?? 0
        let movieTime = writer?.timeline?.length(at: now) ?? 0
        for finding in work.look(free: free, written: written, movieTime: movieTime) {
            switch finding {
            case .low(let warning): core.emit(.diskLow(warning))
            case .full:
                core.emit(.diskFull(freeBytes: free))
                core.fail(
                    MediaError(
                        code: .diskFull, subject: settings.outputPath,
                        message: "The disk of \(settings.outputPath) is nearly full "
                            + "(\(free.roughBytes) left): "
                            + (movieHasName
                                ? "the recording was ended and the movie closed; "
                                : "nothing was recorded, and the movie that is there stays; ")
                            + "make room before the next one."))
            }
        }
    }

    private func reportLosses() {
        _ = core.notes.settled(by: core.timeline)
        for index in core.plans.indices {
            for news in core.notes.takeLosses(ofSource: index) {
                core.emit(
                    .drop(
                        track: index, cause: news.cause, count: news.count,
                        isInPause: news.isInPause))
            }
            for news in core.notes.takeConditions(ofSource: index) {
                core.emit(
                    .condition(
                        track: index, news.condition, at: .nanoseconds(news.span.start),
                        length: .nanoseconds(news.span.length), isOver: news.isOver))
            }
        }
    }

    // MARK: The end

    /// Those that the movie lasts as long as; metadata goes along.
    private var shownFeeds: [Int] {
        core.plans.filter(\.format.mediaType.setsLength).map(\.index)
    }

    private func isDrained(_ now: Int64) -> Bool {
        let reached = core.reached
        let isCatchingUp = shownFeeds.contains { index in
            !reached.contains(index) && feeds[index].snapshot(at: now).isCatchingUp
        }
        // a writer that hangs does not
        if isCatchingUp, !core.isFailing, !core.isDrainOver(at: now - Self.longestCatchingUp) {
            return false
        }
        if core.isDrainOver(at: now) { return true }
        return shownFeeds.allSatisfy { index in
            let snapshot = feeds[index].snapshot(at: now)
            return reached.contains(index) || snapshot.silentSince != nil || snapshot.isEnded
        }
    }

    private func close() {
        guard work.beginClosing() else { return }
        letSourcesGo()
        let end = core.sessionEnd ?? core.now()
        for feed in feeds { feed.finish(at: end) }
        watch?.finish()
        core.notes.finishConditions(at: end)
        core.finishMix()
        checkFile()
        let writer = core.writer
        let hasBegun = core.sessionStart != nil
        Task { [self] in
            let outcome: RecorderEnding.Outcome
            if hasBegun, let writer {
                outcome = await finish(writer, at: .nanoseconds(end))
            } else {
                await writer?.cancel()
                outcome = .abandoned
            }
            ending.closed(outcome)
            core.wake.raise()
        }
    }

    private func conclude(_ now: Int64) {
        guard let outcome = ending.outcome else { return }
        checkRecoveries()
        let rescued = rescueFile()
        reportLosses()
        let failure = core.ended(outcome.failure)
        let report = finalReport(outcome, failure: failure, rescued: rescued)
        core.finish(with: report)
        ending.finish(with: report)
    }
}
