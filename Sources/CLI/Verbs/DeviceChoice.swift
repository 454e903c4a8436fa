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

    /// Movies that are played as devices: they are read, and never written over.
    /// - Parameter selectors: as typed.
    static func files(_ selectors: [String?], aliases: [String: String]) -> [String] {
        selectors.compactMap(\.self).compactMap { selector in
            let text = aliases[selector] ?? selector
            return text.hasPrefix("file:") ? String(text.dropFirst("file:".count)) : nil
        }
    }

    func find(_ selector: String, _ kind: MediaType) throws(MediaError) -> CaptureDevice {
        try discovery.find(aliases[selector] ?? selector, kind: kind)
    }

    /// The camera of a recording that words mean, as they do everywhere: a number is its place in `vcap devices`.
    func find(
        _ selector: String, among cameras: [CaptureDevice]
    ) async throws -> CaptureDevice {
        let words = aliases[selector] ?? selector
        do throws(MediaError) {
            if Int(words) != nil {
                let listed = try await discovery.loadDevice(words, kind: .video)
                if let camera = cameras.first(where: { $0.id == listed.id }) { return camera }
                throw MediaError(
                    code: .noSuchDevice, subject: words, message: "It is another one.")
            }
            return try DeviceSelector(text: words, kind: .video).choose(from: cameras)
        } catch {
            let why =
                error.code == .ambiguousDevice
                ? "\"\(selector)\" means more than one camera"
                : "no camera \"\(selector)\" is recorded"
            throw CommandFailure(.usage, "\(why); \(Self.list(cameras))")
        }
    }

    private static func list(_ cameras: [CaptureDevice]) -> String {
        "recorded are " + cameras.map(name).joined(separator: ", ")
    }

    private static func name(_ camera: CaptureDevice) -> String {
        "\(camera.name) (\(camera.node ?? camera.id))"
    }

    /// What a camera is looked for, which decides what can be done without one.
    enum Purpose: String {
        case recording = "record audio only with -c none"
        case photo = "see vcap devices"
        case formats = "list a microphone's formats with -a"
        case controls = "use vcap devices to see what there is"
    }

    /// The camera meant when none is named: the first one that is real and shows light, not distances, or the other way
    /// where depth is spoken of; else the first one that is real.
    /// - Parameter wanted: how it will be opened.
    func firstCamera(
        for purpose: Purpose = .recording, wanted: VideoInputSettings = .init()
    ) throws(MediaError) -> CaptureDevice {
        let cameras = try discovery.devices(of: .video).filter(DeviceChoice.isReal)
        let meant = cameras.first {
            ($0.depth(with: wanted) != nil) == (wanted.depth != nil)
        }
        if let camera = meant ?? cameras.first { return camera }
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
