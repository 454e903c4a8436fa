public import Media

/// Finds cameras and microphones of all families. Thread-safe.
///
/// Listing opens devices for a moment; it blocks for milliseconds a device.
public struct DeviceDiscovery: Sendable {
    private let providers: [any DeviceProvider]

    /// Looks in every family this build knows.
    public init() { self.init(providers: ProviderRegistry.standard) }

    package init(providers: [any DeviceProvider]) { self.providers = providers }

    /// The devices present, in a stable order; their place in it is their number.
    public func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] {
        var all: [CaptureDevice] = []
        for provider in providers { all += try provider.devices(of: kind) }
        return all
    }

    /// The one device a person's words mean: its number in the list, its path, identity or alias,
    /// or a part of its name; `default`; or `FAMILY:…` in that family's own words.
    /// - Throws: `MediaError` with `noSuchDevice` listing those present, or `ambiguousDevice`
    ///   listing the candidates.
    public func find(_ selector: String, kind: MediaType) throws(MediaError) -> CaptureDevice {
        if let device = try named(selector, kind: kind) { return device }
        if selector == "default" { return try defaultDevice(of: kind) }
        return try DeviceSelector(text: selector, kind: kind).choose(from: devices(of: kind))
    }

    /// What `default` means: the first family's default, else the first device there is.
    private func defaultDevice(of kind: MediaType) throws(MediaError) -> CaptureDevice {
        for provider in providers {
            if let device = try provider.defaultDevice(of: kind) { return device }
        }
        guard let first = try devices(of: kind).first else {
            throw DeviceSelector(text: "default", kind: kind).nothingFits(present: [])
        }
        return first
    }

    private func named(
        _ selector: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        for provider in providers where selector.hasPrefix(provider.prefix + ":") {
            let name = String(selector.dropFirst(provider.prefix.utf8.count + 1))
            return try provider.device(named: name, kind: kind)
        }
        return nil
    }

    /// Devices coming and going, from now on, until the sequence is released.
    public func changes() -> AsyncStream<DeviceChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let watches = watch { _ = continuation.yield($0) }
            continuation.onTermination = { _ in _ = watches }
        }
    }

    /// Calls back on the families' threads until the watches are released.
    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> [any DeviceWatch] {
        providers.compactMap { $0.watch(handler) }
    }

    /// The family that opens a device: the one its identity begins with.
    package func provider(of device: CaptureDevice) throws(MediaError) -> any DeviceProvider {
        guard let provider = providers.first(where: { device.id.hasPrefix($0.prefix + ":") })
        else {
            throw MediaError(
                code: .noSuchDevice, subject: device.id,
                message: "No driver family of this build opens \(device.id); "
                    + "it knows \(providers.map(\.prefix).joined(separator: ", ")).")
        }
        return provider
    }
}
