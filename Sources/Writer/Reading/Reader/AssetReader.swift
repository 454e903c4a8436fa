public import Media
internal import Movie

/// Reads samples of an asset: coded as they are, or decoded to a wanted format.
///
/// Life: make outputs and add them, set `timeRange`, `start`, take samples with each output's `next`
/// until it answers `nil`, or in tasks with `samples(of:)`. Thread-safe. Memory: one decoder and a few samples an output.
public final class AssetReader: Sendable {
    /// How far reading is.
    public enum Status: Sendable {
        /// Not started.
        case unknown
        case reading
        /// Every output has given everything.
        case completed
        case failed(MediaError)
        case cancelled
    }

    private struct State: Sendable {
        var outputs: [any AssetReaderOutput] = []
        var timeRange: MediaTimeRange?
        var hasStarted = false
        var isCancelled = false
    }

    private let state = Lock(State())
    /// Held while outputs are opened.
    private let opening = Lock(0)

    public init() {}

    /// What is read (movie time; default `nil`: everything). Set before the start.
    public var timeRange: MediaTimeRange? {
        get { state.withLock { $0.timeRange } }
        set { state.withLock { if !$0.hasStarted { $0.timeRange = newValue } } }
    }

    public var outputs: [any AssetReaderOutput] { state.withLock { $0.outputs } }

    /// - Throws: `invalid-state` after the start, or when the output was added before, here or to another reader.
    public func add(_ output: any AssetReaderOutput) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            guard !state.hasStarted else {
                throw .state("add an output", "the reader has started; add outputs before.")
            }
            guard !state.outputs.contains(where: { $0 === output }) else {
                throw .state("add an output", "it is there already.")
            }
            try output.slot.claim()
            state.outputs.append(output)
        }
    }

    /// Opens what the outputs read. Blocks; not for Swift's cooperative pool.
    /// - Throws: `invalid-state` without outputs or when started before; what a file answered.
    public func start() throws(MediaError) {
        try opening.withLock { _ throws(MediaError) in try open() }
    }

    /// Starts unless somebody has; returns when every output is open.
    func startOnce() throws(MediaError) {
        try opening.withLock { _ throws(MediaError) in
            if !state.withLock({ $0.hasStarted || $0.isCancelled }) { try open() }
        }
    }

    private func open() throws(MediaError) {
        let (outputs, range) = try state.withLock { state throws(MediaError) in
            guard !state.hasStarted, !state.isCancelled, !state.outputs.isEmpty else {
                throw .state("start reading", "a reader starts once, with at least one output.")
            }
            state.hasStarted = true
            return (state.outputs, state.timeRange)
        }
        for output in outputs {
            do throws(MediaError) {
                try output.slot.start(output, range ?? output.timeRange)
            } catch {
                for other in outputs where other !== output { other.slot.cancel(other) }
                throw error
            }
        }
    }

    /// Ends reading; a reader that has completed stays so. Returns when no sample is being made any more; files are closed.
    public func cancel() {
        let outputs = state.withLock { state in
            state.isCancelled = true
            return state.outputs
        }
        for output in outputs { output.slot.cancel(output) }
    }

    public var status: Status {
        let (outputs, hasStarted, isCancelled) = state.withLock {
            ($0.outputs, $0.hasStarted, $0.isCancelled)
        }
        let phases = outputs.map(\.slot.phase)
        for phase in phases { if case .failed(let error) = phase { return .failed(error) } }
        let isDone = hasStarted && phases.allSatisfy { if case .done = $0 { true } else { false } }
        if isCancelled, !isDone { return .cancelled }
        guard hasStarted else { return .unknown }
        return isDone ? .completed : .reading
    }
}
