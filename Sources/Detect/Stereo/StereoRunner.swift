internal import Capture
internal import Media

/// What makes the map of a pair.
protocol PairMatcher: Sendable {
    /// Blocks.
    func depth(left: SampleBuffer, right: SampleBuffer) throws(MediaError) -> DepthData
}

extension StereoMatcher: PairMatcher {}

/// The thread that matches a pair of cameras, and says what came of it. Thread-safe: nobody who brings frames waits
/// for it.
final class StereoRunner: Sendable {
    /// What is done to the maps.
    struct Making: Sendable {
        let matcher: any PairMatcher
        /// Into another unit; `nil`: as it is computed.
        let conversion: DepthConversion?
        var filter: DepthFilter?

        mutating func map(
            _ left: SampleBuffer, _ right: SampleBuffer
        ) throws(MediaError) -> DepthData {
            var data = try matcher.depth(left: left, right: right)
            if let conversion { data = conversion.convert(data) }
            return filter?.apply(data) ?? data
        }
    }

    private struct Listener: Sendable {
        var handler: (@Sendable (SourceEvent) -> Void)?
    }

    private struct State {
        var desk: StereoDesk
        var isFinished = false
        var lastFailure: MediaError?
        /// How often a handler was set: what was begun for one is not said to the next.
        var turn = 0
    }

    // guarded by themselves
    private let state: BlockingLock<State>
    private let listener = Lock(Listener())

    /// - Parameter depth: what the maps are.
    init(_ making: Making, depth: DepthFormat) {
        state = BlockingLock(State(desk: StereoDesk(depth)))
        // it holds no more than what it works with: a matcher that never returns keeps no output
        NamedThread(name: "vcap-stereo") { [weak self, state] in
            var making = making
            while let step = Self.next(state) {
                guard let event = Self.event(step, &making, state) else { continue }
                guard let self else { return }
                self.listener.withLock { $0.handler }?(event)
            }
        }.detach()
    }

    var counts: StereoDepthCounts { state.read { $0.desk.counts } }
    var lastFailure: MediaError? { state.read { $0.lastFailure } }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { state in
            state.desk.restart()
            state.turn += 1
        }
        // what goes is let go outside the lock
        let old = listener.withLock { listener in
            defer { listener.handler = handler }
            return listener
        }
        withExtendedLifetime(old) {}
    }

    /// Ends the thread, now or when the matcher returns.
    func finish() { state.withLock { $0.isFinished = true } }

    func format(of left: FormatDescription) -> FormatDescription {
        state.read { $0.desk.format(of: left) }
    }

    /// - Parameter moment: of the left camera and the right one.
    func take(_ moment: SynchronizedData) {
        state.withLock {
            $0.desk.take(
                left: moment.sources[0], right: moment.sources[1], at: moment.time,
                skipped: moment.skippedMoments)
        }
    }

    func take(_ event: SourceEvent, of camera: Int) {
        switch event {
        case .sample, .dropped: break
        case .interrupted, .resumed, .ended: state.withLock { $0.desk.take(event, of: camera) }
        }
    }

    /// The next step, waiting for one; `nil` once finished.
    private static func next(_ state: BlockingLock<State>) -> StereoDesk.Step? {
        state.wait { state -> StereoDesk.Step?? in
            state.isFinished ? .some(nil) : state.desk.next().map { .some($0) }
        }
    }

    /// Called on the matcher's thread. What breaks the row of maps lets the filter begin anew.
    private static func event(
        _ step: StereoDesk.Step, _ making: inout Making, _ state: BlockingLock<State>
    ) -> SourceEvent? {
        switch step {
        case .say(let event):
            making.filter?.reset()
            return event
        case .match(let left, let right):
            let turn = state.read { $0.turn }
            let result: Result<DepthData, MediaError>
            do throws(MediaError) { result = .success(try making.map(left, right)) } catch {
                making.filter?.reset()
                result = .failure(error)
            }
            return state.withLock { state in
                guard state.turn == turn else { return nil }
                switch result {
                case .success(let data):
                    state.desk.finish(succeeded: true)
                    return .sample(sample(data, of: left, state.desk))
                case .failure(let error):
                    state.desk.finish(succeeded: false)
                    state.lastFailure = error
                    return .dropped(
                        SampleDrop(cause: .undecodable, count: 1, time: left.presentationTime))
                }
            }
        }
    }

    private static func sample(
        _ data: DepthData, of left: SampleBuffer, _ desk: StereoDesk
    ) -> SampleBuffer {
        SampleBuffer(
            payload: .pixels(data.map), format: desk.format(of: left.format),
            presentationTime: left.presentationTime, duration: left.duration)
    }
}
