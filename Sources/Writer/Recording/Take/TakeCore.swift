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
    let control: Lock<Control>
    let notes: Lock<Notes>

    struct Control: Sendable {
        var machine = RecorderMachine()
        var gate: StartGate
        var writer: (any TakeWriting)?
        /// How far the writer is behind.
        var load: WriterLoad?
        var startDeadline: Int64 = .max
        /// Of a stop.
        var drain = DrainTime(.max, from: 0)
        var reached: Set<Int> = []
        /// Sources that the movie has no track for.
        var leftOut: Set<Int> = []
        var failure: MediaError?
    }

    struct Notes: Sendable {
        /// The end that a stop has set (host ns).
        var end: Int64?
        /// One entry a source.
        var losses: [LossAccount]
        /// One entry a source.
        var conditions: [ConditionAccount]
        var markers: [TakeReport.Marker] = []
        /// When markers were asked for that the writer has not placed yet (host ns).
        var pendingMarks: [Int64] = []
        var clocks: TakeReport.Clocks?
        /// What was given up under pressure, and taken back.
        var steps: [PressureStep] = []
        /// Presets that sources went over to, by source.
        var presets: [Int: [TakeReport.PresetChange]] = [:]
        var isReportDirty = false
    }

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
            Control(gate: StartGate(sources: plans.count, cameras: cameras, optional: optional)))
        notes = Lock(
            Notes(
                losses: Array(repeating: LossAccount(), count: plans.count),
                conditions: Array(repeating: ConditionAccount(), count: plans.count)))
    }

    /// One entry a source.
    var plans: [TrackPlan] { plan.sources }

    func now() -> Int64 { clock.now().nanoseconds() }

    var life: RecorderMachine.Life { control.withLock { $0.machine.life } }

    var writer: (any TakeWriting)? { control.withLock { $0.writer } }

    /// Where the movie stands, as the writer says; `nil` before it begins.
    var timeline: PauseGate? { writer?.timeline }

    func emit(_ event: RecorderEvent) { events.yield(event) }

    func finishEvents() { events.finish() }

    // MARK: TakeContext

    var sessionStart: Int64? { timeline?.start }

    var sessionEnd: Int64? {
        let wanted = timeline?.expectedEnd
        guard let end = notes.withLock({ $0.end }) else { return wanted }
        return min(end, wanted ?? .max)
    }

    var isFailing: Bool { control.withLock { $0.machine.isFailing } }

    func delivered(_ track: Int, at stamp: Int64) {
        guard sessionStart == nil else { return }
        control.withLock { control in
            guard control.machine.life == .starting, !control.leftOut.contains(track),
                let start = control.gate.delivered(track, at: stamp)
            else { return }
            begin(at: start, &control)
        }
    }

    func lost(_ track: Int) {
        control.withLock { $0.gate.lost(track) }
        notes.withLock { $0.conditions[track].interrupt() }
    }

    func saw(_ track: Int, _ condition: TrackCondition?, since: Int64, at time: Int64) {
        guard let start = sessionStart else { return }
        notes.withLock { $0.conditions[track].saw(condition, since: max(since, start), at: time) }
    }

    func write(_ sample: SampleBuffer, track source: Int) -> Bool {
        guard !control.withLock({ $0.leftOut.contains(source) }) else { return true }
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

    func reachedEnd(_ track: Int) {
        let isNew = control.withLock { $0.reached.insert(track).inserted }
        if isNew { wake.raise() }
    }

    func dropped(_ track: Int, _ cause: SampleDrop.Cause, _ count: Int, at time: Int64) {
        let length = plans[track].format.length(ofFrames: count)
        notes.withLock { $0.losses[track].dropped(cause, count, at: time, length: length) }
    }

    func filled(_ track: Int, from start: Int64, length: Int64, cause: String) {
        notes.withLock { notes in
            notes.losses[track].filled(from: start, length: length, cause: cause)
            notes.isReportDirty = true
        }
    }

    func repeated(_ track: Int, at time: Int64) {
        notes.withLock { $0.losses[track].repeated(at: time) }
    }

    /// The movie ends: what lasts until then ends with it.
    func finishConditions(at end: Int64) {
        notes.withLock { notes in
            for index in notes.conditions.indices { notes.conditions[index].finish(at: end) }
        }
    }

    /// What has happened so far, losses distinguished by what the writer has decided.
    func settledNotes(by timeline: PauseGate?) -> Notes {
        notes.withLock { notes in
            if let timeline {
                for index in notes.losses.indices {
                    notes.losses[index].settle(by: timeline)
                    notes.conditions[index].settle(by: timeline)
                }
            }
            return notes
        }
    }

    func fail(_ error: MediaError) {
        let now = now()
        let isFirst = control.withLock { control in
            guard !control.machine.isFailing, !control.machine.life.isOver else { return false }
            control.failure = error
            control.drain = DrainTime(0, from: now)
            if control.machine.handle(.fail) != .none { end(at: now) }
            return true
        }
        if isFirst {
            emit(.failed(error))
            wake.raise()
        }
    }

    /// Sets the last instant of the movie, unless an earlier one is set.
    func end(at time: Int64) { notes.withLock { $0.end = min($0.end ?? .max, time) } }

    private func begin(at start: Int64, _ control: inout Control) {
        guard let writer = control.writer, control.machine.handle(.ready) == .startSession
        else { return }
        do throws(MediaError) {
            try writer.startSession(atSourceTime: .nanoseconds(start))
        } catch {
            control.failure = error
            control.drain = DrainTime(0, from: start)
            _ = control.machine.handle(.fail)
            end(at: start)
            emit(.failed(error))
            return wake.raise()
        }
        // another recording may have been pressed before
        if let speed = pressure?.relief.speed, speed != .asSet { writer.setEncodingSpeed(speed) }
        let host = now()
        let wall = WallClock.nanosecondsSinceEpoch() / 1000 * 1000
        notes.withLock { notes in
            notes.clocks = TakeReport.Clocks(
                start: TakeTime(nanoseconds: start), end: nil,
                hostAnchor: TakeTime(nanoseconds: host), wallAnchor: TakeTime(nanoseconds: wall),
                wallAnchorText: CivilTime.text(nanosecondsSinceEpoch: wall))
            notes.isReportDirty = true
        }
        emit(.started(at: .nanoseconds(start)))
        wake.raise()
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
