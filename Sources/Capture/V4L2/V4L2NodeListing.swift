internal import Glibc

/// A video node of the system, before it is asked what it is.
struct V4L2NodeInfo: Sendable, Equatable {
    static let linkRoot = "/dev/v4l"

    /// `/dev/video0`.
    let node: String
    /// The name in /sys.
    let label: String
    let links: DeviceLinks

    /// Stable where the hardware allows: by serial number, then by port, then by node.
    var identity: String { "v4l2:\(links.identity(under: Self.linkRoot) ?? "node:\(node)")" }

    /// The number in `/dev/videoN`, for order.
    var number: Int { Int(node.drop { !$0.isNumber }) ?? .max }
}

/// All video nodes; radios and sub-devices, which have no `/dev/videoN`, are left out.
enum V4L2NodeListing {
    static func nodes() -> [V4L2NodeInfo] {
        let devices = UdevDevice.present(in: "video4linux")
            .filter { $0.node.hasPrefix("/dev/video") && access($0.node, F_OK) == 0 }
        let links = DeviceLinks.byNode(of: devices, under: V4L2NodeInfo.linkRoot)
        return devices.map { device in
            V4L2NodeInfo(
                node: device.node, label: device.name, links: links[device.node] ?? DeviceLinks())
        }.sorted { $0.number < $1.number }
    }
}
