public import Media
public import Reading
internal import Synchronization

/// Aligns recordings of one event, made by several devices, by what they have heard, or by a running clock that they
/// have seen.
///
/// Each recording is compared with the first one, the reference: when it began on the reference's clock, and how
/// much faster or slower its own clock ran. Microphones may differ in level, colour, echo, polarity and sample
/// rate. What repeats itself (a metronome, a loop, the mains' hum) says nothing of when it was, and is refused, not
/// guessed. The first audio track of each file that can be read counts.
///
/// One alignment an aligner; thread-safe. Every file is decoded once, and around a few dozen moments once more.
/// Memory is 15 MB for each hour of the reference and as much for the recording that is being compared.
public final class RecordingAligner: Sendable {
    // immutable
    /// The reference first.
    public let assets: [Asset]
    private let method: AlignmentMethod
    private let readClocks: ClockReader?
    private let clock: any MediaClock
    // guarded by themselves
    private let board: ExportStateBoard
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - assets: two or more recordings; the first one is the reference.
    ///   - method: by what they are aligned.
    ///   - clocks: what finds running clocks in their frames (default: nobody does, and `method` has to be `sound`).
    ///   - clock: for the progress.
    public init(
        _ assets: [Asset], by method: AlignmentMethod = .sound, clocks: ClockReader? = nil,
        clock: any MediaClock = HostClock()
    ) {
        self.assets = assets
        self.method = method
        readClocks = clocks
        board = ExportStateBoard(clock: clock)
        self.clock = clock
    }

    /// How it stands: at once, then at most each `updateInterval` (seconds; positive), until it has ended. Times
    /// are of the audio that has been looked at, of all files together.
    public func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        board.states(updateInterval: updateInterval)
    }

    /// Ends it; `align` then throws `cancelled`.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Compares every recording with the first. One that cannot be aligned does not stop the others: its
    /// placement is the reason.
    /// - Throws: `invalid-setting` for fewer than two files, one that is given twice, and a second call;
    ///   `not-aligned` where the reference is silent; what its file answered; `cancelled`.
    public func align() async throws(MediaError) -> RecordingAlignment {
        guard board.begin() else {
            throw .setting("alignment", "An aligner aligns once; make another one.")
        }
        defer { board.finish() }
        let start = clock.now()
        let result: Result<RecordingAlignment, MediaError> = await withTaskCancellationHandler {
            do throws(MediaError) {
                return .success(
                    try await NamedThread.run("vcap-align") { () throws(MediaError) in
                        try self.run(since: start)
                    })
            } catch { return .failure(error) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func run(since start: MediaTime) throws(MediaError) -> RecordingAlignment {
        let run = AlignmentRun(assets: assets, method: method, clocks: readClocks) {
            (done, total) throws(MediaError) in
            guard !self.isCancelled.load(ordering: .relaxed) else {
                throw MediaError(
                    code: .cancelled, subject: self.assets[0].path,
                    message: "The alignment was ended; nothing was written.")
            }
            let time = MediaTime.milliseconds(Int64(done * 1000))
            self.board.post(
                .exporting(
                    ExportProgress(
                        frames: 0, frameCount: 0, time: time,
                        duration: .milliseconds(Int64(total * 1000)), bytes: 0,
                        elapsed: self.clock.now() - start, made: time)))
        }
        return try run.alignment()
    }
}
