import Capture
import Media

/// Finds the device a person's words mean, aliases of the configuration included.
struct DeviceChoice: Sendable {
    let discovery: DeviceDiscovery
    let aliases: [String: String]

    init(discovery: DeviceDiscovery = DeviceDiscovery(), aliases: [String: String]) {
        self.discovery = discovery
        self.aliases = aliases
    }

    func find(_ selector: String, _ kind: MediaType) throws(MediaError) -> CaptureDevice {
        try discovery.find(aliases[selector] ?? selector, kind: kind)
    }

    /// What a camera is looked for, which decides what can be done without one.
    enum Purpose: String {
        case recording = "record audio only with -c none"
        case photo = "see vcap devices"
        case formats = "list a microphone's formats with -a"
        case controls = "use vcap devices to see what there is"
    }

    /// The camera meant when none is named: the first one that is real.
    func firstCamera(for purpose: Purpose = .recording) throws(MediaError) -> CaptureDevice {
        let cameras = try discovery.devices(of: .video)
        if let camera = cameras.first(where: DeviceChoice.isReal) { return camera }
        throw MediaError(
            code: .noSuchDevice, subject: "camera",
            message: "There is no camera: plug one in, use the built-in one with -c test:, or "
                + "\(purpose.rawValue).")
    }

    /// The microphone meant when none is named; `nil` when there is none.
    func defaultMicrophone() -> CaptureDevice? {
        guard let device = try? discovery.find("default", kind: .audio),
            DeviceChoice.isReal(device)
        else { return nil }
        return device
    }

    /// Whether there is hardware or a service behind the device.
    static func isReal(_ device: CaptureDevice) -> Bool {
        !device.id.hasPrefix("test:") && !device.id.hasPrefix("file:")
    }
}
