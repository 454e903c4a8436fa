/// The controls of one device: list, read, set. Reentrant; each call opens and closes the device.
///
/// Blocks for the time of a few ioctls; not for Swift's cooperative pool when the device is slow.
public struct DeviceControls: Sendable {
    public let device: CaptureDevice
    private let provider: any DeviceProvider

    /// - Throws: `CaptureError` when nothing knows the device's family.
    public init(
        of device: CaptureDevice, discovery: DeviceDiscovery = DeviceDiscovery()
    ) throws(CaptureError) {
        self.device = device
        provider = try discovery.provider(of: device)
    }

    /// All controls with ranges, defaults, menus and present values, as the driver orders them.
    public func list() throws(CaptureError) -> [DeviceControl] {
        try provider.controls(of: device)
    }

    /// One control by its V4L2 name.
    public func control(named name: String) throws(CaptureError) -> DeviceControl {
        let all = try list()
        guard let control = all.first(where: { $0.name == name }) else {
            throw .noSuchControl(name, on: device, among: all.map(\.name))
        }
        return control
    }

    /// Sets controls in the order given and answers them as the device took them.
    /// - Throws: `CaptureError` with `invalidSetting` for a name or value the device does not have.
    @discardableResult
    public func set(
        _ values: [(name: String, value: Int64)]
    ) throws(CaptureError) -> [DeviceControl] {
        try provider.setControls(values, on: device)
    }
}

extension CaptureError {
    static func noSuchControl(
        _ name: String, on device: CaptureDevice, among names: [String]
    ) -> CaptureError {
        let list = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return CaptureError(
            code: .invalidSetting, subject: name,
            message: "\(device.name) has no control \(name); \(list).")
    }
}
