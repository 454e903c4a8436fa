internal import Media

/// Brings a take's report to disk on a thread of its own. A sync lasts as long as the disk likes, seconds
/// when others fill its journal, and neither a stop nor a wanted end may wait for that.
///
/// Only the newest version waits; the last one is waited for. Thread-safe.
final class ReportKeeper: Sendable {
    typealias Store = @Sendable (TakeReport) throws(MediaError) -> Void

    private struct State {
        var next: TakeReport?
        var isWriting = false
        /// The last version, and where it is.
        var last: (report: TakeReport, store: Store)?
    }

    private let store: Store
    private let onFailure: @Sendable (MediaError) -> Void
    private let state = BlockingLock(State())

    init(store: @escaping Store, onFailure: @escaping @Sendable (MediaError) -> Void) {
        self.store = store
        self.onFailure = onFailure
    }

    /// Writes to a file, as `TakeReportFile` does.
    static func storing(at path: String) -> Store {
        let file = TakeReportFile(path: path)
        return { report throws(MediaError) in try file.write(report) }
    }

    /// Takes the place of a version that waits; does not wait itself.
    func save(_ report: TakeReport) {
        let mustStart = state.withLock { state in
            state.next = report
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { NamedThread(name: "vcap-report") { [self] in run() }.detach() }
    }

    /// Writes the last version, after the one that is being written; returns when it is on disk.
    /// - Parameter other: writes it instead, to another place.
    func finish(with report: TakeReport, by other: Store? = nil) {
        state.withLock { state in
            state.next = nil
            state.last = (report, other ?? store)
        }
        settle()
        write(report, other ?? store)
    }

    /// Writes the last version once more, where it changes.
    /// - Returns: the report as it is now; `nil` where nothing changes, and before there is a last version.
    /// - Throws: why it could not be written; then it is as it was, and can be amended again.
    func amend(_ change: (inout TakeReport) -> Void) throws(MediaError) -> TakeReport? {
        guard let last = state.read({ $0.last }) else { return nil }
        var report = last.report
        change(&report)
        guard report != last.report else { return nil }
        settle()
        try last.store(report)
        state.withLock { $0.last = (report, last.store) }
        return report
    }

    /// Waits until nothing is being written.
    func settle() { state.wait { $0.isWriting ? nil : () } }

    private func run() {
        while let report = takeNext() { write(report, store) }
    }

    private func takeNext() -> TakeReport? {
        state.withLock { state in
            defer { state.next = nil }
            state.isWriting = state.next != nil
            return state.next
        }
    }

    private func write(_ report: TakeReport, _ store: Store) {
        do throws(MediaError) { try store(report) } catch { onFailure(error) }
    }
}
