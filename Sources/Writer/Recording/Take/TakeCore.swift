internal import Media
internal import Movie
internal import Writing

/// The heart of a recording, which the tracks' feeds, the commands and the recorder's thread share:
/// the life cycle, the writer, and what has happened. Thread-safe.
///
/// Locks, in the order they may nest: a feed's, then the mixer's, then `control`, then `notes`. The writer is called
/// under `control`; what it reports comes on a thread of its own and takes `notes` alone, or `control`
/// afresh.
final class TakeCore: TakeContext {
    // immutable
    let settings: RecordingSettings
    let plan: TakePlan
    let clock: any MediaClock
    /// Raised when the recorder's thread has something to do at once.
    let wake = WakeSignal()
    private let mixer: MicrophoneMixer?
    private let pressure: PressureMonitor?
    private let events: AsyncStream<RecorderEvent>.Continuation

    // guarded
    private let control: Lock<TakeControl>
    let notes: TakeNotes

    init(
        settings: RecordingSettings, plan: TakePlan, clock: any MediaClock,
        events: AsyncStream<RecorderEvent>.Continuation, pressure: PressureMonitor?
    ) {
        self.pressure = pressure
        self.settings = settings
        self.plan = plan
        mixer = plan.mix.map { MicrophoneMixer($0) }
        let plans = plan.sources
        self.clock = clock
        self.events = events
        let cameras = plans.filter { $0.format.mediaType == .video }.map(\.index)
        let optional = Set(plans.filter { $0.format.mediaType == .metadata }.map(\.index))
        control = Lock(
            TakeControl(StartGate(sources: plans.count, cameras: cameras, optional: optional)))
        notes = TakeNotes(sources: plans.count)
    }

    /// One entry a source.
    var plans: [TrackPlan] { plan.sources }

    func now() -> Int64 { clock.now().nanoseconds() }

    /// The take's life and its writer at one moment.
    var standing: (life: RecorderMachine.Life, writer: (any TakeWriting)?) {
        control.withLock { ($0.life, $0.writer) }
    }

    var life: RecorderMachine.Life { control.withLock { $0.life } }

    func measure(into reading: inout PressureReading) {
        control.withLock { $0.measure(into: &reading) }
    }

    var writer: (any TakeWriting)? { control.withLock { $0.writer } }

    /// Why the recording ends before its time.
    var failure: MediaError? { control.withLock { $0.failure } }

    /// Sources that the movie has no track for.
    var leftOut: Set<Int> { control.withLock { $0.leftOut } }

    /// Sources of which everything up to the end is written.
    var reached: Set<Int> { control.withLock { $0.reached } }

    /// Where the movie stands, as the writer says; `nil` before it begins.
    var timeline: PauseGate? { writer?.timeline }

    func emit(_ event: RecorderEvent) { events.yield(event) }

    func finishEvents() { events.finish() }

    // MARK: TakeContext

    var sessionStart: Int64? { timeline?.start }

    var sessionEnd: Int64? {
        let wanted = timeline?.expectedEnd
        guard let end = notes.end else { return wanted }
        return min(end, wanted ?? .max)
    }

    var isFailing: Bool { control.withLock { $0.isFailing } }

    func delivered(_ track: Int, at stamp: Int64) {
        guard sessionStart == nil else { return }
        control.withLock { control in
            guard let (start, writer) = control.delivered(track, at: stamp) else { return }
            begin(writer, at: start, &control)
        }
    }

    func lost(_ track: Int) {
        control.withLock { $0.lost(track) }
        notes.interrupted(track)
    }

    func saw(_ track: Int, _ condition: TrackCondition?, since: Int64, at time: Int64) {
        guard let start = sessionStart else { return }
        notes.saw(track, condition, since: max(since, start), at: time)
    }

    func write(_ sample: SampleBuffer, track source: Int) -> Bool {
        guard !leftOut.contains(source) else { return true }
        let track = plan.trackOfSource[source]
        guard let mixer, let input = mixer.input(ofSource: source), let start = sessionStart else {
            return writeToMovie(sample, track: track)
        }
        return mixer.push(sample, input: input, start: start) { writeToMovie($0, track: track) }
    }

    /// Writes what waits in the mix; the feeds have given everything.
    func finishMix() {
        guard let mixer, let start = sessionStart else { return }
        mixer.finish(start: start) { writeToMovie($0, track: mixer.plan.track) }
    }

    private func writeToMovie(_ sample: SampleBuffer, track: Int) -> Bool {
        guard let writer else { return false }
        do throws(MediaError) {
            return try writer.append(sample, track: track, waits: settings.overflow == .wait)
        } catch {
            fail(error)
            return false
        }
    }

    func takesSilence(_ track: Int) -> Bool {
        guard let status = writer?.status, !leftOut.contains(track) else { return true }
        return status.tracks[plan.trackOfSource[track]].queuedBytes < 8 << 20
    }

    func reachedEnd(_ track: Int) {
        if control.withLock({ $0.reachedEnd(track) }) { wake.raise() }
    }

    func dropped(_ track: Int, _ cause: SampleDrop.Cause, _ count: Int, at time: Int64) {
        let length = plans[track].format.length(ofFrames: count)
        notes.dropped(track, cause, count, at: time, length: length)
    }

    func filled(_ track: Int, from start: Int64, length: Int64, cause: String) {
        notes.filled(track, from: start, length: length, cause: cause)
    }

    func clockSet(_ track: Int, by seconds: Double) {
        notes.clockSet(ofSource: track)
        emit(.clockSet(track: track, by: .nanoseconds(Int64((seconds * 1e9).rounded()))))
    }

