internal import LibAV
public import Media

/// Brings a camera's frames to a listener, on a thread of the output's own behind a bounded queue: in its own
/// format, size and rate, and with its own answer to frames that come too late. A listener that is slow
/// costs no other listener of the camera anything. Thread-safe.
public final class VideoDataOutput: CaptureOutput {
    /// What happens to a frame when the queue is full. Either way it is a `SampleDrop` of cause `late`, and
    /// an event of the session (`pressure`).
    public enum LateFramePolicy: Sendable {
        /// The frame that comes is dropped: what is recorded has no holes but at the end.
        case dropNewest
        /// The frame that waited longest is dropped: what is shown is fresh.
        case dropOldest
    }

    /// What the frames are for: what is given up first when the machine is pressed.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Every frame counts; none is ever left out because of pressure.
        case movie
        /// People look at it. Under pressure it gets a half, then a quarter of its frames, by intent.
        case preview
        /// A program looks for something. As `preview`.
        case detection
    }

    /// How frames that are not upright reach the listener: by the connection's rotation and mirror,
    /// and by what the device says of itself.
    public enum RotationPolicy: Sendable {
        /// Their pixels are rotated, at a cost; the format is upright, its sides changed places. Only
        /// where a raw format is wanted: a camera's own samples stay as they are, and their format
        /// says how they lie.
        case pixels
        /// Pixels stay, at no cost; the format's `orientation` says how they lie, and an mp4 or mov
        /// carries it as its display matrix.
        case format
    }

    // immutable
    /// Raw format wanted; `nil` gives the camera's own samples, coded or raw. A camera's own raw
    /// frames may lie in driver memory (`PixelBuffer.holdLimit`); wanted ones never do.
    public let wantedFormat: PixelFormat?
    /// Size of the frames as they are delivered (pixels; default: the camera's). Where the proportions
    /// differ, the format's pixel aspect says so.
    public let wantedSize: PixelSize?
    /// (Default: `pixels`.)
    public let rotationPolicy: RotationPolicy
    /// (Default: `dropNewest`.)
    public let lateFrames: LateFramePolicy
    /// (Default: `movie`.) It is followed where the session was given a `PressureMonitor`; samples of a camera
    /// that build on each other (H.264) and are wanted as they come pass all the same.
    public let role: Role
    /// Frames that may wait for the listener (frames; 1…64; default 16).
    public let queueLimit: Int
    private let state = Lock(OutputState())
    private let path = Lock<FramePath?>(nil)

    /// - Precondition: `queueLimit` is 1…64; a size is wanted of a raw format only.
    public init(
        wantedFormat: PixelFormat? = nil, wantedSize: PixelSize? = nil,
        rotationPolicy: RotationPolicy = .pixels,
        lateFrames: LateFramePolicy = .dropNewest, queueLimit: Int = 16, role: Role = .movie
    ) {
        precondition((1...64).contains(queueLimit), "the queue holds 1 to 64 frames")
        precondition(
            wantedSize == nil || wantedFormat != nil, "frames of another size need a raw format")
        self.wantedFormat = wantedFormat
        self.wantedSize = wantedSize
        self.rotationPolicy = rotationPolicy
        self.lateFrames = lateFrames
        self.queueLimit = queueLimit
        self.role = role
    }

    /// The device behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { state.withLock { $0.configured().origin } }

    /// The format delivered: its orientation is what is left to be rotated (see `rotationPolicy`), its
    /// rate at most the connection's.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { state.withLock { $0.configured().format } }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.setHandler(handler) }
    }

    /// - Throws: `invalidState` before the output is configured in a session.
    public func requireFormat() throws(MediaError) {
        try state.withLock { state throws(MediaError) in try state.requireGrant(of: .video) }
    }

    /// Whether samples pass. What does not is discarded by intent, not a drop: the listener gets an interruption of
    /// reason `disabled`, and `resumed` when samples come again. A recorder pauses the track, and reports no stall. It
    /// holds for connections that come, too, until it is set again.
    public func setEnabled(_ isEnabled: Bool) { state.withLock { $0.setEnabled(isEnabled) } }

    var kind: MediaType { .video }

    var owner: SessionIdentity? { state.withLock { $0.owner(of: self) } }

    func join(_ session: SessionIdentity) throws(MediaError) {
        try state.withLock { state throws(MediaError) in try state.join(session, self) }
    }

    func connect(
        to origin: SourceOrigin, _ format: FormatDescription, by connection: CaptureConnection
    ) throws(MediaError) {
        guard let video = format.video else {
            preconditionFailure("a video output got the format of audio")
        }
        // a camera's own samples stay as they are
        let target = wantedFormat.map {
            FrameTarget(
                pixelFormat: $0, size: wantedSize,
                orientation: rotationPolicy == .pixels ? .upright : nil)
        }
        let rate = connection.maximumRate
        let divisor = state.withLock { $0.divisor }
        let (delivered, isPredicted) = try path.withLock { path throws(MediaError) in
            var fresh = try FramePath(
                from: video, to: target, by: connection, subject: origin.name)
            fresh.thin(by: divisor)
            path = fresh
            return (fresh.format, fresh.isPredicted)
        }
        state.withLock { state in
            // frames that build on each other are thinned when they are decoded
            state.thinning =
                isPredicted
                ? nil
                : FrameThinning(
                    rate, of: video.nominalRate, divisor: state.divisor,
                    leftOut: state.thinning?.leftOut ?? 0)
            state.connected(
                to: OutputState.Grant(origin: origin, format: .video(delivered)),
                device: format, isEnabled: connection.isEnabled)
        }
    }

    /// How long a frame lasts where frames behind it are left out, by a rate or under pressure; `nil` where each passes.
    package var lengthBeforeLeftOut: MediaTime? { thinning?.lengthBeforeLeftOut }

    /// Frames that were left out under pressure (frames).
    package var framesLeftOutUnderPressure: Int { thinning?.leftOut ?? 0 }

    private var thinning: FrameThinning? {
        state.withLock { $0.thinning } ?? path.withLock { $0?.thinning }
    }

    /// Whether its session was stopped, or it left it, and no session runs it since.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// From now on one of so many frames passes, of those that pass otherwise.
    func thin(by divisor: Int) {
        state.withLock { state in
            guard state.divisor != divisor else { return }
            state.divisor = divisor
            state.thinning?.thin(by: divisor)
        }
        path.withLock { $0?.thin(by: divisor) }
    }

    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void) {
        let queue = EventQueue(capacity: queueLimit, policy: lateFrames)
        let worker = OutputWorker(queue, pressure: pressure) { [weak self] in self?.deliver($0) }
        state.withLock { $0.begin(worker) }
    }

    func receive(_ event: SourceEvent) {
        state.withLock { $0.taker(of: event) }?.push(event)
    }

    func end() {
        guard let (worker, listener) = state.withLock({ $0.end() }) else { return }
        worker.stop()
        listener()
    }

    /// Called on the output's thread.
    private func deliver(_ event: SourceEvent) {
        guard let receiver = state.withLock({ $0.receiver(for: event) }) else { return }
        for result in path.withLock({ $0?.process(event) ?? [event] }) {
            if case .resumed(_, let format) = result {
                state.withLock { $0.grant?.format = format }
            }
            receiver(result)
        }
    }
}
