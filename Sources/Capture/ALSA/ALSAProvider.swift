internal import CALSA
internal import Glibc
package import Media

/// Microphones through ALSA: `alsa:hw:CARD=id,DEV=n`, by number, by udev's link, or any PCM of the
/// user's configuration.
package struct ALSAProvider: DeviceProvider {
    package var prefix: String { "alsa" }

    package init() {}

    package func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] {
        guard kind == .audio else { return [] }
        return ALSACards.present().captureDevices.map { $0.captureDevice(withFormats: true) }
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        guard kind == .audio, !name.isEmpty else { return nil }
        let cards = ALSACards.present()
        let listed = cards.devices(named: name)
        guard listed.count < 2 else {
            throw DeviceSelector(text: "alsa:\(name)", kind: kind)
                .ambiguous(listed.map { $0.captureDevice(withFormats: false) })
        }
        if let only = listed.first { return only.captureDevice(withFormats: true) }
        let wanted = ALSADeviceName(name)
        let isMissing = wanted.card.map { cards.card(named: $0) == nil } ?? false
        if isMissing || name.hasPrefix("by-") { throw ALSAFailure.missing("alsa:\(name)") }
        return CaptureDevice(
            id: "alsa:\(name)", name: "ALSA \(name)", kind: .audio, driver: "alsa", node: name)
    }

    /// libasound's own default, when there is anything to record from.
    package func defaultDevice(of kind: MediaType) throws(MediaError) -> CaptureDevice? {
        guard kind == .audio, !ALSACards.present().captureDevices.isEmpty else { return nil }
        return try device(named: "default", kind: kind)
    }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        let name = String(device.id.dropFirst(prefix.utf8.count + 1))
        // the identity is udev's link where there is one: libasound wants the card
        let listed = ALSACards.present().device(named: name)
        if listed == nil, name.hasPrefix("by-") { throw ALSAFailure.missing(device.id) }
        try settings.validate()
        let driver = try ALSADriver(
            ALSADeviceName(listed?.pcmName ?? name), settings: settings, clock: clock)
        return MicrophoneStream(driver, clock: clock)
    }

    package func authorizationStatus(
        of device: CaptureDevice
    ) -> CaptureAuthorizationStatus {
        let cards = ALSACards.present()
        let name = String(device.id.dropFirst(prefix.utf8.count + 1))
        let wanted = ALSADeviceName(cards.device(named: name)?.pcmName ?? name)
        guard let card = wanted.card.flatMap({ cards.card(named: $0) }),
            DeviceNodeAccess.isClosed("/dev/snd/pcmC\(card.number)D\(wanted.device)c")
        else { return .authorized }
        return .denied(ALSAFailure.opening(wanted, error: EACCES).message)
    }

    package func watch(
        _ handler: @escaping @Sendable (DeviceChange) -> Void
    ) -> (any DeviceWatch)? {
        let family = UdevWatch.Family(
            subsystem: "sound",
            // the kernel announces a card's parts before it lists the card
            settling: .milliseconds(100),
            identities: {
                let devices = ALSACards.present().captureDevices.map { ($0.node, $0.id) }
                return Dictionary(devices) { first, _ in first }
            },
            describe: { node in
                ALSACards.present().captureDevices.first { $0.node == node }?
                    .captureDevice(withFormats: true)
            })
        return UdevWatch(family, handler: handler)
    }
}

extension ALSACards {
    /// The listed devices that what stands after `alsa:` means: several where twins share a link.
    func devices(named name: String) -> [CaptureDevice] {
        if let exact = captureDevices.first(where: { $0.id == "alsa:\(name)" }) { return [exact] }
        return captureDevices.filter { $0.names.contains(name) }
    }

    /// A listed device by what stands after `alsa:`; nil: none is meant, or several are.
    func device(named name: String) -> CaptureDevice? {
        let found = devices(named: name)
        return found.count == 1 ? found[0] : nil
    }
}

extension ALSACards.CaptureDevice {
    /// What selects it besides its identity: ALSA's words, and the links of its card.
    var names: [String] {
        var cards = ["hw:CARD=\(card.id)", "hw:\(card.id)", "hw:\(card.number)"]
        for link in card.links.names {
            let name = link.dropFirst(ALSACards.linkRoot.utf8.count + 1)
            let identity = name.split(separator: "/", maxSplits: 1).joined(separator: ":")
            cards += [identity, String(name), link]
        }
        return cards.flatMap { card in
            [",DEV=\(device)", ",\(device)"].map { card + $0 } + (device == 0 ? [card] : [])
        }
    }

    /// As a value for listings; a device in use lists no formats.
    func captureDevice(withFormats: Bool) -> CaptureDevice {
        CaptureDevice(
            id: id, name: name, kind: .audio, driver: card.driver, node: pcmName,
            aliases: names.filter { $0 != pcmName },
            formats: withFormats ? formats : [])
    }

    private var formats: [CaptureDeviceFormat] {
        guard let pcm = try? ALSAPCM(opening: ALSADeviceName(pcmName)) else { return [] }
        let listed = pcm.withHandle { handle -> ALSACapabilities? in
            try? ALSAHardware(of: handle, subject: id).capabilities()
        }
        guard let capabilities = listed ?? nil else { return [] }
        return capabilities.captureFormats
    }
}

extension ALSACapabilities {
    /// One entry for each format vcap receives.
    var captureFormats: [CaptureDeviceFormat] {
        var formats: [AudioSampleFormat] = []
        for layout in layouts where !formats.contains(layout.sampleFormat) {
            formats.append(layout.sampleFormat)
        }
        let steps = usualRates.isEmpty ? [rates] : usualRates.map { $0...$0 }
        return formats.map {
            .audio(
                AudioCaptureFormat(sampleFormat: $0, sampleRates: steps, channels: channels))
        }
    }
}
