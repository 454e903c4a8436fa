internal import Glibc
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

    private struct State {
        var content: DurableContent
        var failure: MediaError?
        var isStopping = false
    }

    // immutable
    /// The path, for error sentences.
    package let name: String
    private let io: any FileIO
    private let policy: SyncPolicy
    private let heldLimit: Int
    private let clock: any MediaClock
    private let onFailure: FailureHandler

    // thread-safe
    private let state: BlockingLock<State>
    /// Held through a sync, and taken before `state`: who writes does not wait for it.
    private let syncing = Lock(0)
    private let wake = WakeSignal()
    private let thread = BlockingLock<NamedThread?>(nil)

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
        self.clock = clock
        self.onFailure = onFailure
        state = BlockingLock(
            State(
                content: DurableContent(
                    io, keepsUnsynced: policy != .never, gapHeader: gapHeader)))
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
    package var size: Int64 { state.read { $0.content.end } }

    /// Bytes written but not known to be durable.
    package var heldBytes: Int { state.read { $0.content.held.byteCount } }

    /// How often the disk lost bytes that were written again successfully.
    package var recoveries: Int { state.read { $0.content.recoveries } }

    package var failure: MediaError? { state.read { $0.failure } }

    /// Where the next `append` goes (logical offset).
    package var logicalEnd: Int64 { state.read { $0.content.logicalEnd } }

    /// Where a logical offset is in the file as it is now.
    package func physicalOffset(ofLogical offset: Int64) -> Int64 {
        state.read { $0.content.physicalOffset(ofLogical: offset) }
    }

    /// The lock of the file, for longer than it is open.
    package func keepLock() -> FileLock? { io.keepLock() }

    /// Keeps this much room behind the end, so that finishing works on a full disk (bytes).
    package func setReserve(_ bytes: Int64) { state.withLock { $0.content.setReserve(bytes) } }

    // MARK: Writing

    /// Writes bytes behind the end.
    ///
    /// A full disk leaves the file as it was before the call; the reserved room is untouched.
    /// - Parameter usingReserve: whether the reserved room may be used (finishing).
    /// - Returns: their logical offset.
    @discardableResult
    package func append(
        _ bytes: [UInt8], usingReserve: Bool = false
    ) throws(MediaError) -> Int64 {
        try append(GatheredBytes(bytes), usingReserve: usingReserve)
    }

    /// As `append(_:usingReserve:)`, of bytes that are not copied: they stay in memory until they are durable.
    @discardableResult
    package func append(
        _ bytes: GatheredBytes, usingReserve: Bool = false
    ) throws(MediaError) -> Int64 {
        if !usingReserve, let failure { throw failure }
        waitForRoom(bytes.count)
        let logical = try change("write to \(name)") { content throws(IOFailure) in
            try content.append(bytes, usingReserve: usingReserve)
        }
        try afterWrite()
        return logical
    }

    /// Overwrites bytes that are there (physical offset).
    package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(MediaError) {
        try change("write to \(name)") { content throws(IOFailure) in
            try content.overwrite(bytes, at: offset)
        }
        try afterWrite()
    }

    /// Makes everything written before the call durable; bytes the disk lost are written again.
    package func synchronize() throws(MediaError) {
        do throws(IOFailure) {
            try syncing.withLock { _ throws(IOFailure) in try synchronizeAlone() }
        } catch { throw fail(error, attempt: "make \(name) durable") }
    }

    /// One sync at a time: Linux reports lost bytes once, and another thread's sync would take them for durable.
    private func synchronizeAlone() throws(IOFailure) {
        let covered = state.read { $0.content.held.nextSequence }
        do throws(IOFailure) { try io.synchronize() } catch {
            return try state.withLock { state throws(IOFailure) in
                try state.content.recover(after: error)
            }
        }
        state.withLock { $0.content.release(before: covered) }
    }

    /// Makes what is written durable, unless that is done already or never wanted.
    func synchronizeIfOpen() throws(MediaError) {
        if policy != .never, !state.read({ $0.isStopping }) { try synchronize() }
    }

    /// A disk that refuses has failed.
    private func change<Result>(
        _ attempt: String, _ body: (inout DurableContent) throws(IOFailure) -> Result
    ) throws(MediaError) -> Result {
        do throws(IOFailure) {
            return try state.withLock { state throws(IOFailure) in try body(&state.content) }
        } catch { throw fail(error, attempt: attempt) }
    }

    private func afterWrite() throws(MediaError) {
        switch policy {
        case .everyWrite: try synchronize()
        case .every: if heldBytes > heldLimit / 2 { wake.raise() }
        case .never:
            // may wait for the disk, and holds nobody up meanwhile who asks for the size
            if let range = state.withLock({ $0.content.dueForWriting() }) {
                io.beginWriting(from: range.lowerBound, to: range.upperBound)
            }
        }
    }

    /// Waits while the disk cannot keep up with what must be held.
    private func waitForRoom(_ count: Int) {
        guard policy != .never else { return }
        _ = state.wait { state -> Bool? in
            let held = state.content.held.byteCount
            let hasRoom = held == 0 || held + count <= heldLimit
            if hasRoom || state.failure != nil || state.isStopping { return true }
            wake.raise()
            return nil
        }
    }

    // MARK: What other programs do to it

    /// From now on looks, before each append, whether another program has cut the file: behind it the
    /// hole would look like a part of the file. Costs one call of the system and 64 KiB.
    package func guardContent() { state.withLock { $0.content.guardHead() } }

    /// How short another program has cut the file (bytes); `nil` while it is whole.
    var cutEnd: Int64? {
        state.withLock { state in
            // a closed file's descriptor may be another file's
            if !state.isStopping { state.content.lookForCut() }
            return state.content.guarded.cutEnd
        }
    }

    /// The first bytes as they must be on the disk; `nil` where nothing can be said.
    var knownHead: [UInt8]? { state.read { $0.failure == nil ? $0.content.knownHead : nil } }

    /// Writes again what another program has cut off or written over, as far as it is in memory.
    func restore(isOverwritten: Bool) throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            try state.content.restore(isOverwritten: isOverwritten)
        }
    }

    // MARK: The end

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
        let (end, reserved) = state.read { ($0.content.end, $0.content.hasReservedRoom) }
        // only blocks are given back; a refusal costs space until the file is next cut or removed
        if reserved { try? io.truncate(to: end) }
        io.close()
    }

    /// The sync thread: makes the name durable, then syncs by the policy until `close`.
    private func runSync() {
        if policy != .never { synchronizeName() }
        guard case .every(let interval) = policy else { return }
        let period = max(interval.nanoseconds(), 1_000_000)
        var begun = clock.now().nanoseconds()
        while !state.read({ $0.isStopping }) {
            // from beginning to beginning, so that a slow disk's syncs do not add to the period;
            // a quarter of it is left to other programs even by a disk that cannot keep up
            let now = clock.now().nanoseconds()
            let deadline = MediaTime.nanoseconds(max(begun + period, now + period / 4))
            if clock.wait(until: deadline, orSignal: wake) == .signalled { wake.lower() }
            let isIdle = state.read {
                $0.isStopping || $0.failure != nil || $0.content.held.isEmpty
            }
            if isIdle { continue }
            begun = clock.now().nanoseconds()
            try? synchronize()  // a failure has been reported to the handler
        }
    }

    private func synchronizeName() {
        do throws(IOFailure) { try io.synchronizeName() } catch {
            // folders of some network file systems cannot be synced (EINVAL); anything else is reported
            if error.errno != EINVAL && error.errno != EBADF {
                _ = fail(error, attempt: "make the name of \(name) durable")
            }
        }
    }

    /// Remembers the first failure and reports it.
    private func fail(_ failure: IOFailure, attempt: String) -> MediaError {
        let error = MediaError(failure, attempt: attempt, subject: name)
        let isFirst = state.withLock { state in
            defer { state.failure = state.failure ?? error }
            return state.failure == nil
        }
        if isFirst { onFailure(error) }
        return error
    }
}
