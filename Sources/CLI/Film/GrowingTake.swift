import Compose
internal import Glibc
import Media
import Recording

/// The film of a take that another process records: each look is at the take as it is then. Thread-safe.
///
/// Life: recording → whole (the recorder says so by a line), or gone (it ends without one).
final class GrowingTake: GrowingFilm, Sendable {
    /// Between two looks (seconds): a look reads the take's index, and costs more the longer that is.
    private static let shortestWait: Int64 = 4
    private static let looksPerLength: Int64 = 360
    /// What is left for the take beside a film as large as it (bytes).
    private static let leastRoom: Int64 = 1 << 30

    private enum Recording: Equatable {
        case running
        /// The take is that file (nil: whatever has its name).
        case whole(TakeFile?)
        case gone
    }

    private struct State {
        /// Of the newest look.
        var export: FilmExport?
        /// Whether that was at the whole.
        var isSeen = false
        var isWhole = false
        /// What is done where the recording ends without a take.
        var gone: (@Sendable () -> Void)?
        /// Why the film as a whole could not be looked at.
        var failure: (any Error)?
    }

    private let composition: TakeComposition
    private let reserve: Int64
    /// What is done when the take is whole, before the film is finished.
    private let begin: @Sendable () -> Void
    private let recording = BlockingLock(Recording.running)
    private let state = Lock(State())

    /// - Parameter reserve: that the take keeps free on its disk (bytes).
    init(
        _ composition: TakeComposition, reserve: Int64, begin: @escaping @Sendable () -> Void
    ) {
        (self.composition, self.reserve, self.begin) = (composition, reserve, begin)
    }

    /// The film as it was looked at last, and what is made of it.
    var export: FilmExport? { state.withLock { $0.export } }

    /// Whether the take has ended.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Reads what the recorder says, on a thread of its own: a line of which file is the whole take.
    func follow(_ descriptor: Int32) {
        NamedThread(name: "vcap-recorder") { [self] in
            let line = TakeFile.line(from: descriptor)
            recording.withLock { $0 = line.map { .whole(TakeFile($0)) } ?? .gone }
            if line == nil { state.withLock { $0.gone }?() }
        }.detach()
    }

    /// - Parameter cancel: ends what is being made; is called where the recording ends without a take.
    func whenGone(_ cancel: @escaping @Sendable () -> Void) {
        state.withLock { $0.gone = cancel }
        if recording.read({ $0 == .gone }) { cancel() }
    }

    /// What is made of the film, as it is seen first.
    func firstExport() async throws -> FilmExport {
        let first = try await NamedThread.run("vcap-work") { () throws(MediaError) in
            while true {
                if try self.look(isWhole: try self.waitForMore()) != nil { return self.export }
            }
        }
        guard var first else { throw Self.gone(composition.path) }
        first.growing = self
        return first
    }

    func waitForMore() throws(MediaError) -> Bool {
        let length = export?.film.composition.duration.ticks(per: 1, rounding: .down) ?? 0
        let wait = max(Self.shortestWait, length / Self.looksPerLength)
        let changed = recording.wait(nanoseconds: wait * 1_000_000_000) { recording in
            recording == .running ? nil : recording
        }
        if changed == .gone { throw Self.gone(composition.path) }
        if case .whole = changed { return true }
        // the disk is the take's first
        guard hasRoom else { throw Self.gone(composition.path) }
        return false
    }

    /// Whether all of the film could be made anew and the take would still have room.
    private var hasRoom: Bool {
        let path = composition.path
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var (space, file) = (statvfs(), stat())
        guard statvfs(folder, &space) == 0, space.f_blocks > 0, stat(path, &file) == 0 else {
            return true
        }
        let (free, overflow) = UInt64(space.f_bavail)
            .multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return overflow || Int64(clamping: free) - Int64(file.st_size) > Self.leastRoom + reserve
    }

    func look(isWhole: Bool) throws(MediaError) -> FilmLook? {
        // another session may look at the whole again
        let known = state.withLock { $0.isSeen ? $0.export : nil }
        if let known { return FilmLook(known.film, unsettled: composition.unsettled) }
        if isWhole {
            state.withLock { $0.isWhole = true }
            begin()
        } else if !CrashedTake.isBeingWritten(composition.path) {
            // an older movie may have its name until the take has begun
            return nil
        }
        do {
            if isWhole { try requireTake() }
            let export = try load()
            if isWhole { try requireTake() }
            state.withLock { ($0.export, $0.isSeen) = (export, isWhole) }
            if isWhole { export.announce() }
            return FilmLook(export.film, unsettled: composition.unsettled)
        } catch {
            // there may be too little of it yet
            guard isWhole else { return nil }
            state.withLock { $0.failure = error }
            throw Self.gone(composition.path)
        }
    }

    /// - Throws: where the take's name is another file's by now.
    private func requireTake() throws(MediaError) {
        guard case .whole(let take) = recording.read({ $0 }) else { return }
        try take?.require(at: composition.path)
    }

    private func load() throws -> FilmExport {
        let outcome = BlockingLock<Result<FilmExport, any Error>?>(nil)
        Task.detached { [composition] in
            let result: Result<FilmExport, any Error>
            do { result = .success(try await composition.export()) } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        return try outcome.wait { $0 }.get()
    }

    private static func gone(_ path: String) -> MediaError {
        MediaError(
            code: .cancelled, subject: path,
            message: "The recording of \(path) ended without its film.")
    }
}
