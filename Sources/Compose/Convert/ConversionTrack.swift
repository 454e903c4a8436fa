internal import Media
internal import Writing

/// A track on its way into the encoder. Thread-bound.
final class ConversionTrack {
    /// How far sound is ahead of the pictures (ns), so that neither waits in memory for the other.
    private static let audioTrackLead: Int64 = 300_000_000

    private enum Work {
        case pictures(ConversionFrames)
        case joined(JoinedFrames)
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

    init(_ joined: JoinedFrames, _ receiver: SampleBufferReceiver) {
        work = .joined(joined)
        self.receiver = receiver
        due = 0
    }

    init(_ sound: ConversionAudio, _ receiver: SampleBufferReceiver) {
        work = .sound(sound)
        self.receiver = receiver
        due = -Self.audioTrackLead
    }

    var isVideo: Bool { if case .sound = work { false } else { true } }

    /// Takes one sample to the writer, waiting for room; of joined frames what the next one brings.
    func step() throws(MediaError) {
        if case .joined(let joined) = work { return try step(joined) }
        let sample: SampleBuffer? =
            switch work {
            case .pictures(let pictures): try pictures.next()
            case .sound(let sound): try sound.next()
            case .joined: nil
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

    private func step(_ joined: JoinedFrames) throws(MediaError) {
        for sample in try joined.next() {
            try receiver.appendBlocking(sample)
            count += 1
        }
        due = joined.due?.nanoseconds()
        if due == nil { receiver.finish() }
    }

    /// What could not be decoded so far.
    var damage: SourceDamage {
        switch work {
        case .pictures(let pictures): pictures.supply.damage
        case .joined(let joined): joined.damage
        case .sound(let sound): sound.damage
        }
    }

    func close() {
        switch work {
        case .pictures(let pictures): pictures.supply.close()
        case .joined(let joined): joined.close()
        case .sound(let sound): sound.close()
        }
    }
}
