internal import Media
internal import Writing

/// What has happened in a take, for its report and its status. Thread-safe; takes no other lock.
final class TakeNotes: Sendable {
    /// All of it at one moment.
    struct Account: Sendable {
        /// The end that a stop has set (host ns).
        fileprivate(set) var end: Int64?
        /// One entry a source.
        fileprivate(set) var losses: [LossAccount]
        /// One entry a source.
        fileprivate(set) var conditions: [ConditionAccount]
        fileprivate(set) var markers: [TakeReport.Marker] = []
        /// When markers were asked for that the writer has not placed yet (host ns).
        fileprivate var pendingMarks: [Int64] = []
        fileprivate(set) var clocks: TakeReport.Clocks?
        /// From the movie's beginning on.
        fileprivate(set) var timeCode: MovieTimeCode?
        /// Files, and when their frames began (host ns).
        fileprivate(set) var photos: [NotedPhoto] = []
        fileprivate(set) var controls: [NotedControl] = []
        /// What others have changed (count), also what is not listed any more.
        fileprivate(set) var settingsByOthers = 0
        /// Slates that cameras were shown, and when their frames began (host ns).
        fileprivate(set) var slates: [(slate: SeenSlate, time: Int64)] = []
        /// What was given up under pressure, and taken back.
        fileprivate(set) var steps: [PressureStep] = []
        /// Presets that sources were changed to, by source.
        fileprivate(set) var presets: [Int: [TakeReport.PresetChange]] = [:]
        /// When the first frame shows of sources that began at a later sync sample (movie time), by source.
        fileprivate(set) var lateStarts: [Int: TakeTime] = [:]
        /// How often a microphone's clock was set anew, by source.
        fileprivate(set) var clockSteps: [Int: Int] = [:]
        /// How often the disk lost bytes that were written again.
        fileprivate(set) var diskLosses = 0
        fileprivate var isReportDirty = false
    }

    struct NotedControl: Sendable {
        let camera: String
        let id: String?
        let setting: String
        let granted: String?
        /// When the camera had taken it (host ns).
        let time: Int64
        let isByOthers: Bool
    }

    struct NotedPhoto: Sendable {
        let path: String
        /// When its frame began (host ns).
        let time: Int64
        /// Of a live photo whose movie is there.
        var live: TakeReport.LiveMovie?
    }

    private let account: Lock<Account>

    init(sources: Int) {
        account = Lock(
            Account(
                losses: Array(repeating: LossAccount(), count: sources),
                conditions: Array(repeating: ConditionAccount(), count: sources)))
    }

    // MARK: The movie

    var end: Int64? { account.withLock { $0.end } }

    /// Sets the last instant of the movie, unless an earlier one is set (host ns).
    func end(at time: Int64) { account.withLock { $0.end = min($0.end ?? .max, time) } }

    func began(_ clocks: TakeReport.Clocks, _ timeCode: MovieTimeCode?) {
        note { ($0.clocks, $0.timeCode) = (clocks, timeCode) }
    }

    /// It holds or continues.
    func pausedOrResumed() { note { _ in } }

    /// - Returns: the number of a marker that is asked for now (host ns).
    func askedMark(at time: Int64) -> Int {
        account.withLock { account in
            account.pendingMarks.append(time)
            return account.markers.count + account.pendingMarks.count
        }
    }

    /// The writer has placed the next of the markers that were asked for.
    func marked(_ text: String, at movieTime: MediaTime) {
        note { account in
            let asked = account.pendingMarks.isEmpty ? 0 : account.pendingMarks.removeFirst()
            account.markers.append(
                TakeReport.Marker(
                    movieTime: TakeTime(movieTime), hostTime: TakeTime(nanoseconds: asked),
                    text: text))
        }
    }

    func tookPhoto(_ path: String, at time: Int64) {
        note { $0.photos.append(NotedPhoto(path: path, time: time)) }
    }

    /// Most changes by others that a report lists (count): a camera may announce one with every frame.
    static let mostByOthers = 1000

