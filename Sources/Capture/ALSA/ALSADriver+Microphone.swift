internal import Glibc
internal import Media

extension ALSADriver: MicrophoneDriver {
    static var family: String { "alsa" }

    var rate: Int { grant.rate }
    var channels: Int { grant.channels }
    var layout: DeviceSampleLayout { grant.layout }

    var explanation: String {
        let period = grant.periodFrames * 1000 / grant.rate
        let buffer = grant.bufferFrames * 1000 / grant.rate
        return "\(subject.dropFirst(Self.family.utf8.count + 1)): \(layout.rawValue), \(rate) Hz, "
            + "\(channels) channels, periods of \(period) ms in a buffer of \(buffer) ms."
    }

    func run(into feed: AudioFeed, until stop: WakeSignal) -> AudioFeed.Interruption? {
        switch read(into: feed, until: stop) {
        case .asked: nil
        case .stalled:
            AudioFeed.Interruption(
                reason: .deviceStalled,
                message: "The microphone \(subject) has delivered nothing for 2 s; "
                    + "it is opened again.")
        case .failed(_, ENODEV), .failed(_, EBADFD):
            AudioFeed.Interruption(
                reason: .deviceGone,
                message: "The microphone \(subject) is gone (unplugged); plug it in again.")
        case .failed(let function, let error):
            AudioFeed.Interruption(
                reason: .deviceFailed,
                message: "Reading the microphone \(subject) failed: \(function) answered "
                    + "\"\(ALSACall.text(error))\"; it is opened again.")
        }
    }
}
