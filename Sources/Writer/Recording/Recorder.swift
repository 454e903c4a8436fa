public import Media
internal import Movie
internal import Writing

/// Records any sources of samples into one movie that can be paused exactly and cannot be lost.
///
/// Every source becomes a track. The movie begins when all have delivered, at a frame of the first
/// camera; audio is aligned to it and stays aligned; what a source does not deliver is filled, reported
/// and reported. Thread-safe; no call but `stop` and `finished` waits. A recorder records once.
public final class Recorder: Sendable {
    /// What happens, in order, for one listener; ends after `finished`. At most 4,096 events wait,
    /// then the oldest go.
    public let events: AsyncStream<RecorderEvent>
    public let settings: RecordingSettings

    // immutable
    let sources: [any SampleSource]
    let core: TakeCore
    let feeds: [any TrackFeed]
    let space: any DiskSpaceProvider
    private let makeWriter: TakeWriterMaker
    private let ownsThread: Bool
    /// Whether the report's name is taken before the movie begins.
    private let claimsReport: Bool
    /// One command at a time: its instant, the held frame and the writer's cut belong together.
    private let commands = Lock(0)
    /// The report's file that was made before the movie began; `nil` where one was there.
    private let claim = Lock<FileIdentity?>(nil)
    /// While it is recorded from them.
    private let sourceClaim = Lock<SourceClaim?>(nil)
    /// What detectors had counted when the recorder was started, by source.
    private let detectedBefore = Lock<[Int: DetectionCounts]>([:])
    let work: RecorderWork
    let ending = RecorderEnding()
    let reports: ReportKeeper
    /// `nil` where nothing is looked for.
    let watch: FrameWatch?

    /// Checks the settings against the sources; opens and starts nothing.
    /// - Parameters:
    ///   - sources: one track each, in this order; they must be running by the time of `start`, and
    ///     may run before and after. The recorder takes their handlers.
    ///   - settings: where and how the take is recorded.
    ///   - clock: the clock the sources stamp with.
    ///   - pressure: what the recorder follows when the machine is pressed: frames are then encoded faster, each
    ///     step is reported and in the report (default: it stays as it was asked to be).
    /// - Throws: `invalidSetting` or `unsupported`, naming the field or source (also one that comes twice); `invalidState` for an output whose
    ///   session is not configured yet (`CaptureSession.configure`).
    public convenience init(
        sources: [any SampleSource], settings: RecordingSettings,
        clock: any MediaClock = HostClock(), pressure: PressureMonitor? = nil
    ) throws(MediaError) {
        try self.init(
            sources: sources, settings: settings, clock: clock, space: FileSystemSpace(),
            makeWriter: AssetWriter.makeForTake, ownsThread: true, pressure: pressure)
    }

    /// - Parameters:
    ///   - ownsThread: whether a thread of the recorder's calls `tick()`; else the caller does.
    ///   - storeReport: brings a version of the report to disk; may take its time.
    init(
        sources: [any SampleSource], settings: RecordingSettings, clock: any MediaClock,
        space: any DiskSpaceProvider, makeWriter: @escaping TakeWriterMaker, ownsThread: Bool,
        storeReport: ReportKeeper.Store? = nil, pressure: PressureMonitor? = nil
    ) throws(MediaError) {
        try settings.validate()
        for source in sources { try source.requireFormat() }
        if let twice = sources.indices.first(where: { index in
            sources[..<index].contains { $0 === sources[index] }
        }) {
            throw MediaError(
                code: .invalidSetting, subject: "sources",
                message: "\(sources[twice].origin.name) is named twice: a source has one listener; "
                    + "take two outputs of the device, or branches of a SharedSource.")
        }
        let plan = try settings.plan(for: sources)
        let (events, continuation) = AsyncStream.makeStream(
            of: RecorderEvent.self, bufferingPolicy: .bufferingNewest(4096))
        let core = TakeCore(
            settings: settings, plan: plan, clock: clock, events: continuation, pressure: pressure)
        pressure?.add(core)
        self.sources = sources
        self.settings = settings
        self.events = events
        self.core = core
        self.space = space
        self.makeWriter = makeWriter
        let store: ReportKeeper.Store
        if let storeReport {
            store = storeReport
        } else {
            store = ReportKeeper.storing(at: settings.reportPath)
        }
        reports = ReportKeeper(store: store) { core.emit(.reportFailed($0)) }
        self.ownsThread = ownsThread
        claimsReport = settings.writesReport && storeReport == nil
        let sought = settings.watchedConditions.subtracting([.silent])
        let watch =
            sought.isEmpty
            ? nil
            : FrameWatch(sources: sources.count, conditions: sought, isInline: !ownsThread) {
                core.saw($0, $1.condition, since: $1.since, at: $1.time)
            }
        self.watch = watch
        feeds = plan.sources.map { source in
            switch plan.feedFormat(ofSource: source.index) {
            case .video(let format):
                VideoTrackFeed(
                    plan: source, format: format, settings: settings, context: core, watch: watch)
            case .audio(let format):
                AudioTrackFeed(plan: source, format: format, settings: settings, context: core)
            case .metadata(let format):
                MetadataTrackFeed(
                    plan: source, format: format,
                    mergesEmpty: sources[source.index] is any DetectingSource, context: core)
            case .text: preconditionFailure("a plan refuses text")
            }
        }
        work = RecorderWork(
            DiskWatch(reserve: settings.diskReserve, warnings: settings.diskWarnings))
    }

