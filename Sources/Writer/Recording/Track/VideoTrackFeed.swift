internal import LibAV
internal import Media

/// A camera's way into the movie: holds the last frame while the camera is gone, and asks for a sync sample when
/// it is back. Frames pass as they come: those that are not what the track was made for (a camera came back with
/// another size) the writer converts, on its encoder's thread. Thread-safe.
final class VideoTrackFeed: TrackFeed {
    // immutable
    private let plan: TrackPlan
    private let format: VideoFormat
    private let stallLimit: Int64
    /// How long its next frame may be in the making, so that none is missing meanwhile (ns; 0: not at all).
    private let pace: Int64
    /// How long the last frame before a gap lasts by itself (ns).
    private let frameDuration: Int64
    private unowned let context: any TakeContext
    private let watch: FrameWatch?
    private let state: Lock<State>

    private struct State {
        var hold: FrameHold
        var meter: RateMeter
        /// Samples from before the session's start was known.
        var early: [SampleBuffer] = []
        var last: SampleBuffer?
        var lastReal: Int64?
        /// When the last frame came, whatever its stamp.
        var lastArrival: Int64?
        /// Whether something was reported as lost since.
        var hasLost = false
        /// Stamp of the first frame behind the movie's end.
        var afterEnd: Int64?
        var needsSync = false
        var interruption: (cause: String, since: Int64, isStated: Bool)?
        var isEnded = false
        /// Whether the recording began without it.
        var isMissed = false
        var isClosed = false
    }

    private static let earlyLimit = 4
    /// How long the map of a stereo pair may take, which names no rate: no device has stalled meanwhile (ns).
    private static let longestMap: Int64 = 30_000_000_000

    init(
        plan: TrackPlan, format: VideoFormat, settings: RecordingSettings,
        context: any TakeContext, watch: FrameWatch?
    ) {
        self.watch = watch
        self.plan = plan
        self.format = format
        self.context = context
        let duration = format.nominalRate?.frameDuration.nanoseconds()
        pace = format.depth != nil && duration == nil ? Self.longestMap : 0
        stallLimit = max(pace, settings.stallLimit.nanoseconds())
        frameDuration = duration ?? 0
        state = Lock(
            State(
                hold: FrameHold(
                    interval: max(pace, settings.holdInterval.nanoseconds()),
                    frameDuration: duration),
                meter: RateMeter(frameDuration: duration)))
    }

    func handle(_ event: SourceEvent) {
        state.withLock { state in
            guard !state.isClosed else { return }
            switch event {
            case .sample(let sample):
                state.lastArrival = context.now()
                take(sample, &state)
            case .dropped(let drop):
                if context.sessionStart != nil {
                    state.hasLost = true
                    context.dropped(
                        plan.index, drop.cause, drop.count, at: drop.time.nanoseconds())
                }
            case .interrupted(let interruption): interrupt(interruption, &state)
            case .resumed:
                state.needsSync = true
                state.isEnded = false
            case .ended(let time):
                state.isEnded = true
                keepLast(&state)
                state.interruption =
                    state.interruption ?? ("ended", time.nanoseconds(), false)
            }
        }
    }

    func miss(at now: Int64) {
        state.withLock { state in
            state.isMissed = true
            let cause = state.interruption.flatMap { $0.cause == "ended" ? nil : $0.cause }
            state.interruption = (cause ?? "absent", state.interruption?.since ?? now, true)
            state.needsSync = true
        }
    }

    func tick(_ now: Int64) {
        state.withLock { state in
            guard !state.isClosed, let last = state.lastReal else { return }
            let arrival = state.lastArrival
            let isStalled = now - max(last, arrival ?? .min) > stallLimit
            if state.interruption == nil, isStalled, context.sessionStart != nil {
                interrupt(
                    SourceInterruption(
                        reason: .deviceStalled, time: .nanoseconds(last),
                        message: "\(plan.origin.name) has stopped delivering frames."),
                    &state, cause: "stalled")
            }
            // driver memory must not be held longer than a few frames
            if now - last > 100_000_000, state.last?.pixelBuffer?.holdLimit != nil {
                keepLast(&state)
            }
            while let stamp = state.hold.due(at: now, lastArrival: arrival),
                repeatLast(at: stamp, &state)
            {}
        }
    }

    func hold(at now: Int64) {
        state.withLock { state in
            guard state.interruption != nil, !state.isClosed, state.hold.accepts(now) else {
                return
            }
            _ = repeatLast(at: now, &state)
        }
    }

    func finish(at end: Int64) {
        state.withLock { state in
            state.isClosed = true
            state.last = nil
            state.early = []
            guard let start = gapStart(state), context.sessionStart != nil, end > start else {
                return
            }
            let cause =
                state.interruption?.cause ?? (isSilent(state, before: end) ? "stalled" : nil)
            guard let cause, cause != "ended" else { return }
            context.filled(plan.index, from: start, length: end - start, cause: cause)
        }
    }

    /// Whether it fell silent so shortly before the end that it was not reported as stalled.
    private func isSilent(_ state: State, before end: Int64) -> Bool {
        guard let last = state.lastReal, context.now() - last > pace else { return false }
        let nominal = frameDuration > 0 ? frameDuration : nil
        // where the movie fails nobody waits for what is on its way
        let period = context.isFailing ? nil : state.meter.period ?? nominal
        return EndSilence(last: last, period: period)
            .lacksFrames(before: end, silentUntil: state.afterEnd ?? context.now())
    }

