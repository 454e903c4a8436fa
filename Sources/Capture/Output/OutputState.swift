internal import Media

/// What every output keeps behind its lock.
struct OutputState: Sendable {
    struct Grant: Sendable {
        var origin: SourceOrigin
        var format: FormatDescription
    }

    var grant: Grant?
    var handler: (@Sendable (SourceEvent) -> Void)?
    private(set) var isEnabled = true
    /// Whether `setEnabled` said so last: it holds for connections that come, too.
    private var isSwitchedOff = false
    /// The session that serves it, or did last.
    private weak var session: SessionIdentity?
    /// When the last sample that came ended (host clock).
    private var lastEnd: MediaTime?
    /// What the device delivers.
    private var deviceFormat: FormatDescription?
    /// Whether the device is gone.
    private var isInterrupted = false
    /// Whether the listener got the end of what it was connected to, and nothing has begun since.
    private(set) var hasEnded = false
    /// While samples are delivered.
    var worker: OutputWorker?
    /// Before samples wait: where each may be left out by itself; `nil` where none can.
    var thinning: FrameThinning?
    /// Under pressure one of so many passes.
    var divisor = 1

    func configured() -> Grant {
        guard let grant else {
            preconditionFailure(
                "an output has no format yet: add it to a session first (CaptureSession.configure)")
        }
        return grant
    }

    /// - Throws: `invalidState` before its session was configured.
    func requireGrant(of kind: MediaType) throws(MediaError) {
        guard grant == nil else { return }
        throw MediaError(
            code: .invalidState, subject: "\(kind.rawValue) output",
            message: "The \(kind.rawValue) output has no format yet; add it to a capture session "
                + "first (CaptureSession.configure), then make what takes its samples.")
    }

    /// It was connected to a device.
    mutating func connected(to grant: Grant, device: FormatDescription, isEnabled: Bool) {
        self.grant = grant
        self.isEnabled = isEnabled && !isSwitchedOff
        (deviceFormat, isInterrupted) = (device, false)
    }

    /// The session that has the output now; `nil`: none.
    func owner(of output: any CaptureOutput) -> SessionIdentity? {
        session.flatMap { $0.has(output) ? $0 : nil }
    }

    /// A session is about to serve it.
    /// - Throws: `invalidSetting` where another one does.
    mutating func join(
        _ session: SessionIdentity, _ output: any CaptureOutput
    ) throws(MediaError) {
        if let owner = owner(of: output), owner !== session { throw .servedElsewhere(output.kind) }
        self.session = session
    }

    // MARK: Stopping and continuing

    mutating func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        self.handler = handler
        if handler != nil, !isEnabled { push(disabling()) }
    }

    mutating func begin(_ worker: OutputWorker) {
        self.worker = worker
        if !isEnabled {
            push(disabling())
        } else if hasEnded, let deviceFormat {
            push(.resumed(at: HostClock().now(), format: deviceFormat))
        }
        hasEnded = false
    }

    /// The listener learns that samples stop and come again, behind those that wait.
    mutating func setEnabled(_ isEnabled: Bool) {
        isSwitchedOff = !isEnabled
        guard isEnabled != self.isEnabled else { return }
        self.isEnabled = isEnabled
        if !isEnabled {
            push(disabling())
        } else if !isInterrupted, let deviceFormat {
            push(.resumed(at: lastEnd ?? HostClock().now(), format: deviceFormat))
        }
    }

    /// - Returns: what delivers, to be stopped, and then what the listener gets.
    mutating func end() -> (worker: OutputWorker, listener: () -> Void)? {
        guard let worker else { return nil }
        self.worker = nil
        hasEnded = true
        isInterrupted = false
        let event = SourceEvent.ended(at: lastEnd ?? HostClock().now())
        return (worker, { [handler] in handler?(event) })
    }

    private func push(_ event: SourceEvent) { if grant != nil { worker?.push(event) } }

    private func disabling() -> SourceEvent {
        .interrupted(
            SourceInterruption(
                reason: .disabled, time: lastEnd ?? HostClock().now(),
                message: "\(grant?.origin.name ?? "The device") is disabled."))
    }

    /// Who gets the event; a disabled output passes only what is not a sample.
    func receiver(for event: SourceEvent) -> (@Sendable (SourceEvent) -> Void)? {
        switch event {
        case .sample, .dropped: isEnabled ? handler : nil
        case .resumed: isEnabled ? handler : nil
        case .interrupted, .ended: handler
        }
    }

    /// Remembers what comes from the device.
    private mutating func note(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            let length = sample.duration?.nanoseconds() ?? 0
            lastEnd = .nanoseconds(sample.presentationTime.nanoseconds() + length)
        case .interrupted: isInterrupted = true
        case .resumed(_, let format): (isInterrupted, deviceFormat) = (false, format)
        case .dropped, .ended: break
        }
    }

    /// Who takes the event on the way to the receiver; `nil` where nobody is to get it.
    mutating func taker(of event: SourceEvent) -> OutputWorker? {
        note(event)
        guard let worker, receiver(for: event) != nil else { return nil }
        if case .sample(let sample) = event, thinning?.passes(sample.presentationTime) == false {
            return nil
        }
        return worker
    }
}

extension MediaError {
    /// An output that a session has is wanted by another one.
    static func servedElsewhere(_ kind: MediaType) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: "\(kind.rawValue) output",
            message:
                "The \(kind.rawValue) output is in another session: an output is in one at a time; "
                + "remove it there first, or make one more.")
    }
}