    deinit { core.finishEvents() }

    // MARK: Commands

    /// Creates the movie's file and begins to listen to the sources.
    /// - Throws: `invalidState` when called twice, and for a source that another recorder is recording; `diskFull`
    ///   below the reserve; what the writer answers when the file cannot be made. The recorder can be started again
    ///   then.
    public func start() throws(MediaError) {
        try commands.withLock { _ throws(MediaError) in
            guard core.life == .idle else {
                throw MediaError(
                    code: .invalidState, subject: "start",
                    message: "This recording was started before; a recorder records once.")
            }
            try settings.requireFreeReport()
            try settings.requireFreeSpace(in: space)
            let core = core
            let claimed = try SourceClaim(sources)
            let writer = try makeWriter(settings, core.plan.tracks) { core.take($0) }
            do throws(MediaError) { try claimReport() } catch {
                Self.remove(writer)
                throw error
            }
            sourceClaim.withLock { $0 = claimed }
            core.start(writer)
            detectedBefore.withLock { $0 = detected() }
            for (index, source) in sources.enumerated() {
                source.setHandler { [weak self] event in self?.feeds[index].handle(event) }
            }
            startThread()
        }
    }

    /// The sources are anybody's again.
    func letSourcesGo() {
        for source in sources { source.setHandler(nil) }
        sourceClaim.withLock { $0 = nil }
    }

    /// What the detector of a source has counted since the start; `nil` where there is none.
    func detections(ofSource index: Int) -> DetectionCounts? {
        guard let counts = (sources[index] as? any DetectingSource)?.detectionCounts else {
            return nil
        }
        return counts.since(detectedBefore.withLock { $0[index] } ?? DetectionCounts())
    }

    private func detected() -> [Int: DetectionCounts] {
        var counts: [Int: DetectionCounts] = [:]
        for (index, source) in sources.enumerated() {
            counts[index] = (source as? any DetectingSource)?.detectionCounts
        }
        return counts
    }

    /// What each filter of a source did with the frames of the movie; `nil` where there is none.
    /// - Parameter counted: by the writer; empty where no frame has arrived.
    func filters(ofSource index: Int, counted: [FilterCounts]) -> [FilterCounts]? {
        guard let all = (sources[index] as? FilteredSource)?.filterCounts else { return nil }
        guard counted.isEmpty else { return counted }
        return all.map { FilterCounts(name: $0.name, fallback: $0.fallback) }
    }

    /// Gives up a movie that has not begun, and waits until its file is gone: a program that ends at the error would
    /// leave an empty one.
    private static func remove(_ writer: any TakeWriting) {
        let isGone = WakeSignal()
        Task.detached {
            await writer.cancel()
            isGone.raise()
        }
        _ = isGone.wait(nanoseconds: 5_000_000_000)
    }

    /// The report of the movie that is replaced stays until this one begins to exist; the movie's lock keeps
    /// others from it.
    private func claimReport() throws(MediaError) {
        let (path, movie) = (settings.reportPath, settings.movieName)
        guard claimsReport, TakeReportFile.movie(ofReportAt: path) != movie else { return }
        let made = try TakeReportFile(path: path)
            .claim(for: movie, container: settings.container.rawValue)
        claim.withLock { $0 = made }
    }

    /// Nothing was recorded.
    func giveBackReport() {
        guard let claim = claim.withLock({ $0 }) else { return }
        NameChange.remove(settings.reportPath, of: claim)
    }

    /// The movie holds from this instant on; the sources run on.
    /// - Returns: whether that changed anything (`false` while paused, and unless recording).
    @discardableResult
    public func pause() -> Bool {
        commands.withLock { _ in setPaused(true) }
    }

    /// The movie continues from this instant.
    /// - Returns: whether that changed anything (`false` unless paused).
    @discardableResult
    public func resume() -> Bool {
        commands.withLock { _ in setPaused(false) }
    }

    /// Pauses or resumes, whichever changes something.
    /// - Returns: whether anything changed.
    @discardableResult
    public func toggle() -> Bool {
        commands.withLock { _ in setPaused(core.timeline?.endsPaused == false) }
    }

