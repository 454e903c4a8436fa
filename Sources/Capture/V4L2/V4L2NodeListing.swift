internal import CUdev
internal import Glibc

/// A video node of the system, before it is asked what it is.
struct V4L2NodeInfo: Sendable, Equatable {
    /// `/dev/video0`.
    let node: String
    /// Links to it, as udev made them.
    let links: [String]
    /// Links udev knows of it that another node may have won: two cameras of one serial number, or
    /// several instances in one port (seen with vivid, udev 252).
    var claims: [String] = []
    /// Links that more than one node claims: they tell nobody apart.
    var shared: Set<String> = []
    /// The name in /sys.
    let label: String

    /// Stable where the hardware allows: by serial number, then by port, then by node.
    var identity: String {
        for folder in ["by-id", "by-path"] {
            let own = links.filter { $0.hasPrefix("/dev/v4l/\(folder)/") && !shared.contains($0) }
            if let link = own.min() {
                return "v4l2:\(folder):\(link.dropFirst("/dev/v4l/\(folder)/".utf8.count))"
            }
        }
        return "v4l2:node:\(node)"
    }

    /// The number in `/dev/videoN`, for order.
    var number: Int { Int(node.drop { !$0.isNumber }) ?? .max }
}

/// All video nodes: by libudev, or by /sys when udev is silent.
enum V4L2NodeListing {
    static func nodes() -> [V4L2NodeInfo] {
        let listed = byUdev()
        var all = listed.isEmpty ? bySystem() : listed
        let claims = Dictionary(grouping: all.flatMap { Set($0.claims) }) { $0 }
        let shared = Set(claims.filter { $0.value.count > 1 }.keys)
        for index in all.indices { all[index].shared = shared }
        return all.filter { access($0.node, F_OK) == 0 }.sorted { $0.number < $1.number }
    }

    private static func byUdev() -> [V4L2NodeInfo] {
        guard let udev = udev_new() else { return [] }
        defer { udev_unref(udev) }
        guard let enumeration = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "video4linux")
        guard udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
        var nodes: [V4L2NodeInfo] = []
        var entry = udev_enumerate_get_list_entry(enumeration)
        while let present = entry {
            defer { entry = udev_list_entry_get_next(present) }
            guard let path = udev_list_entry_get_name(present),
                let device = udev_device_new_from_syspath(udev, path)
            else { continue }
            defer { udev_device_unref(device) }
            if let info = info(of: device) { nodes.append(info) }
        }
        return nodes
    }

    /// `nil` for what has no `/dev/videoN`: radios, sub-devices.
    static func info(of device: OpaquePointer) -> V4L2NodeInfo? {
        guard let name = udev_device_get_devnode(device) else { return nil }
        let node = String(cString: name)
        guard node.hasPrefix("/dev/video") else { return nil }
        var claims: [String] = []
        var entry = udev_device_get_devlinks_list_entry(device)
        while let present = entry {
            if let link = udev_list_entry_get_name(present) {
                claims.append(String(cString: link))
            }
            entry = udev_list_entry_get_next(present)
        }
        let links = claims.filter { pointsTo(node, $0) }.sorted()
        let label = udev_device_get_sysattr_value(device, "name").map { String(cString: $0) }
        return V4L2NodeInfo(
            node: node, links: claims.isEmpty ? linksInFolders(to: node) : links,
            claims: claims, label: label ?? node)
    }

    private static func bySystem() -> [V4L2NodeInfo] {
        let folder = "/sys/class/video4linux"
        return FolderListing.names(in: folder).filter { $0.hasPrefix("video") }.map { name in
            V4L2NodeInfo(
                node: "/dev/\(name)", links: linksInFolders(to: "/dev/\(name)"),
                label: FolderListing.firstLine(of: "\(folder)/\(name)/name") ?? name)
        }
    }

    /// The links under /dev/v4l, when udev's data base does not tell them.
    private static func linksInFolders(to node: String) -> [String] {
        ["/dev/v4l/by-id", "/dev/v4l/by-path"].flatMap { folder in
            FolderListing.names(in: folder).sorted().map { "\(folder)/\($0)" }
                .filter { pointsTo(node, $0) }
        }
    }

    /// Whether a link is this node's now.
    private static func pointsTo(_ node: String, _ link: String) -> Bool {
        let name = FolderListing.linkTarget(link)?.split(separator: "/").last
        return name == node.split(separator: "/").last
    }
}
