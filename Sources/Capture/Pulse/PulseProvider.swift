package import Media

/// Microphones and monitors of a PulseAudio server, or of PipeWire's.
package struct PulseProvider: DeviceProvider {
    package var prefix: String { "pulse" }

    private let server: String?

    /// - Parameter server: libpulse's address of a server; `nil` is the user's.
    package init(server: String? = nil) { self.server = server }

    /// Empty when no server runs: that is not an error.
    package func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] {
        guard kind == .audio, let list = try? load("pulse:") else { return [] }
        return list.ordered.map { $0.captureDevice(isDefault: $0.name == list.defaultName) }
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        guard kind == .audio else { return nil }
        let list = try load("pulse:\(name)")
        guard let source = list.source(named: name) else {
            throw PulseFailure.missing("pulse:\(name)", present: list.ordered)
        }
        return source.captureDevice(isDefault: source.name == list.defaultName)
    }

    /// The server's default source; `nil` when no server runs or it has no source.
    package func defaultDevice(of kind: MediaType) throws(MediaError) -> CaptureDevice? {
        guard kind == .audio, let list = try? load("pulse:default") else { return nil }
        return list.source(named: "default")?.captureDevice(isDefault: true)
    }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        try settings.validate()
        let halt = WakeSignal()
        let recorder = try PulseRecorder(
            sourceName: String(device.id.dropFirst(prefix.utf8.count + 1)), server: server,
            settings: settings, clock: clock, wake: halt)
        return MicrophoneStream(recorder, clock: clock, halt: halt)
    }

    /// A server that does not answer gives nobody anything.
    package func authorizationStatus(
        of device: CaptureDevice
    ) -> CaptureAuthorizationStatus {
        do throws(MediaError) {
            _ = try PulseConnection(subject: device.id, server: server, clock: HostClock())
            return .authorized
        } catch {
            return .denied(error.message)
        }
    }

    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> (any DeviceWatch)? {
        PulseWatch(server: server, clock: HostClock(), handler: handler)
    }

    private func load(_ subject: String) throws(MediaError) -> PulseSourceList {
        try PulseSourceList.load(
            from: PulseConnection(subject: subject, server: server, clock: HostClock()))
    }
}
