internal import LibAV
internal import Media

/// A microphone's way into the movie: through the aligner, with silence while it is gone.
/// Thread-safe.
final class AudioTrackFeed: TrackFeed {
    // immutable
    private let plan: TrackPlan
    private let format: AudioFormat
    private let stallLimit: Int64
    private let watchesSilence: Bool
    private unowned let context: any TakeContext
    private let state: Lock<State>

    private struct Early {
        var block: BlockBuffer
        var format: AudioFormat
        var stamp: Int64
        var lost: Int
    }

    private struct State {
        var aligner: AudioAligner?
        /// What the writer has not been given yet: silence, of which it gets a portion a tick, and what was heard since.
        /// Weighs what was heard (bytes).
        var waiting = FIFO<AudioAligner.Run>()
        /// What is left of the portion (frames).
        var portion: Int64
        /// Samples from before the session's start was known.
        var early: [Early] = []
        var peak = PeakMeter()
        var silence = SilenceWatch()
        var lost = 0
        var lostCause = SampleDrop.Cause.overrun
        /// When the microphone went away or fell silent (host ns); `nil` while it delivers.
        var silentSince: Int64?
        /// Whether it is silent because its device delivers nothing, though it is there.
        var isStalled = false
        /// Whether its output was disabled.
        var isDisabled = false
        var isEnded = false
        /// Whether what is filled now is the track's end, which brings no microphone back.
        var isFinishing = false
        var isClosed = false
    }

    /// How far silence stays behind the present while the microphone is gone (ns).
    private static let timeout: Int64 = 500_000_000
    /// How much silence the writer is given at once (s): that of an hour would be more than its queues take.
    private static let portion: Int64 = 10
    /// What was heard waits for silence before it no longer than this (bytes).
    private static let waitingLimit = 64 << 20
    /// Audio kept while other sources are waited for (ns).
    private static let earlyLength: Int64 = 3_000_000_000

    init(
        plan: TrackPlan, format: AudioFormat, settings: RecordingSettings, context: any TakeContext
    ) {
        self.plan = plan
        self.format = format
        self.context = context
        stallLimit = settings.stallLimit.nanoseconds()
        watchesSilence = settings.watchedConditions.contains(.silent)
        state = Lock(State(portion: Self.portion * Int64(format.sampleRate)))
    }

    func handle(_ event: SourceEvent) {
        state.withLock { state in
            guard !state.isClosed else { return }
            switch event {
            case .sample(let sample): take(sample, &state)
            case .dropped(let drop):
                state.lost += drop.count
                state.lostCause = drop.cause
                if context.sessionStart != nil {
                    context.dropped(
                        plan.index, drop.cause, drop.count, at: drop.time.nanoseconds())
                }
            case .interrupted(let interruption): interrupt(interruption, &state)
            case .resumed:
                state.isEnded = false
                state.lost = 0
            case .ended:
                state.isEnded = true
                run(&state) { aligner throws(MediaError) in try aligner.interrupt(cause: "ended") }
            }
        }
    }

    func miss(at now: Int64) {
        state.withLock { $0.silentSince = $0.silentSince ?? now }
    }

    func tick(_ now: Int64) {
        state.withLock { state in
            guard !state.isClosed else { return }
            openAligner(&state)
            if state.waiting.isEmpty || context.takesSilence(plan.index) {
                state.portion = Self.portion * Int64(format.sampleRate)
            }
            writeWaiting(&state)
            guard let aligner = state.aligner else { return }
            if aligner.isStreaming, now - aligner.reach > stallLimit {
                interrupt(
                    SourceInterruption(
                        reason: .deviceStalled, time: .nanoseconds(aligner.reach),
                        message: "\(plan.origin.name) has stopped delivering audio."),
                    &state, cause: "stalled")
            }
            run(&state) { aligner in aligner.fill(until: now - Self.timeout) }
        }
    }

    func hold(at now: Int64) {}

