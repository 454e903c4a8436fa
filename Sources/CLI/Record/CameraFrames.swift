import Capture
import Media

/// A camera of a recording and the output that brings its frames to the movie: depth as it is, light as the encoder
/// takes it.
struct CameraFrames: Sendable {
    private enum Output: Sendable {
        case light(VideoDataOutput)
        /// The output, and what its frames pass.
        case filtered(VideoDataOutput, any SampleSource)
        case depth(DepthDataOutput)
    }

    let device: CaptureDevice
    private let output: Output

    /// What changes the frames, one after the other.
    let processors: [any FrameProcessor]

    /// - Parameter queueLimit: frames that may wait for the recorder (frames). Blocks where there are filters.
    init(_ device: CaptureDevice, _ plan: RecordPlan, _ queueLimit: Int) throws {
        self.device = device
        if device.depth(with: plan.cameraSettings(of: device)) != nil {
            processors = []
            output = .depth(
                try DepthDataOutput(filter: plan.depthFilter, queueLimit: queueLimit))
        } else {
            processors = try plan.filters?.processors() ?? []
            let frames = VideoDataOutput(
                wantedFormat: plan.wantedPixels, rotationPolicy: plan.rotationPolicy,
                queueLimit: queueLimit)
            output =
                plan.filters == nil
                ? .light(frames)
                : .filtered(frames, try Self.filtered(frames, plan, device, processors))
        }
    }

    private static func filtered(
        _ frames: VideoDataOutput, _ plan: RecordPlan, _ device: CaptureDevice,
        _ processors: [any FrameProcessor]
    ) throws(MediaError) -> any SampleSource {
        var source: any SampleSource = frames
        guard let filters = plan.filters else { return source }
        for processor in processors {
            let filtered = try FilteredSource(of: source, by: processor, timeout: filters.timeout)
            filtered.setTroubleHandler { trouble in
                let line = FilterWords.line(trouble, processor, of: device.name)
                if trouble == .over {
                    Console.shared.notice(line)
                } else {
                    Console.shared.warning(line)
                }
            }
            source = filtered
        }
        return source
    }

    var isDepth: Bool {
        if case .depth = output { true } else { false }
    }

    var source: any SampleSource {
        switch output {
        case .light(let output): output
        case .filtered(_, let source): source
        case .depth(let output): output
        }
    }

    func add(
        to configuration: inout CaptureConfiguration, _ plan: RecordPlan
    ) throws(MediaError) {
        let input = CaptureDeviceInput(camera: device, settings: plan.cameraSettings(of: device))
        switch output {
        case .light(let output), .filtered(let output, _):
            try configuration.add(input, output, plan.connection)
        case .depth(let output): try configuration.add(input, output, plan.connection)
        }
    }

    /// Distances are no picture that a filter could change.
    /// - Throws: where all cameras bring them.
    static func checkFilters(_ frames: [CameraFrames], _ plan: RecordPlan) throws(CommandFailure) {
        guard plan.filters != nil, !frames.isEmpty else { return }
        let depth = frames.filter(\.isDepth)
        guard depth.count < frames.count else {
            throw CommandFailure(
                .usage,
                "--filter has no frames to change: all that is recorded is depth; leave it out, or name a camera "
                    + "that shows light with another -c")
        }
        for camera in depth {
            Console.shared.notice("\(camera.device.name): depth is not filtered")
        }
        if plan.stereo != nil {
            Console.shared.notice("the depth of --stereo is not filtered")
        }
    }

    /// What was said of depth, and of light, and concerns no camera.
    static func warn(_ frames: [CameraFrames], _ plan: RecordPlan) {
        guard !frames.isEmpty else { return }
        if !frames.contains(where: \.isDepth) {
            warn(
                [
                    ("--depth", plan.cameraSettings.depth != nil),
                    ("--depth-filter", plan.depthFilter != nil && plan.stereo == nil),
                ], "no camera of this recording delivers depth (Z16, or Y16 with --depth)")
        }
        guard frames.allSatisfy(\.isDepth) else { return }
        warn(
            plan.codingOptions.map { ($0, true) },
            "all that is recorded is depth, which is kept without loss as FFV1")
        guard let detection = plan.detection else { return }
        warn(
            [(detection.slates == nil ? "--detect" : "--slate", true)],
            "all that is recorded is depth, which shows no codes or faces")
    }

    private static func warn(_ options: [(name: String, isGiven: Bool)], _ reason: String) {
        for option in options where option.isGiven {
            Console.shared.warning("\(option.name) does nothing: \(reason)")
        }
    }
}
