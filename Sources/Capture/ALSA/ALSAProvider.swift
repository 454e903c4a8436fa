internal import CALSA
package import Media

/// Microphones through ALSA: `alsa:hw:CARD=id,DEV=n`, by number, by udev's link, or any PCM of the
/// user's configuration.
package struct ALSAProvider: DeviceProvider {
    package var prefix: String { "alsa" }

    package init() {}

    package func devices(of kind: MediaType) throws(CaptureError) -> [CaptureDevice] {
        guard kind == .audio else { return [] }
        return ALSACards.present().captureDevices.map { $0.captureDevice(withFormats: true) }
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(CaptureError) -> CaptureDevice? {
        guard kind == .audio, !name.isEmpty else { return nil }
        let cards = ALSACards.present()
        if let listed = cards.device(named: name) {
            return listed.captureDevice(withFormats: true)
        }
        let wanted = ALSADeviceName(name)
        if let card = wanted.card, cards.card(named: card) == nil {
            throw ALSAFailure.missing("alsa:\(name)")
        }
        if name.hasPrefix("by-") { throw ALSAFailure.missing("alsa:\(name)") }
        return CaptureDevice(
            id: "alsa:\(name)", name: "ALSA \(name)", kind: .audio, driver: "alsa", node: name)
    }

    /// libasound's own default, when there is anything to record from.
    package func defaultDevice(of kind: MediaType) throws(CaptureError) -> CaptureDevice? {
        guard kind == .audio, !ALSACards.present().captureDevices.isEmpty else { return nil }
        return try device(named: "default", kind: kind)
    }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(CaptureError) -> any CaptureStream {
        let name = String(device.id.dropFirst(prefix.utf8.count + 1))
        // the identity may be udev's link: libasound wants the card
        let pcm = ALSACards.present().device(named: name)?.pcmName ?? name
        return try ALSAStream(
            opening: ALSADeviceName(pcm), settings: settings, clock: clock)
    }
}

extension ALSACards {
    /// A listed device by what stands after `alsa:`.
    func device(named name: String) -> CaptureDevice? {
        captureDevices.first { $0.id == "alsa:\(name)" || $0.names.contains(name) }
    }
}

extension ALSACards.CaptureDevice {
    /// What selects it besides its identity.
    var names: [String] {
        var names = ["hw:\(card.id),\(device)", pcmName]
        if let link = card.link { names.append("\(link),\(device)") }
        if device == 0 {
            names += ["hw:CARD=\(card.id)", "hw:\(card.id)", "hw:\(card.number)"]
            if let link = card.link { names.append(link) }
        }
        return names
    }

    /// As a value for listings; a device in use lists no formats.
    func captureDevice(withFormats: Bool) -> CaptureDevice {
        CaptureDevice(
            id: id, name: name, kind: .audio, driver: card.driver, node: pcmName,
            aliases: names.filter { $0 != pcmName } + names.map { "alsa:\($0)" },
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