    func finish(at end: Int64) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isFinishing = true
            state.portion = .max
            openAligner(&state)
            run(&state) { aligner throws(MediaError) in
                // silent so shortly before the end that it was not reported as stalled
                guard aligner.isStreaming, aligner.reach < end else { return .init() }
                // where the movie fails nobody waits for what is on its way: that is its end
                let isOnItsWay = context.isFailing && end - aligner.reach < Self.timeout
                return try aligner.interrupt(cause: isOnItsWay ? "ended" : "stalled")
            }
            run(&state) { aligner in aligner.fill(until: end) }
            run(&state) { aligner throws(MediaError) in try aligner.finish() }
            state.isClosed = true
        }
    }

    func snapshot(at now: Int64) -> TrackSnapshot {
        state.withLock { state in
            TrackSnapshot(
                silentSince: state.silentSince, isStalled: state.isStalled,
                isDisabled: state.isDisabled && state.silentSince != nil, isEnded: state.isEnded,
                driftPPM: state.aligner?.driftPPM, largestError: state.aligner?.largestError,
                peak: state.peak.level(at: now), isCatchingUp: isCatchingUp(state, now))
        }
    }

    /// Whether the writer has not been given what a standstill left to fill, or that has not been noticed yet.
    private func isCatchingUp(_ state: State, _ now: Int64) -> Bool {
        guard !state.isClosed, let aligner = state.aligner else { return false }
        let most = max(stallLimit, Self.portion * 1_000_000_000)
        return !state.waiting.isEmpty || now - aligner.reach > most
    }

    // MARK: Audio

    private func take(_ sample: SampleBuffer, _ state: inout State) {
        guard var block = sample.block, var device = sample.format.audio,
            let sampleFormat = device.sampleFormat, device.bytesPerFrame > 0
        else {
            return context.dropped(
                plan.index, .undecodable, 1, at: sample.presentationTime.nanoseconds())
        }
        let stamp = sample.presentationTime.nanoseconds()
        let lost = max(state.lost, sample.attachments.lostBefore)
        state.lost = 0
        let peak = state.peak.add(block, sampleFormat, at: stamp)
        if watchesSilence, let isSilent = state.silence.news(peak: peak, at: stamp) {
            context.saw(plan.index, isSilent ? .silent : nil, since: stamp, at: stamp)
        }
        // a mix is made of floats; without this the aligner would resample for the width alone
        if format.sampleFormat == .float32 { block = FloatAudio.widened(block, &device) }
        context.delivered(plan.index, at: stamp)
        state.early.append(Early(block: block, format: device, stamp: stamp, lost: lost))
        openAligner(&state)
        guard state.aligner != nil else {
            while let first = state.early.first, stamp - first.stamp > Self.earlyLength {
                state.early.removeFirst()
            }
            return
        }
        pushEarly(&state)
        endInterruption(&state)
    }

    private func openAligner(_ state: inout State) {
        guard state.aligner == nil, let start = context.sessionStart else { return }
        var aligner = AudioAligner(format: format, start: start)
        // the recording began without it
        if state.early.isEmpty { aligner.expect(cause: "absent") }
        state.aligner = aligner
        pushEarly(&state)
    }

    private func pushEarly(_ state: inout State) {
        let early = state.early
        state.early = []
        let cause = state.lostCause.rawValue
        for item in early {
            run(&state) { aligner throws(MediaError) in
                try aligner.push(
                    item.block, format: item.format, at: item.stamp, lost: item.lost, cause: cause)
            }
        }
    }

    /// Lets the aligner do something and writes what it made.
    private func run(
        _ state: inout State,
        _ body: (inout AudioAligner) throws(MediaError) -> AudioAligner.Output
    ) {
        guard var aligner = state.aligner else { return }
        state.aligner = nil
        defer { state.aligner = state.aligner ?? aligner }
        do throws(MediaError) {
            let output = try body(&aligner)
            state.aligner = aligner
            write(output, &state)
        } catch {
            context.fail(
                error.describing(
                    code: .encoderFailed, subject: plan.origin.name,
                    message: "Cannot align the audio of \(plan.origin.name): \(error.message)"))
        }
    }

    private func write(_ output: AudioAligner.Output, _ state: inout State) {
        guard let aligner = state.aligner else { return }
        for run in output.runs {
            state.waiting.append(run, weight: run.isFilled ? 0 : run.block.count)
        }
        writeWaiting(&state)
        for seconds in output.clockSteps { context.clockSet(plan.index, by: seconds) }
        // a microphone that left its session has ended, unless it came back
        for gap in output.gaps where gap.cause != "ended" || !state.isFinishing {
            let start = aligner.hostTime(ofFrame: gap.firstFrame)
            let end = aligner.hostTime(ofFrame: gap.firstFrame + gap.frames)
            context.filled(plan.index, from: start, length: end - start, cause: gap.cause)
            if state.silentSince != nil || gap.cause == "ended", !state.isFinishing {
                state.silentSince = nil
                context.emit(.back(track: plan.index, gap: .nanoseconds(end - start)))
            }
        }
    }

    /// As far as the portion of silence goes.
    private func writeWaiting(_ state: inout State) {
        guard let aligner = state.aligner else { return }
        while state.portion > 0 || state.waiting.weight > Self.waitingLimit,
            let run = state.waiting.popFirst()
        {
            if run.isFilled { state.portion -= Int64(run.block.count / format.bytesPerFrame) }
            write(run, by: aligner)
        }
    }

    private func write(_ run: AudioAligner.Run, by aligner: AudioAligner) {
        var frames = Int64(run.block.count / format.bytesPerFrame)
        var block = run.block
        if let end = context.sessionEnd {
            let left = aligner.frame(atHostTime: end) - run.firstFrame
            if left <= frames { context.reachedEnd(plan.index) }
            guard left > 0 else { return }
            if left < frames {
                block = block.slice(0..<Int(left) * format.bytesPerFrame)
                frames = left
            }
        }
        let sample = SampleBuffer(
            payload: .audio(block), format: .audio(format),
            presentationTime: .nanoseconds(aligner.hostTime(ofFrame: run.firstFrame)),
            duration: MediaTime(value: frames, timescale: Int32(format.sampleRate)))
        _ = context.write(sample, track: plan.index)
    }

    // MARK: Gaps

    private func interrupt(
        _ interruption: SourceInterruption, _ state: inout State, cause: String? = nil
    ) {
        if state.silentSince == nil {
            context.emit(.interrupted(track: plan.index, interruption))
            state.silentSince = interruption.time.nanoseconds()
        }
        state.isStalled = interruption.reason == .deviceStalled
        state.isDisabled = interruption.reason == .disabled
        state.lost = 0
        state.early = []
        context.lost(plan.index)
        run(&state) { aligner throws(MediaError) in
            try aligner.interrupt(cause: cause ?? interruption.reason.rawValue)
        }
    }

    /// The microphone came back so soon that there was nothing to fill.
    private func endInterruption(_ state: inout State) {
        guard state.silentSince != nil, state.aligner?.isStreaming == true else { return }
        state.silentSince = nil
        context.emit(.back(track: plan.index, gap: .zero))
    }
}
