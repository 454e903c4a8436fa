public import Capture
public import Media

/// Finds things in the frames of a camera while it runs: machine-readable codes, faces, bodies, cats. One more output of
/// the camera, with luma alone, a rate of its own and a thread of its own. One frame is looked at at a time and the others are skipped,
/// so that a detector that is slow, stalls or fails costs no other listener of the camera anything: it loses
/// detections, which are counted. Thread-safe.
///
/// As a source (`SampleSource`) it gives metadata: one sample for each frame that shows something, stamped with the
/// frame's time, and one without items where nothing is seen from there on. A `Recorder` writes it as a timed track.
public final class MetadataOutput: DetectingSource {
    // immutable
    /// The camera's luma, the newest frames. Of raw and MJPEG cameras those that are left out by the rate never wait
    /// here; H.264 has to be decoded as a whole, and one frame that is lost costs all up to the next sync sample.
    let frames = VideoDataOutput(
        wantedFormat: .gray, lateFrames: .dropOldest, queueLimit: 16, role: .detection)
    /// What is looked for.
    public let metadataObjectTypes: Set<MetadataObjectType>
    /// The part of the upright frame that is looked at.
    public let rectOfInterest: NormalizedRect
    /// Most frames a second that are looked at.
    public let maximumRate: FrameRate
    private let runner: DetectionRunner

    /// What costs little beside a recording: with all codes about 7 % of a processor at 720p, 15 to 30 % at 1080p; with QR
    /// alone 2 and 4 %; with faces, bodies or cats 8 to 25 % each.
    public static let standardRate = FrameRate(5)

    /// - Parameters:
    ///   - metadataObjectTypes: some of `MetadataObjectType.codes` and `MetadataObjectType.objects` (default: all codes).
    ///   - rectOfInterest: the part of the upright frame that is looked at (parts of its sides; default: all).
    ///   - maximumRate: most frames a second that are looked at (default: 5). Under pressure it becomes a half, then a
    ///     quarter, where the session has a `PressureMonitor`.
    ///   - isThorough: as `CodeDetector`'s and `ObjectDetector`'s (default: no).
    /// - Throws: `invalidSetting` for types that cannot be looked for and a rectangle outside the frame;
    ///   `unsupported` where what detects is not installed.
    public convenience init(
        metadataObjectTypes: Set<MetadataObjectType> = MetadataObjectType.codes,
        rectOfInterest: NormalizedRect = .whole,
        maximumRate: FrameRate = MetadataOutput.standardRate, isThorough: Bool = false
    ) throws(MediaError) {
        let detector = try FrameDetectors(
            types: metadataObjectTypes, rectOfInterest: rectOfInterest, isThorough: isThorough)
        self.init(
            detector, types: metadataObjectTypes, rectOfInterest: rectOfInterest,
            maximumRate: maximumRate)
    }

    package init(
        _ detector: any FrameDetector,
        types: Set<MetadataObjectType> = MetadataObjectType.codes,
        rectOfInterest: NormalizedRect = .whole,
        maximumRate: FrameRate = MetadataOutput.standardRate
    ) {
        metadataObjectTypes = types
        self.rectOfInterest = rectOfInterest
        self.maximumRate = maximumRate
        runner = DetectionRunner(detector, format: MetadataFormat(of: types))
        frames.setHandler { [runner] in runner.take($0) }
    }

    deinit { runner.finish() }

    /// The camera behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { frames.origin }

    /// Metadata with keys of JSON for what is looked for: `org.vcap.detected-code`, `org.vcap.detected-face`,
    /// `org.vcap.detected-body`, `org.vcap.detected-cat`.
    public var format: FormatDescription { .metadata(runner.format) }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        runner.setSampleHandler(handler)
    }

    /// Sets who gets what is found in each frame that was looked at, an empty list included.
    /// - Parameter handler: called on the thread of the detector: while it works, frames are skipped. `nil` removes it.
    public func setObjectsHandler(_ handler: (@Sendable (DetectedObjects) -> Void)?) {
        runner.setObjectsHandler(handler)
    }

    /// What is found, from now until it is released, as one bounded sequence. It takes the place of the handler of
    /// `setObjectsHandler`.
    /// - Parameter limit: most frames' results that wait for the reader (count); the oldest go.
    public func objects(limit: Int = 32) -> AsyncStream<DetectedObjects> {
        let (stream, continuation) = AsyncStream<DetectedObjects>.makeStream(
            bufferingPolicy: .bufferingNewest(limit))
        setObjectsHandler { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.setObjectsHandler(nil) }
        return stream
    }

    /// Frames looked at and skipped since the output was made.
    public var detectionCounts: DetectionCounts { runner.counts }

    /// Why the detector failed last; `nil` while it has not.
    public var lastFailure: MediaError? { runner.lastFailure }
}

extension CaptureConfiguration {
    /// Connects a camera to an output that finds things in its frames. A camera that is connected already gets one
    /// more listener.
    /// - Parameter connection: its `maximumRate`, where it has one, takes the place of the output's.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: MetadataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        var connection = connection
        connection.maximumRate = connection.maximumRate ?? output.maximumRate
        try add(input, output.frames, connection)
    }

    /// Why an input cannot be connected to an output that finds things; `nil` when it can, as far as can be known
    /// before the device is opened.
    public func refusal(of input: CaptureDeviceInput, _ output: MetadataOutput) -> MediaError? {
        refusal(of: input, output.frames)
    }

    /// Takes an output that finds things away, and its device when nothing else listens to it. One that is not there
    /// is no error.
    public mutating func remove(_ output: MetadataOutput) { remove(output.frames) }
}
