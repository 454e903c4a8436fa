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
        controls: [String: Int64] = [:]
    ) {
        self.size = size
        self.rate = rate
        self.inputFormat = inputFormat
        self.controls = controls
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
    }
}
