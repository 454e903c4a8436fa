package import Media

/// One family of devices: lists them, opens them, watches them come and go. Thread-safe.
package protocol DeviceProvider: Sendable {
    /// What selectors of this family begin with, without the colon
    /// (`v4l2`, `alsa`, `pulse`, `test`, `file`).
    var prefix: String { get }

    /// The devices present, in a stable order. Empty when the family has none of this kind or
    /// its service does not run.
    func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice]

    /// The device that `PREFIX:name` means, also when it is not listed (`alsa:plughw:1,0`,
    /// `file:clip.mp4`, `test:size=640x360`); `nil` when the family has no such device.
    func device(named name: String, kind: MediaType) throws(MediaError) -> CaptureDevice?

    /// What `default` means in this family; `nil` when it has no default of its own.
    func defaultDevice(of kind: MediaType) throws(MediaError) -> CaptureDevice?

    /// Opens a camera. Blocks; never called on Swift's cooperative pool.
    func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream

    /// Opens a microphone. Blocks; never called on Swift's cooperative pool.
    func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream

    /// Whether this program may use a device of the family now; opens none.
    func authorizationStatus(of device: CaptureDevice) -> CaptureAuthorizationStatus

    /// Calls `handler`, on a thread of the family, whenever a device may have come or gone.
    /// The watch lasts until the returned value is released; `nil` when the family cannot watch.
    func watch(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> (any DeviceWatch)?

    /// Opens a device for its controls; exclusively means no other program can configure it
    /// meanwhile.
    func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(MediaError) -> any DeviceControlAccess
}

/// A device opened for its controls; closed when released.
package protocol DeviceControlAccess: AnyObject, Sendable {
    func list() throws(MediaError) -> [DeviceControl]

    /// Sets controls in the order given and answers all that there are, as they are then.
    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl]
}

/// Keeps a provider's watch alive.
package protocol DeviceWatch: AnyObject, Sendable {}

/// A device came or went.
public enum DeviceChange: Sendable, Hashable {
    case appeared(CaptureDevice)
    /// Gone; the identity it had while it was there.
    case disappeared(id: String)
}

extension DeviceProvider {
    package func defaultDevice(of kind: MediaType) throws(MediaError) -> CaptureDevice? { nil }

    package func authorizationStatus(
        of device: CaptureDevice
    ) -> CaptureAuthorizationStatus { .authorized }

    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> (any DeviceWatch)? { nil }

    package func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(MediaError) -> any DeviceControlAccess { NoControls(device: device) }

    package func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream { throw .wrongKind(device, wanted: "camera") }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream { throw .wrongKind(device, wanted: "microphone") }
}

/// The controls of a device that has none.
private final class NoControls: DeviceControlAccess {
    private let device: CaptureDevice

    init(device: CaptureDevice) { self.device = device }

    func list() throws(MediaError) -> [DeviceControl] { [] }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        if let first = values.first { throw .noSuchControl(first.name, on: device, among: []) }
        return []
    }
}

extension MediaError {
    static func wrongKind(_ device: CaptureDevice, wanted: String) -> MediaError {
        MediaError(
            code: .noSuchDevice, subject: device.id,
            message: "\(device.name) (\(device.id)) is not a \(wanted).")
    }
}
