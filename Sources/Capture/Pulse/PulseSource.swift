internal import CPulse
internal import Media

/// A source of a sound server as it was when it was listed.
struct PulseSource: Sendable, Equatable {
    /// The server's number for it, never given twice.
    var index: UInt32
    /// The server's name for it: what `pulse:` takes.
    var name: String
    /// What a person calls it.
    var description: String
    /// Whether it records what a sink plays.
    var isMonitor: Bool
    /// The server's module behind it.
    var driver: String
    var sampleFormat: AudioSampleFormat
    /// Frames per second (Hz).
    var rate: Int
    var channels: Int

    /// What is asked of the server: what it has, unless set otherwise; the server converts.
    func choose(_ settings: AudioInputSettings) -> AudioFormat {
        AudioFormat(
            coding: .raw(sampleFormat), sampleRate: settings.sampleRate ?? rate,
            channels: settings.channels ?? min(channels, 2))
    }

    func captureDevice(isDefault: Bool) -> CaptureDevice {
        let format = AudioCaptureFormat(
            sampleFormat: sampleFormat, sampleRates: [rate...rate], channels: channels...channels)
        return CaptureDevice(
            id: "pulse:\(name)", name: description, kind: .audio, driver: driver, node: name,
            aliases: isDefault ? ["pulse:default"] : [], formats: [.audio(format)])
    }
}

extension PulseSource {
    init(_ info: pa_source_info) {
        let name = info.name.map { String(cString: $0) } ?? ""
        index = info.index
        self.name = name
        description = info.description.map { String(cString: $0) } ?? name
        isMonitor = info.monitor_of_sink != UInt32.max
        driver = info.driver.map { String(cString: $0) } ?? "pulse"
        sampleFormat = Self.nearest(to: info.sample_spec.format)
        rate = Int(info.sample_spec.rate)
        channels = max(1, Int(info.sample_spec.channels))
    }

    /// The format of ours that keeps what the server's has.
    private static func nearest(to format: pa_sample_format_t) -> AudioSampleFormat {
        switch format {
        case PA_SAMPLE_FLOAT32LE, PA_SAMPLE_FLOAT32BE: .float32
        case PA_SAMPLE_S32LE, PA_SAMPLE_S32BE, PA_SAMPLE_S24LE, PA_SAMPLE_S24BE,
            PA_SAMPLE_S24_32LE, PA_SAMPLE_S24_32BE:
            .int32
        default: .int16
        }
    }
}

extension AudioFormat {
    /// As the server is asked for it.
    var pulseSpecification: pa_sample_spec {
        let format =
            switch sampleFormat {
            case .float32: PA_SAMPLE_FLOAT32LE
            case .int32: PA_SAMPLE_S32LE
            case .int16, nil: PA_SAMPLE_S16LE
            }
        return pa_sample_spec(
            format: format, rate: UInt32(sampleRate), channels: UInt8(clamping: channels))
    }
}
