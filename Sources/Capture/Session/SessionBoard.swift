internal import Media

/// Where the inputs report, each on its own thread, and the monitor of the machine's pressure on its.
final class SessionBoard: Sendable {
    private let machine: Lock<SessionStateMachine>
    private let announce: AsyncStream<CaptureSessionEvent>.Continuation
    private let pressure: PressureMonitor?
    /// Outputs that are no movie's.
    private let spares = Lock<[VideoDataOutput]>([])

    /// - Parameter machine: the session's, which is changed by what inputs report.
    init(
        _ announce: AsyncStream<CaptureSessionEvent>.Continuation, _ pressure: PressureMonitor?,
        _ machine: Lock<SessionStateMachine>
    ) {
        self.machine = machine
        self.announce = announce
        self.pressure = pressure
        pressure?.add(self)
    }

    deinit { announce.finish() }

    func report(_ event: CaptureSessionEvent, from input: DeviceKey) {
        machine.withLock { machine in
            switch event {
            case .interrupted, .ended: _ = machine.lost(input)
            case .resumed: _ = machine.back(input)
            case .reopenFailed, .pressure, .systemPressure, .pressureStep, .settingsApplied,
                .settingChangedByOthers:
                break
            }
        }
        announce.yield(event)
    }

    /// The session runs: how hard the machine is pressed already is news to it.
    func began(at time: MediaTime) {
        guard let state = pressure?.state, state.level > .nominal else { return }
        announce.yield(.systemPressure(state, at: time))
    }

    /// These outputs, and no others, are given up first.
    func spare(_ outputs: [VideoDataOutput]) {
        guard let pressure else { return }
        spares.withLock { spares in
            for output in spares where !outputs.contains(where: { $0 === output }) {
                output.thin(by: 1)
            }
            let divisor = pressure.relief.frameDivisor
            for output in outputs { output.thin(by: divisor) }
            spares = outputs
        }
    }
}

extension SessionBoard: PressureFollower {
    func measure(into reading: inout PressureReading) {}

    func canFollow(_ measure: PressureMeasure) -> Bool {
        guard case .spareFrames = measure else { return false }
        return spares.withLock { !$0.isEmpty } && machine.withLock { $0.isRunning }
    }

    func pressureChanged(to state: PressureState, at time: MediaTime) {
        announce.yield(.systemPressure(state, at: time))
    }

    func follow(_ step: PressureStep) {
        spares.withLock { spares in
            for output in spares { output.thin(by: step.relief.frameDivisor) }
        }
        announce.yield(.pressureStep(step))
    }
}

extension CaptureConfiguration {
    /// Outputs whose frames can be left out.
    var spareOutputs: [VideoDataOutput] {
        inputs.flatMap(\.branches).compactMap { $0.output as? VideoDataOutput }
            .filter { $0.role != .movie }
    }
}
