internal import Compose
internal import Media

extension PlayerDesk {
    /// What the thread that hands frames over does next.
    enum Showing {
        /// And say so where it is a target's.
        case show(PlayedFrame, Target?)
        /// Until something changes, or at most until a host time.
        case wait(until: Int64?)
        case again
        case end
    }

    /// Nothing shown for so long is a stall (ns).
    private static let stallLimit: Int64 = 500_000_000

    mutating func showing(at now: Int64) -> Showing {
        if isStopped { return .end }
        observe(at: now)
        switch motion {
        case .waits: return showTarget(at: now)
        case .starts: return begin(at: now)
        case .startsAudio, .stands: return .wait(until: nil)
        case .runs: return showNext(at: now)
        }
    }

    private mutating func showTarget(at now: Int64) -> Showing {
        guard let wanted = target else { return .wait(until: nil) }
        let frame = store[number(of: wanted.index)]
        if hasFrames, frame == nil { return showPassed(at: now) }
        passed = nil
        if !hasFrames, status == .loading, audio == .opening { return .wait(until: nil) }
        target = nil
        version += 1
        if isStalled {
            isStalled = false
            report(.resumed)
        }
        next = wanted.index + direction * stride
        motion = rate == 0 ? .stands : .starts
        guard let frame else {
            delivered(wanted)
            return .again
        }
        return .show(handOver(frame, wanted.index, quality, seenAt: now, now: now), wanted)
    }

    private mutating func showPassed(at now: Int64) -> Showing {
        guard let number = passed, let frame = store[number] else { return .wait(until: nil) }
        passed = nil
        return .show(handOver(frame, number, quality, seenAt: now, now: now), nil)
    }

    private mutating func begin(at now: Int64) -> Showing {
        if audio == .opening || !hasFramesAhead { return .wait(until: nil) }
        version += 1
        lastShownAt = now
        if audio == .ready, Player.audibleRates.contains(rate) {
            motion = .startsAudio
            return .wait(until: nil)
        }
        clock.start(at: clock.time(at: now), host: now, rate: rate)
        motion = .runs
        return .again
    }

    /// Forwards the next two frames are made before it begins: else the first ones would be late.
    private var hasFramesAhead: Bool {
        guard hasFrames, isForward else { return true }
        let last = isLooping ? Int64.max : (pass + 1) * times.frameCount - 1
        return [next, next + stride].allSatisfy { $0 > last || store.contains(number(of: $0)) }
    }

    private mutating func handOver(
        _ frame: PixelBuffer, _ index: Int64, _ made: PlayerQuality, seenAt host: Int64,
        now: Int64
    ) -> PlayedFrame {
        shown = index
        shownQuality = made
        lastShownAt = now
        counts.shown += 1
        version += 1
        let number = number(of: index)
        var format = VideoFormat(
            coding: .raw(frame.format), width: frame.width, height: frame.height)
        if let frameFormat {
            (format.color, format.nominalRate) = (frameFormat.color, frameFormat.nominalRate)
            format = format.lit(as: frameFormat)
        }
        return PlayedFrame(
            time: times.time(ofFrame: number), number: number, hostTime: .nanoseconds(host),
            pixels: frame, format: format, quality: made)
    }

    /// While it runs.
    private mutating func showNext(at now: Int64) -> Showing {
        let ticks = clock.time(at: now + lead)
        if let ended = endReached(at: now, ticks) { return ended }
        let end = isForward ? (pass + 1) * length : pass * length
        var deadline = clock.host(of: end) ?? now
        guard hasFrames else { return .wait(until: soonest(deadline, at: now)) }
        var current = isForward ? index(at: ticks) : index(at: ticks - 1)
        if !isLooping {
            let first = pass * times.frameCount
            current = min(max(current, first), first + times.frameCount - 1)
        }
        guard (current - next) * direction >= 0 else {
            deadline = min(deadline, (clock.host(of: due(next)) ?? now) - lead)
            return .wait(until: soonest(deadline, at: now))
        }
        let behind = (current - next) * direction / stride
        let newest = next + direction * stride * behind
        guard let frame = store[number(of: newest)] else {
            return isForward
                ? missed(behind, newest, at: now, deadline) : stall(at: now)
        }
        let made = quality
        drop(behind)
        note(due: 1, missed: 0)
        next = newest + direction * stride
        if isStalled {
            isStalled = false
            report(.resumed)
        }
        let seen = clock.host(of: due(newest)) ?? now
        return .show(handOver(frame, newest, made, seenAt: max(seen, now), now: now), nil)
    }

