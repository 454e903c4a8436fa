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
        /// What was set of the camera since it was added, by each call that is not overruled by name.
        var applied: [[CameraSetting]] = []
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
        let connection = entry.branches.first?.connection
        let stream = try Self.open(
            entry.input.device, entry.input, provider, clock, by: connection)
        let grant = Self.grant(entry.input.device, stream, connection)
        var state = State(grant: grant, stream: stream)
        if case .video(let settings) = entry.input.settings, let controls = stream.controls,
            let present = try? controls.list()
        {
            let kept = Self.keptTime(settings.cameraSettings, among: present)
            if !kept.isEmpty { state.applied = [kept] }
        }
        self.state = Lock(state)
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

    /// Sets the camera, and remembers it for the next time it is opened.
    func apply(
        _ settings: [CameraSetting]
    ) throws(MediaError) -> (granted: [GrantedCameraSetting], time: MediaTime) {
        // one that is gone answers no more; to open it says why
        let (device, orientation, stream) = state.withLock {
            ($0.grant.device, $0.grant.orientation, $0.isSilent ? nil : $0.stream)
        }
        let access =
            if let own = stream?.controls { own } else {
                try provider.openControls(of: device, exclusively: false)
            }
        let plan = try ControlPlan(
            settings.map { $0.stored(orientation) }, among: access.list(), of: device)
        let controls = try access.set(plan.values)
        let time = clock.now()
        let granted = plan.granted(by: controls).map { $0.shown(orientation) }
        state.withLock { state in
            // a button is not pressed again
            let lasting =
                settings.filter { $0 != .whiteBalance(.once) }
                + Self.keptTime(settings, among: controls)
            let names = Set((settings + lasting).map(\.name))
            state.applied =
                (state.applied.map { $0.filter { !names.contains($0.name) } } + [lasting])
                .filter { !$0.isEmpty }
        }
        announce(.settingsApplied(device, granted, at: time))
        return (granted, time)
    }

    /// The exposure time that a manual mode keeps, as it is: a camera that was unplugged has forgotten it.
    private static func keptTime(
        _ settings: [CameraSetting], among controls: [DeviceControl]
    ) -> [CameraSetting] {
        let keeps = settings.last { $0.name == "exposure" }
        guard keeps == .exposure(.manual) || keeps == .exposure(.shutterPriority),
            let time = controls.first(where: { $0.role == .exposureTime }), let value = time.value,
            !time.isReadOnly, !time.isInactive
        else { return [] }
        return [.native(name: time.name, value: value)]
    }

    /// What the camera is opened with now.
    private var wanted: CaptureDeviceInput {
        guard case .video(var settings) = input.settings else { return input }
        let applied = state.withLock { $0.applied }
        if let last = applied.last {
            settings.underlyingSettings += [settings.ownSettings] + applied.dropLast()
            (settings.controls, settings.cameraSettings) = ([:], last)
        }
        return CaptureDeviceInput(camera: input.device, settings: settings)
    }

    private func begin(_ output: any CaptureOutput) {
        output.begin { [announce, input] drop in announce(.pressure(input.device, drop)) }
    }

    private func begin(_ stream: any CaptureStream) throws(MediaError) {
        stream.watchControls { [weak self] change in
            guard let self else { return }
            let setting = change.setting.shown(grant.orientation)
            announce(.settingChangedByOthers(grant.device, setting, at: change.time))
        }
        try stream.start { [weak self] in self?.receive($0) }
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
            stream = try Self.open(
                grant.device, wanted, provider, clock, by: branches.first?.connection)
            state.withLock { $0.stream = stream }
        }
        try begin(stream)
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
        var orientation = VideoOrientation.upright
        if let video = stream.format.video, let connection {
            explanation += "; " + connection.explanation(of: video.orientation)
            orientation = connection.orientation(of: video.orientation)
        }
        return CaptureGrant(
            device: device, format: stream.format, explanation: explanation,
            orientation: orientation)
    }

    private static func open(
        _ device: CaptureDevice, _ input: CaptureDeviceInput, _ provider: any DeviceProvider,
        _ clock: any MediaClock, by connection: CaptureConnection?
    ) throws(MediaError) -> any CaptureStream {
        switch input.settings {
        case .video(let settings):
            let stream = try provider.openVideo(
                device, settings: settings.withoutPoints, clock: clock)
            do throws(MediaError) {
                try set(settings.points, of: device, stream, provider, connection)
            } catch {
                stream.stop()
                throw error
            }
            return stream
        case .audio(let settings):
            return try provider.openAudio(device, settings: settings, clock: clock)
        }
    }

    /// Sets what lies in the picture, where the open camera says how that lies.
    private static func set(
        _ points: [[CameraSetting]], of device: CaptureDevice, _ stream: any CaptureStream,
        _ provider: any DeviceProvider, _ connection: CaptureConnection?
    ) throws(MediaError) {
        guard !points.isEmpty else { return }
        let own = stream.format.video?.orientation ?? .upright
        let orientation = (connection ?? CaptureConnection()).orientation(of: own)
        let lists = points.map { $0.map { $0.stored(orientation) } }
        let access: any DeviceControlAccess
        if let present = stream.controls {
            access = present
        } else {
            access = try provider.openControls(of: device, exclusively: false)
        }
        let plan = try ControlPlan(
            lists.last ?? [], over: lists.dropLast(), among: access.list(), of: device)
        _ = try access.set(plan.values)
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
            let hasDelivered = state.withLock { state in
                defer {
                    state.isSilent = false
                    state.awaitsResume = true
                    if !state.awaitsResume { state.lastError = nil }
                }
                return !state.awaitsResume
            }
            // not as fast as it fails
            if !hasDelivered { noteFailedAgain() }
            // what lies in other ports now is another device, whatever it is called when this one is gone
            var others = Set((try? present())?.flatMap(\.ports) ?? [])
                .subtracting(grant.device.ports)
            // released when the device is back: nothing watches while all is well
            let watch = provider.watch { [wake] change in
                if case .appeared = change { wake.raise() }
            }
            defer { withExtendedLifetime(watch) {} }
            while !state.withLock({ $0.isStopping }), !reopen(besides: &others) { waitToSearch() }
        }
    }

    /// Until something happens, or for a while.
    private func waitToSearch() {
        _ = clock.wait(until: clock.now() + Self.searchInterval, orSignal: wake)
        wake.lower()
    }

    /// It was opened again and fell silent without a sample.
    private func noteFailedAgain() {
        let error = MediaError(
            code: .sourceSilent, subject: input.device.id,
            message: "It was opened again and delivered nothing.")
        let isNew = state.withLock { state in
            defer { state.lastError = error }
            return state.lastError?.message != error.message
        }
        if isNew { announce(.reopenFailed(grant.device, error)) }
        wake.lower()
        if !state.withLock({ $0.isStopping }) { waitToSearch() }
    }

    private func present() throws(MediaError) -> [CaptureDevice] {
        try provider.devices(of: input.device.kind)
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
    /// - Parameter others: ports in which other devices have been since it went: a twin has the identity as soon as
    ///   this one is gone.
    private func reopen(besides others: inout Set<String>) -> Bool {
        do throws(MediaError) {
            let (lost, ports) = (input.device, Set(grant.device.ports))
            let present = try present()
            others.formIntersection(present.flatMap(\.ports))
            let free = present.filter { others.isDisjoint(with: $0.ports) }
            let listed = free.first { $0.id == lost.id }
            // where a twin was plugged in, nobody has the identity
            let inPlace = free.first {
                !ports.isDisjoint(with: $0.ports) && $0.name == lost.name
            }
            let unlisted = try listed ?? inPlace == nil ? named() : nil
            guard let device = listed ?? inPlace ?? unlisted,
                others.isDisjoint(with: device.ports)
            else { return false }
            let connection = state.withLock { $0.branches.first?.connection }
            let stream = try Self.open(device, wanted, provider, clock, by: connection)
            do throws(MediaError) {
                state.withLock { state in
                    state.stream = stream
                    state.grant = Self.grant(device, stream, connection)
                }
                try begin(stream)
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

extension CaptureDevice {
    /// The names that say where it is plugged in.
    fileprivate var ports: [String] {
        aliases.filter { $0.contains("by-path") }
    }
}
