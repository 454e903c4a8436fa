public import Media

/// What is wanted of a camera. The driver may grant something near it; the granted format is
/// the stream's.
public struct VideoInputSettings: Sendable, Hashable {
    /// Frame size (pixels; the device's largest up to 1920x1080 when `nil`).
    public var size: PixelSize?
    /// Frame rate (`.automatic`: the device's own up to 30, more only where it has no less).
    public var rate: Rate
    /// The camera's own format (`.automatic`: raw where it reaches the rate, else compressed).
    public var inputFormat: InputFormat
    /// Controls to set before streaming, by V4L2 name (`exposure_time_absolute`).
    public var controls: [String: Int64]
    /// What is set besides before streaming, and again whenever the camera is opened anew, in typed words.
    public var cameraSettings: [CameraSetting]
    /// What is set where `controls` and `cameraSettings` say nothing of it, such as a profile; of several lists, each is
    /// overruled by those behind it. What a list says of an automatic mode takes back what earlier ones say of the value
    /// that it rules, and the other way round.
    public var underlyingSettings: [[CameraSetting]]
    /// What the values of a depth camera are, where it does not say so or something else: frames of 16-bit grey
    /// (`Y16`) become depth by it (default: what the device says; a millimetre a step for `Z16`).
    public var depth: DepthFormat?

    public enum Rate: Sendable, Hashable {
        case automatic
        case exactly(FrameRate)
        /// The highest the device has at the size.
        case maximum
    }

    public enum InputFormat: Sendable, Hashable {
        case automatic
        /// Compressed by the camera, for recording without re-encoding.
        case coded
        /// A listed format by its `VideoCaptureFormat.name`, its four characters, or a common
        /// short form (`yuyv`, `mjpg`).
        case named(String)
    }

    public init(
        size: PixelSize? = nil, rate: Rate = .automatic, inputFormat: InputFormat = .automatic,
        controls: [String: Int64] = [:], cameraSettings: [CameraSetting] = [],
        underlyingSettings: [[CameraSetting]] = [],
        depth: DepthFormat? = nil
    ) {
        self.depth = depth
        self.size = size
        self.rate = rate
        self.inputFormat = inputFormat
        self.controls = controls
        self.cameraSettings = cameraSettings
        self.underlyingSettings = underlyingSettings
    }

    /// Refuses values no device can have.
    /// - Throws: `MediaError` with `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        if let size, !(1...16_384).contains(size.width) || !(1...16_384).contains(size.height) {
            throw MediaError(
                code: .invalidSetting, subject: "size",
                message: "The frame size \(size) is not possible; "
                    + "both sides must be 1 to 16384 pixels.")
        }
        if case .exactly(let rate) = rate, rate > FrameRate(1000) {
            throw MediaError(
                code: .invalidSetting, subject: "rate",
                message: "The frame rate \(rate) is not possible; at most 1000 frames a second.")
        }
        try depth?.validate()
    }

    /// What the values of frames are.
    /// - Parameters:
    ///   - coding: of the frames as they are delivered.
    ///   - stated: what the device says of them; `nil`: that they are to be seen, or nothing.
    func depth(of coding: VideoFormat.Coding?, stated: DepthFormat?) -> DepthFormat? {
        if stated != nil { return depth ?? stated }
        return coding == .raw(.gray16le) || coding == .coded(.ffv1) ? depth : nil
    }

    /// - Throws: `invalidSetting` for what the camera does not have.
    func controlPlan(
        among known: [DeviceControl], of device: CaptureDevice
    ) throws(MediaError) -> ControlPlan {
        try ControlPlan(ownSettings, over: underlyingSettings, among: known, of: device)
    }

    /// `controls`, then `cameraSettings`.
    var ownSettings: [CameraSetting] {
        controls.sorted { $0.key < $1.key }.map { .native(name: $0.key, value: $0.value) }
            + cameraSettings
    }
}