    func changedControl(_ control: NotedControl) {
        account.withLock { account in
            guard control.isByOthers else {
                account.controls.append(control)
                account.isReportDirty = true
                return
            }
            account.settingsByOthers += 1
            guard account.settingsByOthers <= Self.mostByOthers else { return }
            account.controls.append(control)
            // a camera that announces many writes no report with each: those behind the first wait for the next
            if account.settingsByOthers <= 32 { account.isReportDirty = true }
        }
    }

    func saw(_ slate: SeenSlate, at time: Int64) { note { $0.slates.append((slate, time)) } }

    func tookMovie(_ movie: TakeReport.LiveMovie, of path: String, at time: Int64) {
        note { account in
            for index in account.photos.indices
            where account.photos[index].path == path && account.photos[index].time == time {
                account.photos[index].live = movie
            }
        }
    }

    func lostPhoto(_ path: String, at time: Int64) {
        note { $0.photos.removeAll { $0.path == path && $0.time == time } }
    }

    func followed(_ step: PressureStep) { note { $0.steps.append(step) } }

    func changedPreset(ofSource source: Int, _ preset: String, at time: MediaTime) {
        let change = TakeReport.PresetChange(movieTime: TakeTime(time), preset: preset)
        note { $0.presets[source, default: []].append(change) }
    }

    func beganLate(_ source: Int, at time: MediaTime) {
        note { $0.lateStarts[source] = TakeTime(time) }
    }

    func clockSet(ofSource source: Int) { note { $0.clockSteps[source, default: 0] += 1 } }

    /// The disk lost bytes so many times so far.
    /// - Returns: whether it is more often than was known.
    func lostBytes(times: Int) -> Bool {
        account.withLock { account in
            guard times > account.diskLosses else { return false }
            account.diskLosses = times
            account.isReportDirty = true
            return true
        }
    }

    // MARK: Losses and conditions

    func dropped(
        _ source: Int, _ cause: SampleDrop.Cause, _ count: Int, at time: Int64, length: Int64
    ) {
        account.withLock { $0.losses[source].dropped(cause, count, at: time, length: length) }
    }

    func filled(_ source: Int, from start: Int64, length: Int64, cause: String) {
        note { $0.losses[source].filled(from: start, length: length, cause: cause) }
    }

    /// As `dropped`, by the writer.
    func refused(
        _ source: Int, _ cause: SampleDrop.Cause, _ count: Int, at time: Int64, length: Int64
    ) {
        account.withLock { $0.losses[source].refused(cause, count, at: time, length: length) }
    }

    func repeats(_ source: Int, at time: Int64) {
        account.withLock { $0.losses[source].repeats(at: time) }
    }

    func repeated(_ source: Int, at time: Int64) {
        account.withLock { $0.losses[source].repeated(at: time) }
    }

    func interrupted(_ source: Int) { account.withLock { $0.conditions[source].interrupt() } }

    func saw(_ source: Int, _ condition: TrackCondition?, since: Int64, at time: Int64) {
        account.withLock { $0.conditions[source].saw(condition, since: since, at: time) }
    }

    /// The movie ends: what lasts until then ends with it.
    func finishConditions(at end: Int64) {
        account.withLock { account in
            for index in account.conditions.indices { account.conditions[index].finish(at: end) }
        }
    }

    // MARK: Reading

    /// What has happened so far, losses distinguished by what the writer has decided.
    func settled(by timeline: PauseGate?) -> Account {
        account.withLock { account in
            if let timeline {
                for index in account.losses.indices {
                    account.losses[index].settle(by: timeline)
                    account.conditions[index].settle(by: timeline)
                }
            }
            return account
        }
    }

    /// Losses that are not reported yet.
    func takeLosses(ofSource source: Int) -> [LossAccount.News] {
        account.withLock { $0.losses[source].takeNews() }
    }

    /// Conditions that are not reported yet.
    func takeConditions(ofSource source: Int) -> [ConditionAccount.News] {
        account.withLock { $0.conditions[source].takeNews() }
    }

    /// Whether something has happened since the last call that the report on disk does not have.
    func takeDirty() -> Bool {
        account.withLock { account in
            defer { account.isReportDirty = false }
            return account.isReportDirty
        }
    }

    private func note(_ change: (inout Account) -> Void) {
        account.withLock { account in
            change(&account)
            account.isReportDirty = true
        }
    }
}
