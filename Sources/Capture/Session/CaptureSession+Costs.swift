internal import Media

/// Every session may have any number of cameras: this is the name under which AVFoundation has what costs they have
/// together (`hardwareCost`, `usbBuses`; `Rehearsal` measures the rest).
public typealias MultiCameraSession = CaptureSession

extension CaptureSession {
    /// The USB buses that cameras of the session are on, and what they take of them, in the order of their numbers. Of
    /// cameras that stream it is what the kernel has reserved for them, of others what their format needs; cameras that
    /// are on no USB bus are in none.
    public var usbBuses: [USBBusCost] {
        USBBusCost.costs(of: grants) { device in device.node.flatMap { USBLink(node: $0) } }
    }

    /// The fullest USB bus: above 1 its cameras cannot stream together, and `start` will say so. 0 without USB cameras.
    public var hardwareCost: Double { usbBuses.map(\.share).max() ?? 0 }
}

extension USBBusCost {
    /// - Parameter link: where a device is plugged in; `nil` for one that is on no USB bus.
    static func costs(
        of grants: [CaptureGrant], link: (CaptureDevice) -> USBLink?
    ) -> [USBBusCost] {
        var buses: [Int: USBBusCost] = [:]
        for grant in grants {
            guard let format = grant.format.video, let link = link(grant.device) else { continue }
            let demand = format.busDemand
            let camera = Camera(
                origin: grant.device.origin,
                bytesPerSecond: link.reserved ?? demand.bytesPerSecond,
                basis: link.reserved == nil ? demand.basis : .reserved)
            buses[link.bus, default: USBBusCost(bus: link.bus, speed: link.busSpeed, cameras: [])]
                .cameras.append(camera)
        }
        return buses.values.sorted { $0.bus < $1.bus }
    }
}
