public import Media

/// Brings a microphone's samples to a listener, in the device's own format, on a thread of the output's own.
/// A listener that falls behind by `queueLimit` loses what comes then (`SampleDrop` of cause `late`); no
/// other does. Thread-safe.
public final class AudioDataOutput: CaptureOutput {
    /// How much may wait for the listener (default: 10 s).
    public let queueLimit: MediaTime
    private let state = Lock(OutputState())
    private let capacity = Lock(1)

    /// - Precondition: `queueLimit` is positive.
    public init(queueLimit: MediaTime = .seconds(10)) {
        precondition(queueLimit > .zero, "something must be able to wait")
        self.queueLimit = queueLimit
    }

    /// The device behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { state.withLock { $0.configured().origin } }

    /// The granted format.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { state.withLock { $0.configured().format } }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.setHandler(handler) }
    }

    /// - Throws: `invalidState` before the output is configured in a session.
    public func requireFormat() throws(MediaError) {
        try state.withLock { state throws(MediaError) in try state.requireGrant(of: .audio) }
    }

    /// Whether samples pass. What does not is discarded by intent, not a drop: the listener gets an interruption of
    /// reason `disabled`, and `resumed` when samples come again. A recorder pauses the track, and reports no stall. It
    /// holds for connections that come, too, until it is set again.
    public func setEnabled(_ isEnabled: Bool) { state.withLock { $0.setEnabled(isEnabled) } }

    var kind: MediaType { .audio }

    var owner: SessionIdentity? { state.withLock { $0.owner(of: self) } }

    func join(_ session: SessionIdentity) throws(MediaError) {
        try state.withLock { state throws(MediaError) in try state.join(session, self) }
    }

    func connect(
        to origin: SourceOrigin, _ format: FormatDescription, by connection: CaptureConnection
    ) {
        let rate = Double(format.audio?.sampleRate ?? 48_000)
        let frames = rate * Double(queueLimit.nanoseconds()) / 1e9
        capacity.withLock { $0 = max(1, Int(frames)) }
        state.withLock { state in
            state.connected(
                to: OutputState.Grant(origin: origin, format: format), device: format,
                isEnabled: connection.isEnabled)
        }
    }

    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void) {
        let queue = EventQueue(capacity: capacity.withLock { $0 }, policy: .dropNewest)
        let worker = OutputWorker(queue, pressure: pressure) { [weak self] in self?.deliver($0) }
        state.withLock { $0.begin(worker) }
    }

    func receive(_ event: SourceEvent) {
        state.withLock { $0.taker(of: event) }?.push(event)
    }

    func end() {
        guard let (worker, listener) = state.withLock({ $0.end() }) else { return }
        worker.stop()
        listener()
    }

    /// Called on the output's thread.
    private func deliver(_ event: SourceEvent) {
        let receiver = state.withLock { state in
            if case .resumed(_, let format) = event { state.grant?.format = format }
            return state.receiver(for: event)
        }
        receiver?(event)
    }
}
