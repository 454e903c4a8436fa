internal import LibAV
public import Media

/// The depth of a camera while it runs: its values as they are, to the unit, or filtered, and never scaled or converted
/// to light. Another output of the camera may want the same frames as pictures. Thread-safe.
///
/// As a source (`SampleSource`) it gives raw frames of `gray16le` whose format says what the values are
/// (`VideoFormat.depth`); a `Recorder` writes them losslessly. `depth()` gives them as `DepthData`.
public final class DepthDataOutput: SampleSource {
    // immutable
    /// Depth as it comes.
    let frames: VideoDataOutput
    /// What is done to the maps; `nil`: nothing, they are raw.
    public let filter: DepthFilter.Settings?

    // guarded by itself
    private let filtering: Lock<DepthFilter?>

    /// - Parameters:
    ///   - filter: what is done to the maps (default: nothing).
    ///   - lateFrames: what happens to a frame when the queue is full (default: the one that comes is dropped).
    ///   - queueLimit: frames that may wait for the listener (frames; 1…64; default 16).
    /// - Throws: `invalidSetting` for a filter that none can be.
    /// - Precondition: `queueLimit` is 1…64.
    public init(
        filter: DepthFilter.Settings? = nil,
        lateFrames: VideoDataOutput.LateFramePolicy = .dropNewest, queueLimit: Int = 16
    ) throws(MediaError) {
        let made: DepthFilter?
        if let filter { made = try DepthFilter(filter) } else { made = nil }
        self.filter = filter
        filtering = Lock(made)
        frames = VideoDataOutput(
            wantedFormat: .gray16le, lateFrames: lateFrames, queueLimit: queueLimit)
    }

    /// Whether holes are filled or values smoothed.
    public var isFilteringEnabled: Bool { filter != nil }

    /// The camera behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { frames.origin }

    /// Raw frames of `gray16le`, and what their values are.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { labelled(frames.format) }

    /// - Throws: `invalidState` before the output is configured in a session; `unsupported` where the camera turned out
    ///   to deliver no depth.
    public func requireFormat() throws(MediaError) {
        try frames.requireFormat()
        guard frames.format.video?.depth == nil else { return }
        throw .noDepth(origin.name)
    }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        guard let handler else { return frames.setHandler(nil) }
        frames.setHandler { [weak self] event in
            guard let self else { return }
            handler(processed(event))
        }
    }

    /// The camera's depth, from now until it is released or the session ends, as one bounded sequence with the time of
    /// each map (host clock). It takes the handler's place.
    /// - Parameter limit: most maps that wait for the reader (count); the oldest go.
    public func depth(limit: Int = 4) -> AsyncStream<(data: DepthData, time: MediaTime)> {
        let (stream, continuation) = AsyncStream<(data: DepthData, time: MediaTime)>.makeStream(
            bufferingPolicy: .bufferingNewest(limit))
        let place = HandlerPlace.of(self)
        let turn = place.nextTurn()
        place.take(self, turn) { event in
            switch event {
            case .sample(let sample):
                // what is no depth was refused when the output was connected
                guard let data = try? DepthData(sample) else { return }
                continuation.yield((data, sample.presentationTime))
            case .ended: continuation.finish()
            case .dropped, .interrupted, .resumed: break
            }
        }
        continuation.onTermination = { [weak self] _ in
            if let self { place.giveBack(self, turn) }
        }
        return stream
    }

    private func processed(_ event: SourceEvent) -> SourceEvent {
        switch event {
        case .sample(let sample): return .sample(filtered(sample))
        case .resumed(let time, let format):
            filtering.withLock { $0?.reset() }
            return .resumed(at: time, format: labelled(format))
        case .dropped, .interrupted:
            // what comes behind a hole does not follow what was before it
            filtering.withLock { $0?.reset() }
            return event
        case .ended: return event
        }
    }

    private func filtered(_ sample: SampleBuffer) -> SampleBuffer {
        guard isFilteringEnabled, let data = try? DepthData(sample) else { return sample }
        var result = sample
        let made = filtering.withLock { $0?.apply(data) }
        if let made { result.payload = .pixels(made.map) }
        result.format = labelled(sample.format)
        return result
    }

    private func labelled(_ format: FormatDescription) -> FormatDescription {
        guard isFilteringEnabled, case .video(var video) = format else { return format }
        video.depth?.isFiltered = true
        return .video(video)
    }
}

extension CaptureConfiguration {
    /// Connects a depth camera to an output of its depth. A camera that is connected already gets one more listener.
    /// - Parameters:
    ///   - input: the camera; its settings say what its values are where the camera does not.
    ///   - output: in no other session.
    ///   - connection: of the two.
    /// - Throws: `MediaError` saying why it cannot be added: `unsupported` for a camera without depth.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: DepthDataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        if let refusal = refusal(of: input, output) { throw refusal }
        try add(input, output.frames, connection)
    }

    /// Why an input cannot be connected to an output of depth; `nil` when it can, as far as can be known before the
    /// device is opened.
    /// - Parameters:
    ///   - input: the camera.
    ///   - output: of depth.
    public func refusal(of input: CaptureDeviceInput, _ output: DepthDataOutput) -> MediaError? {
        guard case .video(let settings) = input.settings,
            input.device.depth(with: settings) != nil
        else {
            return .noDepth(input.device.name)
        }
        return refusal(of: input, output.frames)
    }

    /// Takes an output of depth away, and its device when nothing else listens to it. One that is not there is no error.
    /// - Parameter output: of depth.
    public mutating func remove(_ output: DepthDataOutput) { remove(output.frames) }
}

extension CaptureDevice {
    /// What the values of its frames will be with these settings where they are distances; `nil` where they are to be
    /// seen, as far as its list of formats says.
    /// - Parameter settings: as it will be opened.
    public func depth(with settings: VideoInputSettings) -> DepthFormat? {
        let planner = FormatPlanner(formats: formats.compactMap(\.video), wanted: settings)
        // what it does not have is said when it is opened
        guard let plan = try? planner.plan(deviceName: name) else { return nil }
        return settings.depth(of: plan.format.coding, stated: plan.format.depth)
    }
}

extension MediaError {
    static func noDepth(_ name: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: name,
            message:
                "\(name) delivers no depth: choose its format Z16 where it has one, or say what "
                + "the values of a camera with Y16 are.")
    }
}
