internal import Media

/// Reports what others change of a camera's controls while it runs. Thread-safe.
final class ControlWatch: Sendable {
    /// Of the cameras whose controls are the same ones.
    private struct Sibling: Sendable {
        weak var watch: ControlWatch?
    }

    private static let siblings = Lock<[String: [Sibling]]>([:])
    private let chain: String?
    private let ledger: Lock<ControlLedger>
    private let listener = Lock(Listener())

    private struct Listener {
        var handler: (@Sendable (ControlChange) -> Void)?
    }

    /// - Parameters:
    ///   - controls: as they are now.
    ///   - chain: what they are of: a camera may have several nodes with the same controls, and what is set through one is
    ///     announced to the others. `nil`: nobody else has them.
    init(_ controls: [DeviceControl], chain: String? = nil) {
        ledger = Lock(ControlLedger(controls))
        self.chain = chain
        guard let chain else { return }
        Self.siblings.withLock { known in
            known = known.mapValues { $0.filter { $0.watch != nil } }.filter { !$0.value.isEmpty }
            known[chain, default: []].append(Sibling(watch: self))
        }
    }

    /// All that watch the same controls, this one among them.
    private var sharing: [ControlWatch] {
        guard let chain else { return [self] }
        return Self.siblings.withLock { $0[chain, default: []].compactMap(\.watch) }
    }

    func setHandler(_ handler: @escaping @Sendable (ControlChange) -> Void) {
        listener.withLock { $0.handler = handler }
    }

    /// Calls the handler, in this thread, for what somebody else did.
    func take(_ notice: ControlLedger.Notice) {
        if let change = ledger.withLock({ $0.take(notice) }) { report([change]) }
    }

    /// Sets controls, which is no change by others.
    func set(
        _ values: [(name: String, value: Int64)], through access: any DeviceControlAccess
    ) throws(MediaError) -> [DeviceControl] {
        let sharing = sharing
        for watch in sharing { watch.ledger.withLock { $0.begin() } }
        let taken: Result<[DeviceControl], MediaError>
        do throws(MediaError) { taken = .success(try access.set(values)) } catch {
            taken = .failure(error)
        }
        // what was set before one was refused is set
        let now = (try? taken.get()) ?? (try? access.list()) ?? []
        let time = HostClock().now()
        for watch in sharing {
            watch.report(
                watch.ledger.withLock { $0.end(Set(values.map(\.name)), now: now, at: time) })
        }
        return try taken.get()
    }

    private func report(_ changes: [ControlChange]) {
        guard let handler = listener.withLock({ $0.handler }) else { return }
        for change in changes { handler(change) }
    }
}

/// The controls of a running camera, by the stream itself: what is set through them is no change by others.
final class WatchedControlAccess: DeviceControlAccess {
    private let access: any DeviceControlAccess
    private let watch: ControlWatch

    init(_ access: any DeviceControlAccess, _ watch: ControlWatch) {
        self.access = access
        self.watch = watch
    }

    func list() throws(MediaError) -> [DeviceControl] { try access.list() }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        try watch.set(values, through: access)
    }
}
