internal import Media
internal import Writing

/// A track on its way into the encoder. Thread-bound.
final class ConversionTrack {
    /// How far sound is ahead of the pictures (ns), so that neither waits in memory for the other.
    private static let audioTrackLead: Int64 = 300_000_000

    private enum Work {
        case pictures(ConversionFrames)
        case sound(ConversionAudio)
    }

    private let work: Work
    private let receiver: SampleBufferReceiver
    /// Where the next sample is due (ns); nil when there is none any more.
    private(set) var due: Int64?
    private(set) var count: Int64 = 0

    init(_ pictures: ConversionFrames, _ receiver: SampleBufferReceiver) {
        work = .pictures(pictures)
        self.receiver = receiver
        due = 0
    }

    init(_ sound: ConversionAudio, _ receiver: SampleBufferReceiver) {
        work = .sound(sound)
        self.receiver = receiver
        due = -Self.audioTrackLead
    }

    var isVideo: Bool { if case .pictures = work { true } else { false } }

    /// Takes one sample to the writer, waiting for room.
    func step() throws(MediaError) {
        let sample: SampleBuffer? =
            switch work {
            case .pictures(let pictures): try pictures.next()
            case .sound(let sound): try sound.next()
            }
        guard let sample else {
            receiver.finish()
            due = nil
            return
        }
        try receiver.appendBlocking(sample)
        count += 1
        let end = sample.presentationTime.nanoseconds() + (sample.duration?.nanoseconds() ?? 0)
        due = isVideo ? end : end - Self.audioTrackLead
    }

    /// What could not be decoded so far.
    var damage: SourceDamage {
        switch work {
        case .pictures(let pictures): pictures.supply.damage
        case .sound(let sound): sound.damage
        }
    }

    func close() {
        switch work {
        case .pictures(let pictures): pictures.supply.close()
        case .sound(let sound): sound.close()
        }
    }
}
