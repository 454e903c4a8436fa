internal import LibAV
public import Media
internal import Synchronization

/// Brings a camera's pictures to a listener. Thread-safe.
///
/// Without a conversion events come on the camera's thread, else on a thread of the output's own
/// behind a bounded queue. The listener must not block.
public final class VideoDataOutput: SampleSource {
    /// What happens to a picture when the queue before the conversion is full. Either way it is a
    /// `SampleDrop` of cause `late`.
    public enum LateFramePolicy: Sendable {
        /// The picture that comes is dropped: what is recorded has no holes but at the end.
        case dropNewest
        /// The picture that waited longest is dropped: what is shown is fresh.
        case dropOldest
    }

    /// How pictures that are not upright reach the listener: by the connection's rotation and mirror,
    /// and by what the device says of itself.
    public enum Turning: Sendable {
        /// Their pixels are turned, at a cost; the format is upright, its sides changed places. Only
        /// where a raw format is wanted: a camera's own samples stay as they are, and their format
        /// says how they lie.
        case pixels
        /// Pixels stay, at no cost; the format's `orientation` says how they lie, and an mp4 or mov
        /// carries it as its display matrix.
        case format
    }

    // immutable
    /// Raw format wanted; `nil` gives the camera's own samples, coded or raw. A camera's own raw
    /// pictures may lie in driver memory (`PixelBuffer.holdLimit`); wanted ones never do.
    public let wantedFormat: PixelFormat?
    /// (Default: `pixels`.)
    public let turning: Turning
    /// (Default: `dropNewest`.)
    public let lateFrames: LateFramePolicy
    /// Pictures that may wait for conversion (frames; 1…64; default 4).
    public let queueLimit: Int
    private let state = Mutex(OutputState())
    private let worker = Mutex(Worker())

    private struct Worker {
        var pipeline: PicturePipeline?
        var queue: EventQueue?
        var thread: NamedThread?
        var pressure: (@Sendable (SampleDrop) -> Void)?
    }

    /// - Precondition: `queueLimit` is 1…64.
    public init(
        wantedFormat: PixelFormat? = nil, turning: Turning = .pixels,
        lateFrames: LateFramePolicy = .dropNewest, queueLimit: Int = 4
    ) {
        precondition((1...64).contains(queueLimit), "the queue holds 1 to 64 pictures")
        self.wantedFormat = wantedFormat
        self.turning = turning
        self.lateFrames = lateFrames
        self.queueLimit = queueLimit
    }

    /// The device behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { state.withLock { $0.configured().origin } }

    /// The format delivered: its orientation is what is left to be turned (see `turning`).
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { state.withLock { $0.configured().format } }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.handler = handler }
    }

    /// Whether samples pass. What does not is discarded by intent, not a drop.
    public func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

    func configure(
        origin: SourceOrigin, format: FormatDescription, connection: CaptureConnection
    ) throws(MediaError) {
        guard let video = format.video else {
            preconditionFailure("a video output got the format of a sound")
        }
        let pipeline = try PicturePipeline(
            from: video, to: wantedFormat,
            turn: PictureTurn(connection: connection, turnsPixels: turning == .pixels),
            subject: origin.name)
        worker.withLock { $0.pipeline = pipeline }
        state.withLock { state in
            state.grant = OutputState.Grant(origin: origin, format: .video(pipeline.format))
            state.isEnabled = connection.isEnabled
        }
    }

    /// Called before the session starts the camera.
    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void) {
        worker.withLock { worker in
            worker.pressure = pressure
            guard let pipeline = worker.pipeline, pipeline.isCostly else { return }
            let queue = EventQueue(capacity: queueLimit, policy: lateFrames)
            worker.queue = queue
            worker.thread = NamedThread(name: "vcap-convert") { [weak self] in
                while let event = queue.pop() { self?.deliver(event, through: pipeline) }
            }
        }
    }

    /// Called on the camera's thread.
    func receive(_ event: SourceEvent) {
        guard let receiver = state.withLock({ $0.receiver(for: event) }) else { return }
        let (pipeline, queue, pressure) = worker.withLock {
            ($0.pipeline, $0.queue, $0.pressure)
        }
        if let queue {
            if let drop = queue.push(event) { pressure?(drop) }
        } else if let pipeline {
            deliver(event, through: pipeline, to: receiver)
        }
    }

    /// Called after the camera has ended.
    func end() {
        let (queue, thread) = worker.withLock { worker in
            defer { (worker.queue, worker.thread) = (nil, nil) }
            return (worker.queue, worker.thread)
        }
        queue?.finish()
        thread?.join()
    }

    private func deliver(_ event: SourceEvent, through pipeline: PicturePipeline) {
        guard let receiver = state.withLock({ $0.receiver(for: event) }) else { return }
        deliver(event, through: pipeline, to: receiver)
    }

    private func deliver(
        _ event: SourceEvent, through pipeline: PicturePipeline,
        to receiver: @Sendable (SourceEvent) -> Void
    ) {
        for result in pipeline.process(event) {
            if case .resumed(_, let format) = result {
                state.withLock { $0.grant?.format = format }
            }
            receiver(result)
        }
    }
}
