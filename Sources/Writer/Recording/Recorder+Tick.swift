internal import Media
internal import Writing

extension Recorder {
    /// Distance of ticks (ns).
    private static let interval: Int64 = 100_000_000
    private static let second: Int64 = 1_000_000_000
    /// A tick this late (ns) was held up by the machine, and so were the sources.
    private static let lateTick: Int64 = 1_000_000_000
    /// How long sources then have to deliver what waits for them (ns).
    private static let grace: Int64 = 1_000_000_000
    /// Distance of looks at the disk (ns): it is reported as full within a second.
    private static let lookInterval: Int64 = 500_000_000

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
        let isHeldUp = noteTick(now)
        switch core.life {
        case .idle, .finished, .failed: break
        case .starting: checkStart(now)
        case .running:
            if !isHeldUp { for feed in feeds { feed.tick(now) } }
            checkEnd(now)
            checkDisk(now)
            reportLosses(now)
            saveReport(now)
        case .finishing:
            if !isHeldUp { for feed in feeds { feed.tick(now) } }
            if isDrained(now) { close() }
            conclude(now)
        }
    }

    /// Whether this process stood still a moment ago: what sources delivered meanwhile waits in drivers
    /// and queues, and must not find its place filled.
    private func noteTick(_ now: Int64) -> Bool {
        work.withLock { work in
            if let last = work.lastTick, now - last > Self.lateTick {
                work.graceEnd = now + Self.grace
            }
            work.lastTick = now
            return now < work.graceEnd
        }
    }

    private func checkStart(_ now: Int64) {
        let (missing, deadline) = core.control.withLock { ($0.gate.missing, $0.startDeadline) }
        let snapshots = feeds.map { $0.snapshot(at: now) }
        let ended = missing.filter { snapshots[$0].isEnded }
        let gone = missing.filter { snapshots[$0].isEnded || snapshots[$0].silentSince != nil }
        guard now >= deadline || !gone.isEmpty else { return }
        // when every source has delivered, the lead has not since
        let lead = core.control.withLock { $0.gate.lead } ?? 0
        let late = missing.isEmpty ? [lead] : missing
        if begin(without: now >= deadline ? late : gone, at: now) { return }
        // who is gone may come back in time
        guard now >= deadline || !ended.isEmpty else { return }
        let silent = !ended.isEmpty ? ended : late
        let subject = silent.map { core.plans[$0].origin.name }.joined(separator: ", ")
        let limit = settings.startTimeout.approximateSeconds
        let what = ended.isEmpty ? "delivered nothing within \(limit) s" : "ended without a sample"
        core.fail(
            MediaError(
                code: .sourceSilent, subject: subject,
                message: "Cannot start recording: \(subject) \(what); "
                    + "check that it is connected, switched on and not muted, or leave it out."))
    }

    /// - Returns: whether the others can be recorded without these sources.
    private func begin(without sources: [Int], at now: Int64) -> Bool {
        guard core.excuse(sources, at: now) else { return false }
        for index in sources {
            feeds[index].miss(at: now)
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
        let isReached = core.control.withLock { !$0.reached.isEmpty }
        if let end = core.sessionEnd, isReached || now >= end {
            return core.stop(at: end, drains: true)
        }
        if shownFeeds.allSatisfy({ feeds[$0].snapshot(at: now).isEnded }) {
            core.stop(at: now, drains: false)
        }
    }

    private func checkDisk(_ now: Int64) {
        let isDue = work.withLock { work in
            guard now - (work.lastLook ?? .min / 2) >= Self.lookInterval else { return false }
            work.lastLook = now
            return true
        }
        guard isDue else { return }
        checkFile()
        let free = space.freeBytes(forFileAt: settings.outputPath)
        // a disk that is slow to answer holds up this thread, not the sources
        work.withLock { $0.lastTick = core.now() }
        guard let free else { return }
        let writer = core.writer
        let written = writer?.status.bytesWritten ?? 0
        let movieTime = writer?.timeline?.length(at: now) ?? 0
        let findings = work.withLock { work in
            work.disk.look(free: free, written: written, movieTime: movieTime)
        }
        for finding in findings {
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

    private func reportLosses(_ now: Int64) {
        let isDue = work.withLock { work in
            guard now - (work.lastDrops ?? .min / 2) >= Self.second else { return false }
            work.lastDrops = now
            return true
        }
        if isDue { reportLosses() }
    }

    private func reportLosses() {
        _ = core.settledNotes(by: core.timeline)
        for index in core.plans.indices {
            for news in core.notes.withLock({ $0.losses[index].takeNews() }) {
                core.emit(
                    .drop(
                        track: index, cause: news.cause, count: news.count,
                        isInPause: news.isInPause))
            }
            for news in core.notes.withLock({ $0.conditions[index].takeNews() }) {
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
        let (reached, isOver) = core.control.withLock { ($0.reached, $0.drain.isOver(at: now)) }
        if isOver { return true }
        return shownFeeds.allSatisfy { index in
            let snapshot = feeds[index].snapshot(at: now)
            return reached.contains(index) || snapshot.silentSince != nil || snapshot.isEnded
        }
    }

    private func close() {
        let isFirst = work.withLock { work in
            defer { work.isClosing = true }
            return !work.isClosing
        }
        guard isFirst else { return }
        for source in sources { source.setHandler(nil) }
        let end = core.sessionEnd ?? core.now()
        for feed in feeds { feed.finish(at: end) }
        watch?.finish()
        core.finishConditions(at: end)
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
            ending.withLock { $0.outcome = outcome }
            core.wake.raise()
        }
    }

    private func conclude(_ now: Int64) {
        guard let outcome = ending.withLock({ $0.outcome }) else { return }
        let rescued = rescueFile()
        reportLosses()
        let failure = core.control.withLock { control in
            if control.failure == nil, let failure = outcome.failure {
                control.failure = failure
                _ = control.machine.handle(.fail)
            }
            return control.failure
        }
        let report = finalReport(outcome, failure: failure, rescued: rescued)
        core.control.withLock { _ = $0.machine.handle(.closed) }
        core.emit(.finished(report))
        core.finishEvents()
        let waiters = ending.withLock { ending in
            ending.report = report
            defer { ending.waiters = [] }
            return ending.waiters
        }
        for waiter in waiters { waiter.resume(returning: report) }
    }
}
