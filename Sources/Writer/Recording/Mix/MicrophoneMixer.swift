internal import Media

/// Brings what several microphones' feeds write into one track. Thread-safe: a feed calls it on its
/// own thread with its own lock held, and nothing behind it calls a feed.
final class MicrophoneMixer: Sendable {
    // immutable
    let plan: TakePlan.Mix
    private let mix: Lock<MicrophoneMix>

    init(_ plan: TakePlan.Mix) {
        self.plan = plan
        mix = Lock(MicrophoneMix(inputs: plan.channels, channels: plan.format.channels))
    }

    /// Which input of the mix a source is; `nil` when it has a track of its own.
    func input(ofSource source: Int) -> Int? { plan.sources.firstIndex(of: source) }

    /// Takes a run of a feed and hands over what every microphone has reached.
    /// - Parameters:
    ///   - start: host time of frame 0 (ns).
    ///   - write: gets samples one after another, in order.
    /// - Returns: whether everything was taken.
    func push(
        _ sample: SampleBuffer, input: Int, start: Int64, write: (SampleBuffer) -> Bool
    ) -> Bool {
        guard let block = sample.block, let format = sample.format.audio?.sampleFormat else {
            return false
        }
        let values = FloatAudio.values(block, format)
        return mix.withLock { mix in
            let first = mix.emitted
            return give(mix.push(values, input: input), first, start, write)
        }
    }

    /// What only some microphones have reached.
    func finish(start: Int64, write: (SampleBuffer) -> Bool) {
        mix.withLock { mix in
            let first = mix.emitted
            _ = give(mix.finish(), first, start, write)
        }
    }

    private func give(
        _ values: [Float], _ first: Int64, _ start: Int64, _ write: (SampleBuffer) -> Bool
    ) -> Bool {
        guard !values.isEmpty else { return true }
        let rate = Int32(plan.format.sampleRate)
        let place = start + MediaTime(value: first, timescale: rate).nanoseconds()
        let frames = Int64(values.count / plan.format.channels)
        return write(
            SampleBuffer(
                payload: .audio(FloatAudio.block(values)), format: .audio(plan.format),
                presentationTime: .nanoseconds(place),
                duration: MediaTime(value: frames, timescale: rate)))
    }
}
