import Capture
import Media

/// What the sink `lab` of a private sound server plays, with the host times at which it is heard.
package final class SinkListener: Sendable {
    private let samples = Lock<[SampleBuffer]>([])
    private let stream: any CaptureStream

    /// Listens from now on.
    package init(_ server: SoundServer) throws {
        let provider = PulseProvider(server: server.address)
        guard let device = try provider.device(named: "lab.monitor", kind: .audio) else {
            throw MediaError(code: .deviceGone, subject: "lab", message: "There is no sink lab.")
        }
        stream = try provider.openAudio(
            device, settings: AudioInputSettings(), clock: HostClock())
        try stream.start { [samples] event in
            guard case .sample(let sample) = event else { return }
            samples.withLock { $0.append(sample) }
        }
    }

    /// Ends listening.
    /// - Returns: host times at which beeps begin (ns), in their order.
    package func beeps() -> [Int64] {
        stream.stop()
        let all = samples.withLock { $0 }
        var starts: [(frame: Int, stamp: Int64)] = []
        var frame = 0
        for sample in all {
            starts.append((frame, sample.presentationTime.nanoseconds()))
            frame += sample.audioFrameCount
        }
        var next = 0
        return FlashBeep.beeps(in: FlashBeep.channel(0, of: all), sampleRate: 48_000).compactMap {
            beep in
            while next + 1 < starts.count, starts[next + 1].frame <= beep { next += 1 }
            guard next < starts.count else { return nil }
            return starts[next].stamp + Int64(beep - starts[next].frame) * 1_000_000_000 / 48_000
        }
    }
}