    /// Sets a marker at this instant.
    /// - Parameter text: its name; `nil` for "Marker" and its number.
    /// - Returns: whether it was set (`false` before the movie begins and after its end).
    @discardableResult
    public func mark(_ text: String? = nil) -> Bool {
        commands.withLock { _ in core.mark(text, at: core.now()) }
    }

    /// Sets a marker at an instant that has been: where a frame is that was looked at.
    /// - Parameters:
    ///   - text: its name.
    ///   - time: on the host clock; one before the movie begins counts as its beginning.
    /// - Returns: whether it was set (`false` before the movie begins and after its end).
    @discardableResult
    public func mark(_ text: String, at time: MediaTime) -> Bool {
        commands.withLock { _ in core.mark(text, at: time.nanoseconds()) }
    }

    /// Notes a photo that was taken of what is recorded, for the report.
    /// - Parameters:
    ///   - path: its file; of one in the movie's folder its name.
    ///   - time: when the camera began the frame (host clock).
    public func notePhoto(_ path: String, at time: MediaTime) {
        core.notes.tookPhoto(path, at: time.nanoseconds())
    }

    /// Notes a setting of a camera that was changed, for the report.
    /// - Parameters:
    ///   - setting: what was asked for, as words.
    ///   - granted: what the camera made of it; `nil` where it cannot be read.
    ///   - camera: its name.
    ///   - id: its identity, which two cameras of one name do not share.
    ///   - time: when the camera had taken it (host clock).
    ///   - isByOthers: whether another program or the camera itself did it.
    public func noteControl(
        _ setting: String, granted: String?, of camera: String, id: String? = nil,
        at time: MediaTime, isByOthers: Bool = false
    ) {
        core.notes.changedControl(
            TakeNotes.NotedControl(
                camera: camera, id: id, setting: setting, granted: granted,
                time: time.nanoseconds(), isByOthers: isByOthers))
    }

    /// Notes the movie of a live photo that was noted before; after the end of the take `completeReport()` writes it.
    /// - Parameters:
    ///   - movie: what became of it.
    ///   - path: the photo's, as it was noted.
    ///   - time: when the camera began the photo's frame (host clock).
    public func noteLiveMovie(
        _ movie: TakeReport.LiveMovie, of path: String, at time: MediaTime
    ) {
        core.notes.tookMovie(movie, of: path, at: time.nanoseconds())
    }

    /// Takes a note back: the photo could not be written.
    public func forgetPhoto(_ path: String, at time: MediaTime) {
        core.notes.lostPhoto(path, at: time.nanoseconds())
    }

    /// Ends the movie at this instant, waiting a moment (`drainLimit`) for samples that are on their
    /// way, and closes the file. Asks for the same again when it is stopping already. A task that is cancelled waits
    /// nevertheless.
    /// - Parameter fast: whether to leave out what is on its way.
    public func stop(fast: Bool = false) async -> TakeReport {
        requestStop(fast: fast)
        return await ending.wait()
    }

    /// As `stop`, without waiting for the end.
    public func requestStop(fast: Bool = false) {
        commands.withLock { _ in
            let wasIdle = core.life == .idle
            core.stop(at: core.now(), drains: !fast)
            if wasIdle { startThread() }
        }
    }

    /// Waits until the file is closed, whatever ended the recording.
    /// - Throws: `invalidState` for a recorder that was not started; `cancelled` when the task is: the recording goes
    ///   on, and can be waited for again.
    public func finished() async throws(MediaError) -> TakeReport {
        guard core.life != .idle else {
            throw MediaError(
                code: .invalidState, subject: settings.outputPath,
                message: "The recording of \(settings.outputPath) was not started, and has no end: "
                    + "call start() first.")
        }
        return try await ending.waitUnlessCancelled(for: settings.outputPath)
    }

    /// The thread keeps the recorder until the recording is over.
    private func startThread() {
        guard ownsThread else { return }
        NamedThread(name: "vcap-recorder") { self.run() }.detach()
        watch?.start()
    }

    /// - Returns: whether that changes what the movie will be when all that was asked for is decided.
    private func setPaused(_ isPaused: Bool) -> Bool {
        let now = core.now()
        guard core.life == .running, core.timeline?.endsPaused == !isPaused else { return false }
        let changes = isPaused ? core.pause(at: now) : core.resume(at: now)
        // behind the command, which otherwise could only cut behind this frame
        if changes { hold(at: now) }
        return changes
    }

    /// A command can only cut at a frame: a camera that is gone stands there with its last one.
    private func hold(at now: Int64) {
        let lead = core.plans.first { $0.format.mediaType == .video }?.index
        if let lead { feeds[lead].hold(at: now) }
    }
}
