package import Media
internal import Synchronization

/// Cameras behind Video4Linux2.
package final class V4L2Provider: DeviceProvider {
    package static let standard = V4L2Provider()

    package let prefix = "v4l2"
    /// Identities of the nodes seen, to say who left when only the node is known.
    private let seen = Mutex<[String: String]>([:])

    package init() {}

    package func devices(of kind: MediaType) throws(CaptureError) -> [CaptureDevice] {
        guard kind == .video else { return [] }
        let devices = V4L2NodeListing.nodes().compactMap(Self.device)
        seen.withLock { seen in
            for device in devices { if let node = device.node { seen[node] = device.id } }
        }
        return devices
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(CaptureError) -> CaptureDevice? {
        try devices(of: kind).first { device in
            // by its links too: an identity changes when a twin of the device is plugged in
            device.id == "v4l2:\(name)" || device.node == name || device.aliases.contains(name)
                || device.aliases.contains(Self.link(name))
        }
    }

    package func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(CaptureError) -> any CaptureStream {
        V4L2Camera(try V4L2Setup(device, settings: settings), clock: clock)
    }

    package func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(CaptureError) -> any DeviceControlAccess {
        try V4L2ControlAccess(device, exclusively: exclusively)
    }

    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> (any DeviceWatch)? {
        UdevMonitor(subsystem: "video4linux") { [self] change in
            switch change {
            case .added(let node):
                guard let info = V4L2NodeListing.nodes().first(where: { $0.node == node }),
                    let device = Self.device(of: info)
                else { return }
                seen.withLock { $0[node] = device.id }
                handler(.appeared(device))
            case .removed(let node):
                guard let id = seen.withLock({ $0.removeValue(forKey: node) }) else { return }
                handler(.disappeared(id: id))
            }
        }
    }

    /// The link an identity stands for: `by-id:X` is /dev/v4l/by-id/X.
    private static func link(_ identity: String) -> String {
        let parts = identity.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? "/dev/v4l/\(parts[0])/\(parts[1])" : identity
    }

    /// The device behind a node; `nil` when the node itself says it is no camera. udev's own
    /// word is not asked: v4l2loopback with `exclusive_caps=1` is listed as an output even while
    /// a feeder makes it a camera.
    private static func device(of info: V4L2NodeInfo) -> CaptureDevice? {
        var device = CaptureDevice(
            id: info.identity, name: info.label, kind: .video, driver: "v4l2", node: info.node,
            aliases: info.links)
        do throws(V4L2Node.Failure) {
            let node = try V4L2Node(path: info.node)
            let capability = try V4L2Capability(of: node)
            guard capability.isCamera else { return nil }
            device.name = capability.card
            device.driver = capability.driver
            device.formats = V4L2Listing.formats(of: node, capability).map { .video($0) }
        } catch {
            // there but closed to us (permission, busy): listed, so that opening can say why
            if error.function == "open", error.errno != 2, error.errno != 19, error.errno != 6 {
                return device
            }
            return nil
        }
        return device
    }
}
