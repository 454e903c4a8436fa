public import Media
internal import Synchronization

/// Runs cameras and microphones and brings their samples to outputs. An input that goes away is
/// waited for and opened again under its identity; the others go on.
///
/// Its methods run on a thread of the session's own, because drivers block.
public actor CaptureSession {
    /// See docs/design/capture.md.
    public enum State: String, Sendable {
        case idle, ready, running, interrupted
    }

    // immutable
    private let executor: SessionExecutor
    private let discovery: DeviceDiscovery
    private let clock: any MediaClock
    /// Interruptions and their ends, from one listener's view; the newest 256 are kept.
    public nonisolated let events: AsyncStream<CaptureSessionEvent>
    private let announce: AsyncStream<CaptureSessionEvent>.Continuation

    /// Behind a lock of its own, because inputs report on their threads.
    private let machine = Mutex(SessionStateMachine())

    // guarded by the actor
    private var configuration = CaptureConfiguration()
    private var runners: [InputRunner] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    public init(
        discovery: DeviceDiscovery = DeviceDiscovery(), clock: any MediaClock = HostClock()
    ) {
        executor = SessionExecutor()
        self.discovery = discovery
        self.clock = clock
        (events, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    deinit { announce.finish() }

    public var state: State { machine.withLock { $0.state } }

    /// What each input was granted, in the order added.
    public var grants: [CaptureGrant] { runners.map(\.grant) }

    /// Changes what the session runs, in one transaction: either every device opens and every
    /// output knows its format, or nothing changes.
    /// - Throws: what `body` throws, or why a device could not be opened.
    public func configure(
        _ body: @Sendable (inout CaptureConfiguration) throws(MediaError) -> Void
    ) throws(MediaError) {
        try machine.withLock { machine throws(MediaError) in try machine.mayConfigure() }
        var wanted = configuration
        try body(&wanted)
        closeAll()
        do throws(MediaError) {
            runners = try open(wanted)
        } catch {
            runners = (try? open(configuration)) ?? []  // as it was, unless that is gone too
            try settle()
            throw error
        }
        configuration = wanted
        try settle()
    }

    private func settle() throws(MediaError) {
        let count = runners.count
        try machine.withLock { machine throws(MediaError) in
            try machine.configured(inputs: count)
        }
    }

    /// Starts every input; when one fails, none runs.
    public func start() throws(MediaError) {
        try machine.withLock { machine throws(MediaError) in try machine.start() }
        do throws(MediaError) {
            for runner in runners { try runner.start() }
        } catch {
            closeAll()
            try machine.withLock { machine throws(MediaError) in try machine.stop() }
            throw error
        }
    }

    /// Stops every input and closes the devices. Outputs deliver nothing after it returned.
    public func stop() throws(MediaError) {
        try machine.withLock { machine throws(MediaError) in try machine.stop() }
        closeAll()
    }

    private func closeAll() {
        for runner in runners { runner.stop() }
    }

    private func open(_ wanted: CaptureConfiguration) throws(MediaError) -> [InputRunner] {
        var opened: [InputRunner] = []
        do throws(MediaError) {
            for (index, entry) in wanted.entries.enumerated() {
                let runner = try InputRunner(
                    entry, discovery: discovery, clock: clock,
                    announce: { [weak self] event in self?.report(event, input: index) })
                opened.append(runner)
            }
        } catch {
            for runner in opened { runner.stop() }
            throw error
        }
        return opened
    }

    /// Called on an input's thread.
    private nonisolated func report(_ event: CaptureSessionEvent, input: Int) {
        machine.withLock { machine in
            switch event {
            case .interrupted, .ended: _ = machine.lost(input)
            case .resumed: _ = machine.back(input)
            case .reopenFailed, .pressure: break
            }
        }
        announce.yield(event)
    }
}
