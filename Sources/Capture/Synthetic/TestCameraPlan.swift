internal import Media

/// What a test camera will deliver, from its own parameters and what is wanted of it.
struct TestCameraPlan: Sendable, Hashable {
    let size: PixelSize
    let rate: FrameRate
    let format: TestCameraFormat
    /// What makes the frames upright.
    let orientation: VideoOrientation
    /// What the values of depth are.
    let depth: DepthFormat?

    static let standardSize = PixelSize(1280, 720)
    static let standardRate = FrameRate(30)
    static let highestRate = FrameRate(240)

    init(
        _ parameters: TestDeviceSettings, wanted: VideoInputSettings
    ) throws(MediaError) {
        let size = try Self.agree("size", parameters.size, wanted.size) ?? Self.standardSize
        guard TestPattern.canDraw(size) else {
            throw Self.refusal("draw \(size): it needs even sides, from 48x24 to 8192x8192")
        }
        let rate: FrameRate
        switch wanted.rate {
        case .automatic: rate = parameters.frameRate ?? Self.standardRate
        case .maximum: rate = parameters.frameRate ?? Self.highestRate
        case .exactly(let exact):
            rate = try Self.agree("rate", parameters.frameRate, exact) ?? exact
        }
        guard 2 * Int64(parameters.faults.jitter) < rate.frameDuration.nanoseconds() else {
            throw Self.refusal("displace frames by half their distance; lower jitter")
        }
        self.size = size
        self.rate = rate
        format =
            try Self.agreeOnFormat(parameters.format, wanted.inputFormat)
            ?? (wanted.depth == nil ? .yuv420p : .z16)
        depth = wanted.depth(of: format.coding, stated: format.depth)
        orientation = VideoOrientation(rotation: parameters.rotation)
        guard !orientation.swapsAxes || format != .yuyv422 else {
            throw Self.refusal("turn yuyv422 by a quarter; give another format or rotate=180")
        }
        guard orientation == .upright || format.bayer == nil else {
            throw Self.refusal("rotate a sensor's mosaic; leave rotate out, and use --rotate")
        }
        let group = format.bayer?.group.pixels ?? 1
        guard size.width.isMultiple(of: group) else {
            throw Self.refusal(
                "pack rows of \(size.width) pixels: they must be a multiple of \(group)")
        }
        guard TestPattern.canDraw(uprightSize) else {
            throw Self.refusal("draw \(uprightSize) rotated: it needs even sides, from 48x24")
        }
    }

    /// The frames' size when they are upright.
    var uprightSize: PixelSize {
        orientation.swapsAxes ? PixelSize(size.height, size.width) : size
    }

    var explanation: String {
        "\(size) at \(rate) fps as \(format.name), as asked for; it has every size and rate"
    }

    private static func format(
        _ wanted: VideoInputSettings.InputFormat
    ) throws(MediaError) -> TestCameraFormat? {
        let name: String
        switch wanted {
        case .automatic: return nil
        case .coded: name = "mjpeg"
        case .named(let word): name = FormatNames.canonical(word)
        }
        if name == "gray16le" { return .y16 }
        guard let format = TestCameraFormat(name: name) else {
            let all = TestCameraFormat.listed.map(\.name).joined(separator: ", ")
            throw refusal("deliver \(name); it has \(all) and the like")
        }
        return format
    }

    private static func agreeOnFormat(
        _ fixed: TestCameraFormat?, _ wanted: VideoInputSettings.InputFormat
    ) throws(MediaError) -> TestCameraFormat? {
        let format = try format(wanted)
        guard let fixed, let format, fixed != format else { return fixed ?? format }
        throw refusal("give format \(format.name): its selector fixes it to \(fixed.name)")
    }

    /// A fixed parameter wins; asking for another value is refused, as by a device without it.
    private static func agree<Value: Equatable & Sendable>(
        _ name: String, _ fixed: Value?, _ wanted: Value?
    ) throws(MediaError) -> Value? {
        guard let fixed, let wanted, fixed != wanted else { return fixed ?? wanted }
        throw refusal("give \(name) \(wanted): its selector fixes it to \(fixed)")
    }

    private static func refusal(_ what: String) -> MediaError {
        MediaError(
            code: .unsupportedFormat, subject: "test:",
            message: "The test camera cannot \(what).")
    }
}
