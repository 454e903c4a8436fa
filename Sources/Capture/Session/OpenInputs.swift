internal import Media

/// The open devices of a session. Its calls block; one thread at a time.
struct OpenInputs {
    typealias Announce = @Sendable (DeviceKey, CaptureSessionEvent) -> Void

    private let discovery: DeviceDiscovery
    private let clock: any MediaClock
    private let announce: Announce
    private(set) var configuration: CaptureConfiguration {
        didSet { identity.set(configuration) }
    }
    private let identity = SessionIdentity()
    private var runners: [DeviceKey: InputRunner] = [:] {
        didSet { owner.runners.withLock { $0 = Array(runners.values) } }
    }
    private let owner = Owner()

    /// Goes with the session, and closes what it left open: on a thread of its own, because the last to hold a session
    /// may be a device's thread.
    private final class Owner: Sendable {
        let runners = Lock<[InputRunner]>([])

        deinit {
            let left = runners.withLock { $0 }
            guard !left.isEmpty else { return }
            NamedThread(name: "vcap-close") { for runner in left { runner.stop() } }.detach()
        }
    }

    init(discovery: DeviceDiscovery, clock: any MediaClock, announce: @escaping Announce) {
        self.discovery = discovery
        self.clock = clock
        self.announce = announce
        configuration = CaptureConfiguration(of: identity)
    }

    var keys: Set<DeviceKey> { Set(runners.keys) }

    /// In the order added.
    var grants: [CaptureGrant] { configuration.inputs.compactMap { runners[$0.key]?.grant } }

    func apply(
        _ settings: [CameraSetting], to device: CaptureDevice
    ) throws(MediaError) -> (granted: [GrantedCameraSetting], time: MediaTime) {
        guard let runner = runners[DeviceKey(device)] else {
            throw MediaError(
                code: .invalidState, subject: device.id,
                message: "\(device.name) is not in the session: add it first.")
        }
        return try runner.apply(settings)
    }

    /// Goes over to another configuration: listeners leave, devices open, listeners come, devices close.
    /// Devices that stay deliver all the while to the listeners that stay.
    /// - Throws: why a device could not be opened or an output not be served; then all is as it was, but for
    ///   devices that are gone since.
    mutating func change(
        to wanted: CaptureConfiguration, isRunning: Bool
    ) throws(MediaError) {
        let change = SessionChange(from: configuration, to: wanted)
        if isRunning, let input = change.reopened.first { throw .cannotReopen(input.input.device) }
        // what is about to be here can come to no other session meanwhile
        identity.set(configuration, wanted)
        defer { identity.set(configuration) }
        try join(change)
        for (key, branch) in change.detached { runners[key]?.detach(branch.output) }
        for input in change.reopened { runners.removeValue(forKey: input.key)?.stop() }
        var fresh: [InputRunner] = []
        do throws(MediaError) {
            fresh = try open(change.opened)
            for (key, branch) in change.attached { try runners[key]?.attach(branch) }
            if isRunning { try Self.start(fresh) }
        } catch {
            for runner in fresh { runner.stop() }
            undo(change)
            throw error
        }
        for input in change.closed { runners.removeValue(forKey: input.key)?.stop() }
        for (input, runner) in zip(change.opened, fresh) { runners[input.key] = runner }
        configuration = wanted
    }

    /// - Throws: `invalidSetting` for an output that another session has taken meanwhile.
    private func join(_ change: SessionChange) throws(MediaError) {
        for branch in change.opened.flatMap(\.branches) + change.attached.map(\.branch) {
            try branch.output.join(identity)
        }
    }

    /// As it was, but for what is gone too.
    private mutating func undo(_ change: SessionChange) {
        for (key, branch) in change.attached { runners[key]?.detach(branch.output) }
        for input in change.reopened {
            runners[input.key] = try? open([input]).first
        }
        for (key, branch) in change.detached {
            let isOpenedAnew = change.reopened.contains { $0.key == key }
            if !isOpenedAnew { try? runners[key]?.attach(branch) }
        }
        let present = keys
        configuration.keep { present.contains($0.key) }
    }

    /// Starts every device at the same time; when one fails, none runs.
    func start() throws(MediaError) {
        do throws(MediaError) {
            try Self.start(Array(runners.values))
        } catch {
            stop()
            throw error
        }
    }

    /// Stops and closes every device.
    func stop() {
        for runner in runners.values { runner.stop() }
    }

    /// Opens devices at the same time; when one fails, none is open.
    private func open(
        _ inputs: [CaptureConfiguration.Input]
    ) throws(MediaError) -> [InputRunner] {
        let outcomes = Simultaneous.run(inputs) {
            [discovery, clock, announce] input throws(MediaError) in
            try InputRunner(
                input, discovery: discovery, clock: clock,
                announce: { announce(input.key, $0) })
        }
        do throws(MediaError) {
            var opened: [InputRunner] = []
            for outcome in outcomes { opened.append(try outcome.get()) }
            return opened
        } catch {
            for case .success(let runner) in outcomes { runner.stop() }
            throw error
        }
    }

    private static func start(_ runners: [InputRunner]) throws(MediaError) {
        let outcomes = Simultaneous.run(runners) { runner throws(MediaError) in
            try runner.start()
        }
        for outcome in outcomes { try outcome.get() }
    }
}

/// Work that blocks, for several devices at the same time: a slow one does not hold up the others.
enum Simultaneous {
    /// One thread an element; waits for all.
    /// - Returns: what came of each, in the order of the elements.
    static func run<Element: Sendable, Output: Sendable>(
        _ elements: [Element],
        _ work: @escaping @Sendable (Element) throws(MediaError) -> Output
    ) -> [Result<Output, MediaError>] {
        let outcomes = BlockingLock<[Int: Result<Output, MediaError>]>([:])
        let threads = elements.enumerated().map { index, element in
            NamedThread(name: "vcap-open") {
                let outcome: Result<Output, MediaError>
                do throws(MediaError) { outcome = .success(try work(element)) } catch {
                    outcome = .failure(error)
                }
                outcomes.withLock { $0[index] = outcome }
            }
        }
        for thread in threads { thread.join() }
        return outcomes.read { outcomes in elements.indices.compactMap { outcomes[$0] } }
    }
}

extension MediaError {
    fileprivate static func cannotReopen(_ device: CaptureDevice) -> MediaError {
        MediaError(
            code: .invalidState, subject: device.id,
            message: "\(device.name) cannot be opened with other settings while the session runs; "
                + "stop the session first.")
    }
}