    /// What was due and was not shown.
    private mutating func drop(_ count: Int64) {
        guard count > 0 else { return }
        var lacking = 0
        for step in 0..<min(count, 60)
        where store[number(of: next + direction * stride * step)] == nil {
            lacking += 1
        }
        counts.dropped += Int(count)
        note(due: Int(min(count, 60)), missed: lacking)
    }

    /// Forwards: the newest frame that is due may still come in its time.
    private mutating func missed(
        _ behind: Int64, _ newest: Int64, at now: Int64, _ deadline: Int64
    ) -> Showing {
        drop(behind)
        if next != newest { version += 1 }
        next = newest
        if !isStalled, now - lastShownAt >= Self.stallLimit {
            isStalled = true
            counts.stalls += 1
            report(.stalled)
        }
        var until = min(deadline, (clock.host(of: due(newest + stride)) ?? now) - lead)
        if !isStalled { until = min(until, lastShownAt + Self.stallLimit) }
        return .wait(until: soonest(until, at: now))
    }

    /// Backwards: the frame is waited for.
    private mutating func stall(at now: Int64) -> Showing {
        isStalled = true
        counts.stalls += 1
        report(.stalled)
        note(due: 4, missed: 1)
        clock.stand(at: min(max(due(next), pass * length), (pass + 1) * length))
        target = Target(index: next, wish: nil, isBackward: true)
        motion = .waits
        version += 1
        return .again
    }

    private mutating func endReached(at now: Int64, _ ticks: Int64) -> Showing? {
        if isLooping {
            while isForward, ticks >= (pass + 1) * length { pass += 1 }
            while !isForward, ticks <= pass * length { pass -= 1 }
            return nil
        }
        let reached = clock.time(at: now)
        guard isForward ? reached >= (pass + 1) * length : reached <= pass * length else {
            return nil
        }
        let end = isForward ? length : 0
        // at its end it begins anew when it is played again
        setRate(0, endingAt: end)
        report(.ended)
        return .again
    }

    private mutating func setRate(_ rate: Double, endingAt ticks: Int64) {
        clock.stand(at: ticks + pass * length)
        setRate(rate, at: 0)
    }

    // MARK: Observers

    /// Reports the time to those who watch it.
    private mutating func observe(at now: Int64) {
        guard !observers.isEmpty else { return }
        let ticks = currentTime(at: now).playerTicks
        let isJump = observers.turn != audioTurn || observers.pass != pass
        let passed = observers.moved(to: ticks, isForward: isForward, isJump: isJump)
        if !passed.isEmpty {
            news.append { for (stream, time) in passed { stream.yield(time) } }
        }
        (observers.turn, observers.pass) = (audioTurn, pass)
    }

    /// A deadline, or when the time must be reported to somebody who watches it.
    private func soonest(_ deadline: Int64, at now: Int64) -> Int64 {
        let ticks = currentTime(at: now).playerTicks
        guard let next = observers.next(after: ticks, isForward: isForward),
            let host = clock.host(of: clock.time(at: now) + next - ticks)
        else { return deadline }
        return min(deadline, max(host, now))
    }

    // MARK: Audio

    enum Sounding {
        case play(from: Int64, rate: Double, turn: Int)
        case wait
        case end
    }

    /// What the audio thread does next.
    func sounding() -> Sounding {
        if isStopped { return .end }
        guard motion == .startsAudio else { return .wait }
        return .play(from: clock.time(at: 0), rate: rate, turn: audioTurn)
    }

    /// Whether that is still to be played.
    func isSounding(_ turn: Int) -> Bool {
        !isStopped && turn == audioTurn && (motion == .startsAudio || motion == .runs)
    }

    /// What is heard at a host time.
    /// - Parameter isMeasured: by the device; else it is taken to be so, because the device does not say.
    mutating func heard(_ ticks: Int64, at now: Int64, turn: Int, isMeasured: Bool = true) {
        guard isSounding(turn) else { return }
        version += 1
        guard motion == .startsAudio || isAssumed else {
            clock.follow(ticks, host: now)
            return
        }
        isAssumed = !isMeasured
        let start = clock.time(at: now)
        let early = max(0, start - ticks)
        let later = Int64((Double(early) / Double(PlayerClock.timescale) * 1e9 / rate).rounded())
        clock.start(at: max(ticks, start), host: now + later, rate: rate)
        lastShownAt = now + later
        motion = .runs
    }

    /// The host clock continues alone.
    mutating func loseAudio(_ reason: String, at now: Int64) {
        guard audio != .none, !isStopped else { return }
        audio = .none
        version += 1
        report(.audioLost(reason))
        if motion == .startsAudio { motion = .starts } else { clock.release(host: now) }
    }

    mutating func audioIsReady() {
        guard audio == .opening else { return }
        audio = .ready
        version += 1
    }
}
