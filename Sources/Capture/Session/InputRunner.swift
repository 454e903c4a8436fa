internal import Media

/// One input of a session: keeps its device open, brings its events to every output, and opens the
/// device again when it went away and is back.
final class InputRunner: Sendable {
    /// How often a missing device is looked for when nothing announces it.
    static let searchInterval = MediaTime.milliseconds(500)

    // immutable
    private let input: CaptureDeviceInput
    private let provider: any DeviceProvider
    private let clock: any MediaClock
    private let announce: @Sendable (CaptureSessionEvent) -> Void
    /// Raised to wake the thread that reopens: the stream fell silent, a device appeared, or stop.
    private let wake = WakeSignal()
    private let state: Lock<State>

    private struct State {
        var grant: CaptureGrant
        /// Those that listen, in the order they came.
        var branches: [CaptureConfiguration.Branch] = []
        /// Whether listeners get what comes.
        var isRunning = false
        var stream: (any CaptureStream)?
        var thread: NamedThread?
        var isStopping = false
        /// The stream said it will deliver nothing more.
        var isSilent = false
        /// The next sample is the first after an interruption.
        var awaitsResume = false
        /// When the last sample or interruption was (host clock).
        var lastError: MediaError?
    }

    /// Opens the device and gives the outputs its format.
    init(
        _ entry: CaptureConfiguration.Input, discovery: DeviceDiscovery, clock: any MediaClock,
        announce: @escaping @Sendable (CaptureSessionEvent) -> Void
    ) throws(MediaError) {
        input = entry.input
        self.clock = clock
        self.announce = announce
        provider = try discovery.provider(of: entry.input.device)
        let stream = try Self.open(entry.input.device, entry.input, provider, clock)
        let grant = Self.grant(entry.input.device, stream, entry.branches.first?.connection)
        state = Lock(State(grant: grant, stream: stream))
        do throws(MediaError) {
            for branch in entry.branches { try attach(branch) }
        } catch {
            stream.stop()
            throw error
        }
    }

    var grant: CaptureGrant { state.withLock { $0.grant } }

    /// One more listener, which gets what comes from now on.
    func attach(_ branch: CaptureConfiguration.Branch) throws(MediaError) {
        while true {
            let grant = grant
            try branch.output.connect(
                to: grant.device.origin, grant.format, by: branch.connection)
            let isRunning = state.withLock { state -> Bool? in
                // the device may have come back in another format meanwhile
                guard state.grant.format == grant.format else { return nil }
                state.branches.append(branch)
                return state.isRunning
            }
            guard let isRunning else { continue }
            if isRunning { begin(branch.output) }
            return
        }
    }

    /// A listener leaves; it gets nothing after this returned. One that is not there is no error.
    func detach(_ output: any CaptureOutput) {
        let isHere = state.withLock { state in
            let count = state.branches.count
            state.branches.removeAll { $0.output === output }
            return state.branches.count < count
        }
        if isHere { output.end() }
    }

    private func begin(_ output: any CaptureOutput) {
        output.begin { [announce, input] drop in announce(.pressure(input.device, drop)) }
    }

    /// To every listener. None of them waits for its handler.
    private func forward(_ event: SourceEvent) {
        for branch in state.withLock({ $0.branches }) { branch.output.receive(event) }
    }

    /// Starts delivery; opens the device again when it was stopped before.
    func start() throws(MediaError) {
        let (present, branches) = state.withLock { state in
            state.isStopping = false
            state.isSilent = false
            state.awaitsResume = false
            state.isRunning = true
            return (state.stream, state.branches)
        }
        wake.lower()
        for branch in branches { begin(branch.output) }
        let stream: any CaptureStream
        if let present {
            stream = present
        } else {
            stream = try Self.open(grant.device, input, provider, clock)
            state.withLock { $0.stream = stream }
        }
        try stream.start { [weak self] in self?.receive($0) }
        let thread = NamedThread(name: "vcap-reopen") { [weak self] in self?.supervise() }
        state.withLock { $0.thread = thread }
    }

