internal import Media

/// The life cycle of a session as a value: says what a call or event may do, does nothing itself.
struct SessionStateMachine: Sendable, Equatable {
    private(set) var state: CaptureSession.State = .idle
    private(set) var inputs: Set<DeviceKey> = []
    /// Inputs that fell silent.
    private(set) var silent: Set<DeviceKey> = []

    var isRunning: Bool { state == .running || state == .interrupted }

    /// A transaction began: inputs that come may fall silent before it ends.
    mutating func expect(_ coming: Set<DeviceKey>) { inputs.formUnion(coming) }

    /// A transaction ended with these inputs.
    mutating func configured(_ inputs: Set<DeviceKey>) {
        self.inputs = inputs
        silent.formIntersection(inputs)
        if inputs.isEmpty {
            state = .idle
        } else if isRunning {
            settle()
        } else {
            state = .ready
        }
    }

    mutating func start() throws(MediaError) {
        try require([.ready], for: "start", advice: "configure an input, or stop it first")
        state = .running
        silent = []
    }

    /// - Returns: whether it ran.
    mutating func stop() -> Bool {
        guard isRunning else { return false }
        state = .ready
        silent = []
        return true
    }

    /// An input fell silent. Answers whether that changed anything.
    mutating func lost(_ input: DeviceKey) -> Bool {
        guard isRunning, inputs.contains(input), silent.insert(input).inserted else { return false }
        settle()
        return true
    }

    /// An input delivers again. Answers whether that changed anything.
    mutating func back(_ input: DeviceKey) -> Bool {
        guard isRunning, silent.remove(input) != nil else { return false }
        settle()
        return true
    }

    private mutating func settle() { state = silent == inputs ? .interrupted : .running }

    private func require(
        _ allowed: [CaptureSession.State], for call: String, advice: String
    ) throws(MediaError) {
        guard !allowed.contains(state) else { return }
        let names = allowed.map(\.rawValue).joined(separator: " or ")
        throw MediaError(
            code: .invalidState, subject: call,
            message: "The capture session cannot \(call) while it is \(state.rawValue); "
                + "it must be \(names): \(advice).")
    }
}
