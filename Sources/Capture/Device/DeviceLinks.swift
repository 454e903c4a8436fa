internal import Media

/// udev's links to one device under a folder such as /dev/v4l or /dev/snd: names that follow the
/// hardware or its port, not the order of plugging.
struct DeviceLinks: Sendable, Equatable {
    /// Those that point to it now, with their folders.
    var links: [String] = []
    /// Links that another device claims as well: two of one serial number, or several in one port
    /// (seen with vivid, udev 252). They distinguish nobody.
    var shared: Set<String> = []
    /// Of those the ones that this device claims, wherever they point.
    var claimed: [String] = []

    /// What selects the device: its own links, and those that it shares, so that naming one of these asks
    /// which device is meant. A link that two claim points to the one announced last, another one after each boot.
    var names: [String] { links.filter { !shared.contains($0) } + claimed }

    private static let folders = ["by-id", "by-path"]

    /// Stable where the hardware allows: `by-id:NAME` by its serial number, else `by-path:NAME` by
    /// its port; `nil` where neither is its own.
    /// - Parameter root: the folder without a slash at its end.
    func identity(under root: String) -> String? {
        for folder in Self.folders {
            let start = "\(root)/\(folder)/"
            let own = links.filter { $0.hasPrefix(start) && !shared.contains($0) }
            if let link = own.min() { return "\(folder):\(link.dropFirst(start.utf8.count))" }
        }
        return nil
    }

    /// The link an identity stands for: `by-id:X` is ROOT/by-id/X.
    static func link(_ identity: some StringProtocol, under root: String) -> String? {
        let parts = identity.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, folders.contains(String(parts[0])) else { return nil }
        return "\(root)/\(parts[0])/\(parts[1])"
    }

    /// The links of each device, by its node.
    /// - Parameter isCurrent: whether a link points to a node now.
    static func byNode(
        of devices: [UdevDevice], under root: String,
        isCurrent: (_ link: String, _ node: String) -> Bool = pointsTo
    ) -> [String: DeviceLinks] {
        let claims = Dictionary(grouping: devices.flatMap { Set($0.claims) }) { $0 }
        let shared = Set(claims.filter { $0.value.count > 1 }.keys)
        // links without udev's data base: what a udevd that is gone has left in the folders
        let left = devices.allSatisfy(\.claims.isEmpty) ? existing(under: root) : []
        return devices.reduce(into: [:]) { all, device in
            let known = device.claims.isEmpty ? left : device.claims
            let links = known.filter { isCurrent($0, device.node) }.sorted()
            let claimed = Set(device.claims).intersection(shared).sorted()
            all[device.node] = DeviceLinks(links: links, shared: shared, claimed: claimed)
        }
    }

    private static func existing(under root: String) -> [String] {
        folders.flatMap { folder in
            FolderListing.names(in: "\(root)/\(folder)").map { "\(root)/\(folder)/\($0)" }
        }
    }

    private static func pointsTo(_ link: String, _ node: String) -> Bool {
        let name = FolderListing.linkTarget(link)?.split(separator: "/").last
        return name == node.split(separator: "/").last
    }
}
