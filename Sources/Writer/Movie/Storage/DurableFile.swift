package import Media

/// A file that grows at its end and loses nothing that was synced. Thread-safe; made for one
/// writing thread, and it runs its own sync thread ("vcap-sync").
///
/// Bytes stay in memory until an `fdatasync` that began after their write has succeeded, because a
/// dying disk accepts writes, reports EIO once from the sync and then calls the lost bytes clean.
/// On EIO they are written again in place; if that fails too, behind the end of the file, the old
/// place becoming a gap that readers skip (`gapHeader`); failing that, the failure is reported once.
///
/// Offsets that callers see are *logical*: as if nothing had ever moved. `physicalOffset` says
/// where a byte is in the end.
package final class DurableFile: Sendable {
    package typealias FailureHandler = @Sendable (MediaError) -> Void
    /// The bytes that make a reader skip a gap of a length.
    package typealias GapHeader = @Sendable (_ length: Int64) -> [UInt8]

    // immutable
    /// The path, for error sentences.
    package let name: String
    let io: any FileIO
    let policy: SyncPolicy
    let heldLimit: Int
    let gapHeader: GapHeader?
    let clock: any MediaClock
    private let onFailure: FailureHandler

    // thread-safe
    let state: BlockingLock<State>
    let wake = WakeSignal()
    private let thread = BlockingLock<NamedThread?>(nil)

    struct Held {
        var offset: Int64
        let bytes: GatheredBytes
        let sequence: UInt64
    }

    struct Relocation {
        let logicalStart: Int64
        let distance: Int64
    }

    struct State {
        var end: Int64 = 0
        var held: [Held] = []
        var heldBytes = 0
        var nextSequence: UInt64 = 0
        var relocations: [Relocation] = []
        var reserve: Int64 = 0
        var allocatedEnd: Int64 = 0
        var canAllocate = true
        var failure: MediaError?
        var recoveries = 0
        var isStopping = false
        /// The first bytes of the file (at most `headLimit`), while `guardsHead`.
        var head: [UInt8] = []
        var guardsHead = false
        /// The shortest the file was found to be, shorter than what had been written (bytes).
        var cutEnd: Int64?
    }

    /// Takes an open, empty file and starts the sync thread.
    ///
    /// - Parameters:
    ///   - heldLimit: most unsynced bytes in memory (bytes); past half of it a sync starts early,
    ///     at it `append` waits for the sync.
    ///   - gapHeader: nil when the container has no way to skip a gap.
    ///   - onFailure: called once, at once, on the thread that met the failure.
    package init(
        io: any FileIO, name: String, policy: SyncPolicy = .standard, heldLimit: Int = 64 << 20,
        gapHeader: GapHeader? = nil, clock: any MediaClock = HostClock(),
        onFailure: @escaping FailureHandler = { _ in }
    ) {
        self.io = io
        self.name = name
        self.policy = policy
        self.heldLimit = max(heldLimit, 1)
        self.gapHeader = gapHeader
        self.clock = clock
        self.onFailure = onFailure
        state = BlockingLock(State())
        thread.withLock { slot in
            slot = NamedThread(name: "vcap-sync") { [self] in runSync() }
        }
    }

    /// Creates the file.
    package convenience init(
        creating path: String, existing: SystemFileIO.Existing, policy: SyncPolicy = .standard,
        gapHeader: GapHeader? = nil, onFailure: @escaping FailureHandler = { _ in }
    ) throws(MediaError) {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(creating: path, existing: existing) } catch {
            throw MediaError(error, attempt: "create \(path)", subject: path)
        }
        self.init(io: io, name: path, policy: policy, gapHeader: gapHeader, onFailure: onFailure)
    }

    /// The physical size of the file.
    package var size: Int64 { state.read { $0.end } }

    /// Bytes written but not known to be durable.
    package var heldBytes: Int { state.read { $0.heldBytes } }

    /// How often the disk lost bytes that were written again successfully.
    package var recoveries: Int { state.read { $0.recoveries } }

    package var failure: MediaError? { state.read { $0.failure } }

    /// Where the next `append` goes (logical offset).
    package var logicalEnd: Int64 {
        state.read { state in
            state.end - state.relocations.reduce(0) { $0 + $1.distance }
        }
    }

    /// The lock of the file, for longer than it is open.
    package func keepLock() -> FileLock? { io.keepLock() }

    /// Keeps this much room behind the end, so that finishing works on a full disk (bytes).
    package func setReserve(_ bytes: Int64) { state.withLock { $0.reserve = bytes } }

    /// Stops the sync thread, gives back reserved room and closes. Does not sync.
    package func close() {
        let running = thread.withLock { slot -> NamedThread? in
            defer { slot = nil }
            return slot
        }
        guard let running else { return }
        state.withLock { $0.isStopping = true }
        wake.raise()
        running.join()
        let (end, reserved) = state.read { ($0.end, $0.allocatedEnd > $0.end) }
        // only blocks are given back; a refusal costs space until the file is next cut or removed
        if reserved { try? io.truncate(to: end) }
        io.close()
    }

    /// Where a logical offset is in the file as it is now.
    package func physicalOffset(ofLogical offset: Int64) -> Int64 {
        state.read { state in
            state.relocations.reduce(offset) {
                $1.logicalStart <= offset ? $0 + $1.distance : $0
            }
        }
    }

    /// Remembers the first failure and reports it.
    func fail(_ failure: IOFailure, attempt: String) -> MediaError {
        let error = MediaError(failure, attempt: attempt, subject: name)
        return fail(error)
    }

    func fail(_ error: MediaError) -> MediaError {
        let isFirst = state.withLock { state in
            defer { state.failure = state.failure ?? error }
            return state.failure == nil
        }
        if isFirst { onFailure(error) }
        return error
    }
}
