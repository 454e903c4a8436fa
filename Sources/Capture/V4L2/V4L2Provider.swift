internal import Glibc
package import Media

/// Cameras behind Video4Linux2.
package final class V4L2Provider: DeviceProvider {
    package static let standard = V4L2Provider()

    package let prefix = "v4l2"

    package init() {}

    package func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] {
        guard kind == .video else { return [] }
        return V4L2NodeListing.nodes().compactMap(Self.device)
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        let link = DeviceLinks.link(name, under: V4L2NodeInfo.linkRoot)
        let present = try devices(of: kind)
        let exact = present.first { $0.id == "v4l2:\(name)" || $0.node == name }
        if let exact { return exact }
        // by its links too: an identity changes when a twin of the device is plugged in
        let linked = present.filter { device in
            device.aliases.contains(name) || link.map(device.aliases.contains) ?? false
        }
        guard linked.count < 2 else {
            throw DeviceSelector(text: "v4l2:\(name)", kind: kind).ambiguous(linked)
        }
        return linked.first
    }

    package func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        V4L2Camera(try V4L2Setup(device, settings: settings), clock: clock)
    }

    package func authorizationStatus(
        of device: CaptureDevice
    ) -> CaptureAuthorizationStatus {
        guard let node = device.node, DeviceNodeAccess.isClosed(node) else { return .authorized }
        let refusal = V4L2Node.Failure(function: "open", errno: EACCES)
        return .denied(MediaError.v4l2(refusal, on: device, doing: "open").message)
    }

    package func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(MediaError) -> any DeviceControlAccess {
        try V4L2ControlAccess(device, exclusively: exclusively)
    }

    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> (any DeviceWatch)? {
        let family = UdevWatch.Family(
            subsystem: "video4linux",
            identities: {
                let nodes = V4L2NodeListing.nodes().map { ($0.node, $0.identity) }
                return Dictionary(nodes) { first, _ in first }
            },
            describe: { node in
                V4L2NodeListing.nodes().first { $0.node == node }.flatMap(Self.device)
            })
        return UdevWatch(family, handler: handler)
    }

    /// The device behind a node; `nil` when the node itself says it is no camera. udev's own
    /// word is not asked: v4l2loopback with `exclusive_caps=1` is listed as an output even while
    /// a feeder makes it a camera.
    private static func device(of info: V4L2NodeInfo) -> CaptureDevice? {
        var device = CaptureDevice(
            id: info.identity, name: info.label, kind: .video, driver: "v4l2", node: info.node,
            aliases: info.links.names)
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
