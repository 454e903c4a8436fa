internal import Media

/// A device together with what is wanted of it.
public struct CaptureDeviceInput: Sendable, Hashable {
    public let device: CaptureDevice
    public let settings: Settings

    public enum Settings: Sendable, Hashable {
        case video(VideoInputSettings)
        case audio(AudioInputSettings)
    }

    /// - Precondition: the device is a camera.
    public init(camera device: CaptureDevice, settings: VideoInputSettings = .init()) {
        precondition(device.kind == .video, "\(device.id) is not a camera")
        self.device = device
        self.settings = .video(settings)
    }

    /// - Precondition: the device is a microphone.
    public init(microphone device: CaptureDevice, settings: AudioInputSettings = .init()) {
        precondition(device.kind == .audio, "\(device.id) is not a microphone")
        self.device = device
        self.settings = .audio(settings)
    }
}
