internal import CUdev

/// A device node as libudev lists it. Without a running udevd libudev reads /sys alone: the nodes
/// are the same, only their links are not known.
struct UdevDevice: Sendable, Equatable {
    /// `/dev/video0`, `/dev/snd/controlC1`.
    let node: String
    /// What the kernel calls it in /sys; the node when it has no name there.
    let name: String
    /// Links udev knows of it, also those another node may have won.
    let claims: [String]

    /// Every node of a subsystem (`video4linux`, `sound`); none when libudev cannot be had.
    static func present(in subsystem: String) -> [UdevDevice] {
        guard let udev = udev_new() else { return [] }
        defer { udev_unref(udev) }
        guard let enumeration = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, subsystem)
        guard udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
        var devices: [UdevDevice] = []
        var entry = udev_enumerate_get_list_entry(enumeration)
        while let present = entry {
            defer { entry = udev_list_entry_get_next(present) }
            guard let path = udev_list_entry_get_name(present),
                let device = udev_device_new_from_syspath(udev, path)
            else { continue }
            defer { udev_device_unref(device) }
            if let known = UdevDevice(device) { devices.append(known) }
        }
        return devices
    }

    /// `nil` for what has no node.
    private init?(_ device: OpaquePointer) {
        guard let name = udev_device_get_devnode(device) else { return nil }
        node = String(cString: name)
        self.name =
            udev_device_get_sysattr_value(device, "name").map { String(cString: $0) } ?? node
        var claims: [String] = []
        var entry = udev_device_get_devlinks_list_entry(device)
        while let present = entry {
            if let link = udev_list_entry_get_name(present) {
                claims.append(String(cString: link))
            }
            entry = udev_list_entry_get_next(present)
        }
        self.claims = claims
    }

    init(node: String, name: String, claims: [String]) {
        self.node = node
        self.name = name
        self.claims = claims
    }
}