    /// Stops delivery and closes the device. Blocks until both threads have ended.
    func stop() {
        let thread = state.withLock { state -> NamedThread? in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        wake.raise()
        thread?.join()
        closeStream()
        let branches = state.withLock { state in
            state.isRunning = false
            return state.branches
        }
        for branch in branches { branch.output.end() }
    }

    private func closeStream() {
        let stream = state.withLock { state -> (any CaptureStream)? in
            defer { state.stream = nil }
            return state.stream
        }
        stream?.stop()
    }

    /// What was granted, with what becomes of frames that do not lie upright for the first listener.
    private static func grant(
        _ device: CaptureDevice, _ stream: any CaptureStream, _ connection: CaptureConnection?
    ) -> CaptureGrant {
        var explanation = stream.explanation
        if let video = stream.format.video, let connection {
            explanation += "; " + connection.explanation(of: video.orientation)
        }
        return CaptureGrant(device: device, format: stream.format, explanation: explanation)
    }

    private static func open(
        _ device: CaptureDevice, _ input: CaptureDeviceInput, _ provider: any DeviceProvider,
        _ clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        switch input.settings {
        case .video(let settings):
            try provider.openVideo(device, settings: settings, clock: clock)
        case .audio(let settings):
            try provider.openAudio(device, settings: settings, clock: clock)
        }
    }
}

// The stream's thread.
extension InputRunner {
    private func receive(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            announceReturn(at: sample.presentationTime)
            forward(event)
        case .dropped(let drop):
            announceReturn(at: drop.time)
            forward(event)
        case .resumed(let time, _):
            announceReturn(at: time)
        case .interrupted(let interruption):
            let isFirst = state.withLock { state in
                defer { state.isSilent = true }
                return !state.awaitsResume
            }
            if isFirst {
                announce(.interrupted(grant.device, interruption))
                forward(event)
            }
            wake.raise()
        case .ended(let time):
            announce(.ended(grant.device, at: time))
            forward(event)
        }
    }

    private func announceReturn(at time: MediaTime) {
        let grant = state.withLock { state -> CaptureGrant? in
            guard state.awaitsResume else { return nil }
            state.awaitsResume = false
            return state.grant
        }
        guard let grant else { return }
        announce(.resumed(grant.device, at: time))
        forward(.resumed(at: time, format: grant.format))
    }
}

// The thread that opens the device again.
extension InputRunner {
    private func supervise() {
        while waitForSilence() {
            closeStream()
            state.withLock { state in
                state.isSilent = false
                state.awaitsResume = true
                state.lastError = nil
            }
            // released when the device is back: nothing watches while all is well
            let watch = provider.watch { [wake] change in
                if case .appeared = change { wake.raise() }
            }
            defer { withExtendedLifetime(watch) {} }
            while !state.withLock({ $0.isStopping }), !reopen() {
                _ = clock.wait(until: clock.now() + Self.searchInterval, orSignal: wake)
                wake.lower()
            }
        }
    }

    /// Blocks while all is well; `false` when the input is to stop.
    private func waitForSilence() -> Bool {
        while true {
            let (isStopping, isSilent) = state.withLock { ($0.isStopping, $0.isSilent) }
            if isStopping { return false }
            if isSilent { return true }
            _ = wake.wait(nanoseconds: .max)
            wake.lower()
        }
    }

    /// Opens the device wherever its identity is now; `false` when it is not there or refuses.
    private func reopen() -> Bool {
        do throws(MediaError) {
            let present = try provider.devices(of: input.device.kind)
            let listed = present.first { $0.id == input.device.id }
            let unlisted = try listed == nil ? named() : nil
            guard let device = listed ?? unlisted else { return false }
            let stream = try Self.open(device, input, provider, clock)
            do throws(MediaError) {
                state.withLock { state in
                    state.stream = stream
                    state.grant = Self.grant(
                        device, stream, state.branches.first?.connection)
                }
                try stream.start { [weak self] in self?.receive($0) }
            } catch {
                closeStream()
                throw error
            }
            return true
        } catch {
            let isNew = state.withLock { state in
                defer { state.lastError = error }
                return state.lastError?.message != error.message
            }
            if isNew { announce(.reopenFailed(grant.device, error)) }
            return false
        }
    }

    /// Devices that are not listed are there when their family says so.
    private func named() throws(MediaError) -> CaptureDevice? {
        let name = String(input.device.id.dropFirst(provider.prefix.utf8.count + 1))
        return try provider.device(named: name, kind: input.device.kind)
    }
}
