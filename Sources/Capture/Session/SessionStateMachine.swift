package import Media

/// The life cycle of a session as a value: says what a call or event may do, does nothing itself.
package struct SessionStateMachine: Sendable, Equatable {
    package private(set) var state: CaptureSession.State = .idle
    package private(set) var inputs = 0
    /// Inputs that fell silent, by place.
    package private(set) var silent: Set<Int> = []

    package init() {}

    /// A transaction ended with this many inputs.
    package mutating func configured(inputs count: Int) throws(MediaError) {
        try mayConfigure()
        inputs = count
        state = count == 0 ? .idle : .ready
    }

    package func mayConfigure() throws(MediaError) {
        try require([.idle, .ready], for: "configure", advice: "stop it first")
    }

    package mutating func start() throws(MediaError) {
        try require([.ready], for: "start", advice: "configure an input, or stop it first")
        state = .running
        silent = []
    }

    package mutating func stop() throws(MediaError) {
        try require([.running, .interrupted], for: "stop", advice: "start it first")
        state = .ready
        silent = []
    }

    /// An input fell silent. Answers whether that changed anything.
    package mutating func lost(_ input: Int) -> Bool {
        guard isRunning, silent.insert(input).inserted else { return false }
        if silent.count == inputs { state = .interrupted }
        return true
    }

    /// An input delivers again. Answers whether that changed anything.
    package mutating func back(_ input: Int) -> Bool {
        guard isRunning, silent.remove(input) != nil else { return false }
        state = .running
        return true
    }

    private var isRunning: Bool { state == .running || state == .interrupted }

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
