internal import Media

extension PulseRecorder: MicrophoneDriver {
    static var family: String { "pulse" }

    var rate: Int { format.sampleRate }
    var channels: Int { format.channels }

    var layout: DeviceSampleLayout {
        switch format.sampleFormat {
        case .float32: .float32
        case .int32: .int32
        case .int16, nil: .int16
        }
    }

    var explanation: String {
        let isOwn = rate == source.rate && channels == source.channels
        return "\(source.name): \(format.sampleFormat?.rawValue ?? ""), \(rate) Hz, "
            + "\(channels) channels, "
            + (isOwn ? "as the source has it." : "converted by the sound server.")
    }

    func run(into feed: AudioFeed, until stop: WakeSignal) -> AudioFeed.Interruption? {
        switch read(into: feed, until: stop) {
        case .asked: nil
        case .serverGone(let code):
            AudioFeed.Interruption(
                reason: .serverGone,
                message: "The sound server behind pulse:\(source.name) is gone "
                    + "(\(PulseFailure.text(code))); recording continues when it is back.")
        case .sourceGone(let code):
            AudioFeed.Interruption(
                reason: .deviceGone,
                message: "The microphone pulse:\(source.name) is gone from the sound server "
                    + "(\(PulseFailure.text(code))); recording continues when it is back.")
        case .stalled:
            AudioFeed.Interruption(
                reason: .deviceStalled,
                message: "The microphone pulse:\(source.name) has delivered nothing for 3 s; "
                    + "it is opened again.")
        }
    }
}
