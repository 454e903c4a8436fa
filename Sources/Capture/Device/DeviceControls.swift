public import Media

/// The controls of one device: list, read, set. Reentrant; each call opens and closes the device.
///
/// Blocks for the time of a few ioctls.
public struct DeviceControls: Sendable {
    public let device: CaptureDevice
    /// What makes its frames the picture in which points of interest lie (default: upright, the frame as the camera
    /// delivers it). Of a session's camera: `CaptureGrant.orientation`.
    public let orientation: VideoOrientation
    private let provider: any DeviceProvider

    /// - Parameters:
    ///   - device: whose controls they are.
    ///   - discovery: what found it.
    ///   - orientation: what makes its frames the picture in which points of interest lie.
    /// - Throws: `MediaError` when nothing knows the device's family.
    public init(
        of device: CaptureDevice, discovery: DeviceDiscovery = DeviceDiscovery(),
        orientation: VideoOrientation = .upright
    ) throws(MediaError) {
        self.device = device
        self.orientation = orientation
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
        try provider.openControls(of: device, exclusively: false).setting(values)
    }

    /// Sets what a camera is to do, in an order that its driver takes: an automatic mode goes off before the value
    /// that it ruled.
    /// - Parameters:
    ///   - settings: later ones win.
    ///   - underlying: what is set where `settings` say nothing of it, as `VideoInputSettings.underlyingSettings`.
    /// - Returns: what the device made of each that was not overruled, in the order given, the underlying ones first.
    /// - Throws: `MediaError` with `invalidSetting` for what the device does not have; then nothing is set.
    @discardableResult
    public func apply(
        _ settings: [CameraSetting], over underlying: [[CameraSetting]] = []
    ) throws(MediaError) -> [GrantedCameraSetting] {
        let access = try provider.openControls(of: device, exclusively: false)
        let plan = try plan(settings, underlying, access.list())
        return plan.granted(by: try access.set(plan.values)).map { $0.shown(orientation) }
    }

    /// What the camera is set to now, as far as there are words for it.
    public func settings() throws(MediaError) -> [CameraSetting] {
        CameraSetting.present(among: try list()).map { $0.shown(orientation) }
    }

    /// What makes the camera again what it is set to now, through `apply`: in units where they say it exactly, and every
    /// other control that can be set and is not ruled by an automatic mode.
    public func restoringSettings() throws(MediaError) -> [CameraSetting] {
        ControlPlan.restoring(try list(), of: device).map { $0.shown(orientation) }
    }

    /// What the device has made of settings that it was given before, when it was opened. Sets nothing.
    /// - Parameters:
    ///   - settings: later ones win.
    ///   - underlying: what was set where `settings` say nothing of it.
    /// - Throws: `MediaError` with `invalidSetting` for what the device does not have.
    public func granted(
        _ settings: [CameraSetting], over underlying: [[CameraSetting]] = []
    ) throws(MediaError) -> [GrantedCameraSetting] {
        let controls = try list()
        return try plan(settings, underlying, controls).granted(by: controls)
            .map { $0.shown(orientation) }
    }

    private func plan(
        _ settings: [CameraSetting], _ underlying: [[CameraSetting]], _ controls: [DeviceControl]
    ) throws(MediaError) -> ControlPlan {
        try ControlPlan(
            settings.map { $0.stored(orientation) },
            over: underlying.map { $0.map { $0.stored(orientation) } }, among: controls, of: device)
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
    ) throws(MediaError) -> [DeviceControl] { try access.setting(values) }
}

extension DeviceControlAccess {
    /// Sets controls, and answers them alone.
    fileprivate func setting(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        let names = Set(values.map(\.name))
        return try set(values).filter { names.contains($0.name) }
    }
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
