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

    func find(_ selector: String, _ kind: MediaType) throws(CaptureError) -> CaptureDevice {
        try discovery.find(aliases[selector] ?? selector, kind: kind)
    }

    /// The camera meant when none is named: the first one that is real.
    func firstCamera() throws(CommandFailure) -> CaptureDevice {
        let cameras: [CaptureDevice]
        do throws(CaptureError) { cameras = try discovery.devices(of: .video) } catch {
            throw CommandFailure(error)
        }
        if let camera = cameras.first(where: DeviceChoice.isReal) { return camera }
        throw CommandFailure(
            .noDevice,
            "there is no camera: plug one in, or record the built-in test picture with -c test:")
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
