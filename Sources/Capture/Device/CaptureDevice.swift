public import Media

/// A camera or microphone as it was when it was listed. A value: it does not open the device.
public struct CaptureDevice: Sendable, Hashable {
    /// Stable identity across reboots and ports where the hardware allows
    /// (`v4l2:by-id:…`, `alsa:hw:CARD=…`, `pulse:…`, `test:`, `file:…`).
    public var id: String
    /// What a person calls it.
    public var name: String
    public var kind: MediaType
    /// The driver or interface behind it (`uvcvideo`, `snd_usb_audio`, `pulse`, `test`).
    public var driver: String
    /// The path or address it is opened by now (`/dev/video0`, `hw:1,0`); may change on replug.
    public var node: String?
    /// Other words that select it (links under /dev/v4l, card numbers).
    public var aliases: [String]
    /// What it can deliver, as the driver lists it. Empty when the driver does not list.
    public var formats: [CaptureDeviceFormat]

    public init(
        id: String, name: String, kind: MediaType, driver: String, node: String? = nil,
        aliases: [String] = [], formats: [CaptureDeviceFormat] = []
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.driver = driver
        self.node = node
        self.aliases = aliases
        self.formats = formats
    }

    /// The identity samples of this device carry.
    public var origin: SourceOrigin {
        SourceOrigin(identifier: id, name: name, driver: driver)
    }
}
