public import Media

/// The controls of one device: list, read, set. Reentrant; each call opens and closes the device.
///
/// Blocks for the time of a few ioctls.
public struct DeviceControls: Sendable {
    public let device: CaptureDevice
    private let provider: any DeviceProvider

    /// - Throws: `MediaError` when nothing knows the device's family.
    public init(
        of device: CaptureDevice, discovery: DeviceDiscovery = DeviceDiscovery()
    ) throws(MediaError) {
        self.device = device
        provider = try discovery.provider(of: device)
    }

    /// All controls with ranges, defaults, menus and present values, as the driver orders them.
    public func list() throws(MediaError) -> [DeviceControl] {
        try provider.openControls(of: device, exclusively: false).list()
    }

    /// One control by its V4L2 name.
    public func control(named name: String) throws(MediaError) -> DeviceControl {
        let all = try list()
        guard let control = all.first(where: { $0.name == name }) else {
            throw .noSuchControl(name, on: device, among: all.map(\.name))
        }
        return control
    }

    /// Sets controls in the order given and answers them as the device took them.
    /// - Throws: `MediaError` with `invalidSetting` for a name or value the device does not have.
    @discardableResult
    public func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        try provider.openControls(of: device, exclusively: false).set(values)
    }

    /// Keeps every other program from configuring the device while `body` runs (V4L2 priority
    /// "record"): `lockForConfiguration` in effect.
    /// - Throws: what `body` throws, or `deviceBusy` when another program has that priority.
    public func withExclusiveConfiguration<Result>(
        _ body: (ExclusiveConfiguration) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let access = try provider.openControls(of: device, exclusively: true)
        return try body(ExclusiveConfiguration(access: access))
    }
}

/// The controls of a device that nobody else can configure now. Valid only inside
/// `DeviceControls.withExclusiveConfiguration`.
public struct ExclusiveConfiguration {
    let access: any DeviceControlAccess

    /// As `DeviceControls.list`.
    public func list() throws(MediaError) -> [DeviceControl] { try access.list() }

    /// As `DeviceControls.set`.
    @discardableResult
    public func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] { try access.set(values) }
}

extension MediaError {
    static func noSuchControl(
        _ name: String, on device: CaptureDevice, among names: [String]
    ) -> MediaError {
        let list = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return MediaError(
            code: .invalidSetting, subject: name,
            message: "\(device.name) has no control \(name); \(list).")
    }
}
