public import Media

/// Runs cameras and microphones and brings their samples to outputs, as many for each device as there are
/// listeners. An input that goes away is waited for and opened again under its identity; the others continue.
///
/// Its methods run on a thread of the session's own, because drivers block. A session that is released stops.
public actor CaptureSession {
    /// See docs/design/capture.md.
    public enum State: String, Sendable {
        case idle, ready, running, interrupted
    }

    // immutable
    private let executor = SessionExecutor()
    private let board: SessionBoard
    private let clock: any MediaClock
    private let machine = Lock(SessionStateMachine())
    /// Interruptions and their ends, from one listener's view; the newest 256 are kept.
    public nonisolated let events: AsyncStream<CaptureSessionEvent>

    // guarded by the actor
    private var inputs: OpenInputs

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - discovery: what finds the devices.
    ///   - clock: with which devices stamp what they give.
    ///   - pressure: what the session follows when the machine is pressed: outputs of a role that is no movie's get
    ///     fewer frames (default: none, every output gets what it asked for).
    public init(
        discovery: DeviceDiscovery = DeviceDiscovery(), clock: any MediaClock = HostClock(),
        pressure: PressureMonitor? = nil
    ) {
        let (events, announce) = AsyncStream<CaptureSessionEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        self.events = events
        let board = SessionBoard(announce, pressure, machine)
        self.board = board
        self.clock = clock
        inputs = OpenInputs(discovery: discovery, clock: clock) { [weak board] key, event in
            board?.report(event, from: key)
        }
    }

    public var state: State { machine.withLock { $0.state } }

    /// What the session runs.
    public var configuration: CaptureConfiguration { inputs.configuration }

    /// What each device was granted, in the order added.
    public var grants: [CaptureGrant] { inputs.grants }

    /// What a device was granted; `nil` for one that is not in the session.
    public func grant(of device: CaptureDevice) -> CaptureGrant? {
        inputs.grants.first { DeviceKey($0.device) == DeviceKey(device) }
    }

    /// Changes what the session runs, in one transaction: either every device opens and every
    /// output knows its format, or nothing changes. While the session runs, too: devices and outputs that stay
    /// lose nothing, what comes delivers at once, what goes delivers nothing after this returned.
    /// - Throws: what `body` throws, or a `MediaError`: why a device could not be opened or started, or that
    ///   one is to be opened with other settings, for which the session must be stopped.
    public func configure(
        _ body: @Sendable (inout CaptureConfiguration) throws -> Void
    ) throws {
        var wanted = inputs.configuration
        try body(&wanted)
        let coming = Set(wanted.inputs.map(\.key))
        let isRunning = machine.withLock { machine in
            machine.expect(coming)
            return machine.isRunning
        }
        let outcome = Result { try inputs.change(to: wanted, isRunning: isRunning) }
        board.spare(inputs.configuration.spareOutputs)
        let present = inputs.keys
        machine.withLock { $0.configured(present) }
        try outcome.get()
    }

    /// Sets what a camera of the session is to do, also while it runs; no frame is lost by it. When the camera goes away
    /// and is back, it is set so again.
    /// - Parameters:
    ///   - settings: later ones win, also over those of earlier calls.
    ///   - device: a camera of the session.
    /// - Returns: what the camera made of each, and when it had taken them (the session's clock).
    /// - Throws: `invalidSetting` for what the camera does not have; then nothing is set. `deviceBusy` while another
    ///   program configures it exclusively.
    @discardableResult
    public func apply(
        _ settings: [CameraSetting], to device: CaptureDevice
    ) throws(MediaError) -> (granted: [GrantedCameraSetting], time: MediaTime) {
        try inputs.apply(settings, to: device)
    }

    /// Starts every input; when one fails, none runs.
    public func start() throws(MediaError) {
        try machine.withLock { machine throws(MediaError) in try machine.start() }
        do throws(MediaError) {
            try inputs.start()
        } catch {
            _ = machine.withLock { $0.stop() }
            throw error
        }
        board.began(at: clock.now())
    }

    /// Stops every input and closes the devices; of a session that does not run it does nothing. Outputs deliver
    /// `ended` last, and nothing after it returned: a recording of them alone finishes by itself.
    /// - Throws: nothing; it is declared so that programs written for earlier versions stay as they are.
    public func stop() throws(MediaError) {
        if machine.withLock({ $0.stop() }) { inputs.stop() }
    }
}
