internal import Media

/// What a test camera will deliver, from its own parameters and what is wanted of it.
struct TestCameraPlan: Sendable, Hashable {
    let size: PixelSize
    let rate: FrameRate
    let format: TestCameraFormat
    /// What makes the frames upright.
    let orientation: VideoOrientation

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
            try Self.agree("format", parameters.format, Self.format(wanted.inputFormat))
            ?? .yuv420p
        orientation = VideoOrientation(rotation: parameters.rotation)
        guard !orientation.swapsAxes || format != .yuyv422 else {
            throw Self.refusal("turn yuyv422 by a quarter; give another format or rotate=180")
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
        "\(size) at \(rate) fps as \(format.rawValue), as asked for; it has every size and rate"
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
        guard let format = TestCameraFormat(rawValue: name) else {
            let all = TestCameraFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal("deliver \(name); it has \(all)")
        }
        return format
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
