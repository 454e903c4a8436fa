internal import Media
internal import Movie

/// What an `AssetReader` knows of one of its outputs. Thread-safe.
public final class AssetReaderSlot: Sendable {
    enum Phase: Sendable {
        case idle
        case reading
        case done
        case failed(MediaError)
        case cancelled
    }

    struct State: Sendable {
        var phase = Phase.idle
        var ranges: [MediaTimeRange] = []
        var hasBegun = false
        var supportsRandomAccess = false
        var isFinal = false
    }

    // guarded by itself; held while a sample is made
    private let work = Lock(State())
    // guarded by itself; asked before and after the work
    private let isCancelled = Lock(false)

    private let isTaken = Lock(false)

    public init() {}

    /// For one reader.
    /// - Throws: `invalidState` when another has it.
    func claim() throws(MediaError) {
        let isNew = isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
        guard isNew else {
            throw .state("add an output", "it belongs to a reader already; make another one.")
        }
    }

    var supportsRandomAccess: Bool {
        get { work.withLock { $0.supportsRandomAccess } }
        set {
            work.withLock { state in
                if case .idle = state.phase { state.supportsRandomAccess = newValue }
            }
        }
    }

    /// Begins at once, so that what cannot be read is reported at the start.
    func start(_ output: any AssetReaderOutput, _ range: MediaTimeRange) throws(MediaError) {
        try work.withLock { state throws(MediaError) in
            guard case .idle = state.phase else {
                throw .state("read an output", "it belongs to a reader that has started.")
            }
            do throws(MediaError) { try output.begin(range) } catch {
                state.phase = .failed(error)
                throw error
            }
            state.ranges = [range]
            state.hasBegun = true
            state.phase = .reading
        }
    }

    func next(_ output: any AssetReaderOutput) throws(MediaError) -> SampleBuffer? {
        try work.withLock { state throws(MediaError) in
            switch state.phase {
            case .idle: throw .state("read a sample", "start the reader before.")
            case .done: return nil
            case .failed(let error): throw error
            case .cancelled: throw AssetReaderSlot.cancellation
            case .reading: break
            }
            do throws(MediaError) {
                return try read(output, &state)
            } catch {
                output.end()
                if case .cancelled = state.phase { throw error }
                state.phase = .failed(error)
                throw error
            }
        }
    }

    private func read(
        _ output: any AssetReaderOutput, _ state: inout State
    ) throws(MediaError) -> SampleBuffer? {
        while let range = state.ranges.first {
            if isCancelled.withLock({ $0 }) {
                state.phase = .cancelled
                throw AssetReaderSlot.cancellation
            }
            if !state.hasBegun { try output.begin(range) }
            state.hasBegun = true
            if let sample = try output.produce() { return sample }
            state.ranges.removeFirst()
            state.hasBegun = false
        }
        if !state.supportsRandomAccess || state.isFinal {
            state.phase = .done
            output.end()
        }
        return nil
    }

    func reset(_ ranges: [MediaTimeRange]) throws(MediaError) {
        try work.withLock { state throws(MediaError) in
            guard state.supportsRandomAccess, !state.isFinal, case .reading = state.phase else {
                throw .state(
                    "read other ranges",
                    "the output must support random access, be reading and not be final.")
            }
            state.ranges = ranges
            state.hasBegun = false
        }
    }

    func markFinal(_ output: any AssetReaderOutput) {
        work.withLock { state in
            state.isFinal = true
            guard case .reading = state.phase, state.ranges.isEmpty else { return }
            state.phase = .done
            output.end()
        }
    }

    /// Ends reading; waits for the sample that is being made.
    func cancel(_ output: any AssetReaderOutput) {
        isCancelled.withLock { $0 = true }
        work.withLock { state in
            switch state.phase {
            case .idle, .reading: state.phase = .cancelled
            default: break
            }
            output.end()
        }
    }

    var phase: Phase { work.withLock { $0.phase } }

    private static let cancellation = MediaError.state("read a sample", "reading was cancelled.")
}
