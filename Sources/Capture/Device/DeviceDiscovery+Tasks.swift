public import Media

// For tasks: what blocks, on a thread of its own.

extension DeviceDiscovery {
    /// As `devices(of:)`, on a thread of its own.
    public func loadDevices(of kind: MediaType) async throws(MediaError) -> [CaptureDevice] {
        try await NamedThread.run("vcap-devices") { () throws(MediaError) in
            try devices(of: kind)
        }
    }

    /// As `find(_:kind:)`, on a thread of its own.
    public func loadDevice(
        _ selector: String, kind: MediaType
    ) async throws(MediaError) -> CaptureDevice {
        try await NamedThread.run("vcap-devices") { () throws(MediaError) in
            try find(selector, kind: kind)
        }
    }
}

extension DeviceControls {
    /// As `list()`, on a thread of its own.
    public func loadControls() async throws(MediaError) -> [DeviceControl] {
        try await NamedThread.run("vcap-controls") { () throws(MediaError) in try list() }
    }

    /// As `control(named:)`, on a thread of its own.
    public func loadControl(named name: String) async throws(MediaError) -> DeviceControl {
        try await NamedThread.run("vcap-controls") { () throws(MediaError) in
            try control(named: name)
        }
    }

    /// As `set(_:)`, on a thread of its own.
    @discardableResult
    public func setControls(
        _ values: [(name: String, value: Int64)]
    ) async throws(MediaError) -> [DeviceControl] {
        try await NamedThread.run("vcap-controls") { () throws(MediaError) in try set(values) }
    }

    /// As `apply(_:)`, on a thread of its own.
    /// - Parameter settings: later ones win.
    @discardableResult
    public func applySettings(
        _ settings: [CameraSetting]
    ) async throws(MediaError) -> [GrantedCameraSetting] {
        try await NamedThread.run("vcap-controls") { () throws(MediaError) in
            try apply(settings)
        }
    }

    /// As `withExclusiveConfiguration(_:)`; `body` runs on a thread of its own, too.
    public func runExclusiveConfiguration<Result: Sendable>(
        _ body: @escaping @Sendable (ExclusiveConfiguration) throws(MediaError) -> Result
    ) async throws(MediaError) -> Result {
        try await NamedThread.run("vcap-controls") { () throws(MediaError) in
            try withExclusiveConfiguration(body)
        }
    }
}