    /// The writer has left out frames.
    func refused(_ track: Int, _ drop: SampleDrop) {
        let length = plans[track].format.length(ofFrames: drop.count)
        notes.refused(
            track, drop.cause, drop.count, at: drop.time.nanoseconds(), length: length)
    }

    func repeats(_ track: Int, at time: Int64) { notes.repeats(track, at: time) }

    func repeated(_ track: Int, at time: Int64) { notes.repeated(track, at: time) }

    func fail(_ error: MediaError) {
        let now = now()
        if control.withLock({ fail(error, at: now, &$0) }) {
            emit(.failed(error))
            wake.raise()
        }
    }

    /// - Returns: whether this changed anything.
    private func fail(_ error: MediaError, at time: Int64, _ control: inout TakeControl) -> Bool {
        guard let isEnd = control.fail(error, at: time) else { return false }
        if isEnd { notes.end(at: time) }
        return true
    }

    // MARK: The start

    func start(_ writer: any TakeWriting) {
        let deadline = now() + settings.startTimeout.nanoseconds()
        let load = writer.load(rates: plan.tracks.map { $0.format.video?.nominalRate })
        control.withLock { $0.start(writer, load: load, until: deadline) }
    }

    /// Time in which this process stood still is none in which a source could have delivered.
    func postponeStart(by length: Int64) { control.withLock { $0.postponeStart(by: length) } }

    /// What the start waits for: the sources that have not delivered, the camera that leads, and until when.
    var awaited: (missing: [Int], lead: Int?, deadline: Int64) {
        control.withLock { ($0.missing, $0.lead, $0.startDeadline) }
    }

    /// The recording begins without sources that died or say nothing, if others are there. A source that
    /// delivers later is recorded from then on, but for a copied stream that the movie's header cannot describe
    /// without its first sample: it has no track.
    /// - Returns: whether it can; the others' next samples then begin it.
    func excuse(_ sources: [Int], at now: Int64) -> Bool {
        guard !sources.isEmpty else { return false }
        let useless = sources.filter { plans[$0].needsFirstSample }
        let deadline = now + settings.startTimeout.nanoseconds()
        return control.withLock { control in
            guard let gone = control.excuse(sources, leavingOut: useless, until: deadline) else {
                return false
            }
            for source in gone { control.writer?.leaveOut(track: plan.trackOfSource[source]) }
            return true
        }
    }

    private func begin(
        _ writer: any TakeWriting, at start: Int64, _ control: inout TakeControl
    ) {
        let host = now()
        let wall = WallClock.nanosecondsSinceEpoch() / 1000 * 1000
        let timeCode = plan.timeCodeRate.flatMap { rate in
            settings.timeCode?.begin(at: rate, wall: wall - (host - start))
        }
        if let timeCode { writer.setTimeCode(timeCode) }
        do throws(MediaError) {
            try writer.startSession(atSourceTime: .nanoseconds(start))
        } catch {
            _ = fail(error, at: start, &control)
            emit(.failed(error))
            return wake.raise()
        }
        // another recording may have been pressed before
        if let speed = pressure?.relief.speed, speed != .asSet { writer.setEncodingSpeed(speed) }
        notes.began(
            TakeReport.Clocks(
                start: TakeTime(nanoseconds: start), end: nil,
                hostAnchor: TakeTime(nanoseconds: host), wallAnchor: TakeTime(nanoseconds: wall),
                wallAnchorText: CivilTime.text(nanosecondsSinceEpoch: wall)), timeCode)
        emit(.started(at: .nanoseconds(start)))
        wake.raise()
    }

    // MARK: Commands

    /// Asks the writer while the movie runs or is paused; a writer that refuses has failed.
    func command(_ body: (any TakeWriting) throws(MediaError) -> Bool) -> Bool {
        do throws(MediaError) {
            return try control.withLock { control throws(MediaError) in
                guard let writer = control.runningWriter else { return false }
                return try body(writer)
            }
        } catch {
            fail(error)
            return false
        }
    }

    /// Asks for the end.
    /// - Parameters:
    ///   - time: the movie's last instant (host ns).
    ///   - drains: whether samples of moments before it are waited for.
    func stop(at time: Int64, drains: Bool) {
        let now = now()
        let limit = drains ? settings.drainLimit.nanoseconds() : 0
        control.withLock { control in
            if control.stop(at: now, drainLimit: limit) { notes.end(at: time) }
        }
        wake.raise()
    }

    /// One look of a stop that waits for what is on its way: whether it waits no longer.
    func isDrainOver(at now: Int64) -> Bool { control.withLock { $0.isDrainOver(at: now) } }

    /// The writer has ended.
    /// - Returns: why the recording fails.
    func ended(_ failure: MediaError?) -> MediaError? { control.withLock { $0.ended(failure) } }

    /// Nothing changes any more.
    func finish(with report: TakeReport) {
        control.withLock { $0.closed() }
        emit(.finished(report))
        finishEvents()
    }
}

extension FormatDescription {
    /// How long so many frames last (ns); 0 where the rate is unknown.
    fileprivate func length(ofFrames count: Int) -> Int64 {
        switch self {
        case .video(let format):
            Int64(count) * (format.nominalRate?.frameDuration.nanoseconds() ?? 0)
        case .audio(let format):
            format.sampleRate > 0 ? Int64(count) * 1_000_000_000 / Int64(format.sampleRate) : 0
        case .text, .metadata: 0
        }
    }
}