    func snapshot(at now: Int64) -> TrackSnapshot {
        state.withLock { state in
            TrackSnapshot(
                silentSince: state.interruption?.since,
                isStalled: state.interruption?.cause
                    == SourceInterruption.Reason.deviceStalled.rawValue,
                isDisabled: state.interruption?.cause
                    == SourceInterruption.Reason.disabled.rawValue,
                isEnded: state.isEnded,
                currentRate: state.interruption == nil ? state.meter.current : 0,
                overallRate: state.meter.overall)
        }
    }

    // MARK: Frames

    private func take(_ sample: SampleBuffer, _ state: inout State) {
        let stamp = sample.presentationTime.nanoseconds()
        context.delivered(plan.index, at: stamp)
        guard context.sessionStart != nil else {
            keepEarly(sample, &state)
            return
        }
        let early = state.early
        state.early = []
        for sample in early + [sample] { write(sample, &state) }
    }

    private func keepEarly(_ sample: SampleBuffer, _ state: inout State) {
        // frames on driver memory would starve the camera
        guard sample.pixelBuffer?.holdLimit == nil else { return }
        state.early.append(sample)
        if state.early.count > Self.earlyLimit { state.early.removeFirst() }
    }

    private func write(_ sample: SampleBuffer, _ state: inout State) {
        let stamp = sample.presentationTime.nanoseconds()
        guard let start = context.sessionStart, stamp >= start else { return }
        if let end = context.sessionEnd, stamp >= end {
            state.afterEnd = state.afterEnd ?? stamp
            return context.reachedEnd(plan.index)
        }
        guard state.hold.accepts(stamp) else {
            // the last frame was written again in its place, or its stamp goes back
            let isLate = state.lastReal.map { stamp > $0 } ?? false
            return context.dropped(plan.index, isLate ? .late : .outOfOrder, 1, at: stamp)
        }
        if state.needsSync, isInterCoded, !sample.isSync {
            return context.dropped(plan.index, .undecodable, 1, at: stamp)
        }
        guard fits(sample) else {
            return context.dropped(plan.index, .undecodable, 1, at: stamp)
        }
        var sample = sample
        if state.needsSync { sample.attachments.forcesSync = true }
        noteHole(before: stamp, state)
        endInterruption(at: stamp, &state)
        state.meter.add(stamp)
        (state.lastReal, state.hasLost) = (stamp, false)
        guard context.write(sample, track: plan.index) else { return }
        state.needsSync = false
        state.hold.wrote(at: stamp)
        watch?.offer(sample, of: plan.index)
        sample.attachments = SampleAttachments()
        state.last = sample
    }

    /// Whether the track can take it: raw frames of any kind, or samples of the same coded format.
    private func fits(_ sample: SampleBuffer) -> Bool {
        guard let given = sample.format.video else { return false }
        if format.pixelFormat != nil {
            return sample.pixelBuffer != nil && PixelConverter.converts(given, to: format)
        }
        // a track without a configuration has it in its samples
        return given.coding == format.coding && given.width == format.width
            && given.height == format.height
            && (format.codecConfiguration.isEmpty
                || given.codecConfiguration == format.codecConfiguration)
    }

    private var isInterCoded: Bool { format.codec == .h264 || format.codec == .hevc }

    // MARK: Gaps

    private func interrupt(
        _ interruption: SourceInterruption, _ state: inout State, cause: String? = nil
    ) {
        keepLast(&state)
        if state.interruption?.isStated != true {
            context.emit(.interrupted(track: plan.index, interruption))
        }
        let since = state.interruption?.since ?? interruption.time.nanoseconds()
        state.interruption = (cause ?? interruption.reason.rawValue, since, true)
        state.needsSync = true
        context.lost(plan.index)
    }

    /// A silence that ends before it counts as stalled, and in which nothing was reported as lost, is a gap all the same.
    private func noteHole(before stamp: Int64, _ state: State) {
        guard state.interruption == nil, !state.hasLost, let last = state.lastReal,
            let period = state.meter.period
        else { return }
        guard stamp - last > max(EndSilence.limit, 5 * period, pace), let start = gapStart(state),
            stamp > start
        else { return }
        context.filled(plan.index, from: start, length: stamp - start, cause: "stalled")
    }

    private func endInterruption(at stamp: Int64, _ state: inout State) {
        guard let interruption = state.interruption else { return }
        state.interruption = nil
        guard let start = gapStart(state).map({ min(stamp, $0) }) else { return }
        if stamp > start {
            context.filled(
                plan.index, from: start, length: stamp - start, cause: interruption.cause)
        }
        context.emit(.back(track: plan.index, gap: .nanoseconds(stamp - start)))
    }

    /// From where a frame is missing when none comes: of a camera that the recording began without, all.
    private func gapStart(_ state: State) -> Int64? {
        if let last = state.lastReal { return last + frameDuration }
        return state.isMissed ? context.sessionStart : nil
    }

    /// Moves the last frame to memory of its own.
    private func keepLast(_ state: inout State) {
        guard let last = state.last else { return }
        state.last = last.onOwnMemory()
    }

    /// - Returns: whether a repeat was written.
    private func repeatLast(at stamp: Int64, _ state: inout State) -> Bool {
        if let end = context.sessionEnd, stamp >= end { return false }
        // a coded frame that needs others cannot be shown twice
        guard var sample = state.last, !(isInterCoded && !sample.isSync) else { return false }
        sample.presentationTime = .nanoseconds(stamp)
        sample.decodeTime = nil
        context.repeats(plan.index, at: stamp)
        guard context.write(sample, track: plan.index) else { return false }
        state.hold.wrote(at: stamp)
        context.repeated(plan.index, at: stamp)
        return true
    }
}
