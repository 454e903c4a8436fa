public import Capture
public import Media

/// Finds things in the frames of a camera while it runs: machine-readable codes, faces, bodies, cats. One more output of
/// the camera, with luma alone, a rate of its own and a thread of its own. One frame is looked at at a time and the others are skipped,
/// so that a detector that is slow, stalls or fails costs no other listener of the camera anything: it loses
/// detections, which are counted. Thread-safe.
///
/// As a source (`SampleSource`) it gives metadata: one sample for each frame that was looked at, stamped with the frame's
/// time, without items where it shows nothing. Where the frame behind it is not looked at, because of the rate, the
/// pressure or a detector that is busy, the sample's duration is the frame's: of frames that nobody has looked at nothing
/// is said. A `Recorder` writes it as a timed track, and that nothing is seen once.
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

    /// How long something that comes into view may be there before it is found: what is known is followed meanwhile.
    private static let searchInterval = MediaTime.milliseconds(500)

    /// What costs little beside a recording: with all codes about 7 % of a processor at 720p, 15 to 30 % at 1080p; with QR
    /// alone 2 and 4 %; with faces about 6 %, bodies 8 %, cats 12 %.
    public static let standardRate = FrameRate(5)

    /// - Parameters:
    ///   - metadataObjectTypes: some of `MetadataObjectType.codes` and `MetadataObjectType.objects` (default: all codes).
    ///   - rectOfInterest: the part of the upright frame that is looked at (parts of its sides; default: all).
    ///   - maximumRate: most frames a second that are looked at (default: 5). Under pressure it becomes a half, then a
    ///     quarter, where the session has a `PressureMonitor`.
    ///   - isThorough: as `CodeDetector`'s and `ObjectDetector`'s (default: no).
    ///   - faceModel: as `ObjectDetector`'s (default: none).
    /// - Throws: `invalidSetting` for types that cannot be looked for and a rectangle outside the frame;
    ///   `unsupported` where what detects is not installed; `damagedFile` for a model that is of no use.
    public convenience init(
        metadataObjectTypes: Set<MetadataObjectType> = MetadataObjectType.codes,
        rectOfInterest: NormalizedRect = .whole,
        maximumRate: FrameRate = MetadataOutput.standardRate, isThorough: Bool = false,
        faceModel: String? = nil
    ) throws(MediaError) {
        let detector = try FrameDetectors(
            types: metadataObjectTypes, rectOfInterest: rectOfInterest, isThorough: isThorough,
            searchInterval: Self.searchInterval, faceModel: faceModel)
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
        frames.setHandler { [runner, weak frames] in
            runner.take($0, length: frames?.lengthBeforeLeftOut)
        }
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

    /// What is found, from now until it is released or the session ends, as one bounded sequence. It takes the place of
    /// the handler of `setObjectsHandler`.
    /// - Parameter limit: most frames' results that wait for the reader (count); the oldest go.
    public func objects(limit: Int = 32) -> AsyncStream<DetectedObjects> {
        let (stream, continuation) = AsyncStream<DetectedObjects>.makeStream(
            bufferingPolicy: .bufferingNewest(limit))
        let turn = runner.setObjectsHandler(
            { continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { [weak runner] _ in
            runner?.setObjectsHandler(nil, inPlaceOf: turn)
        }
        return stream
    }

    /// Frames looked at and skipped since the output was made.
    public var detectionCounts: DetectionCounts {
        var counts = runner.counts
        let leftOut = frames.framesLeftOutUnderPressure
        if leftOut > 0 { counts.skipped[.pressure] = leftOut }
        return counts
    }

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
