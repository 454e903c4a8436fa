/// Sums unbroken runs of frames from several inputs, all of one rate and all from frame 0 on, into
/// one run. A pure value: frame *n* of the result is the sum of every input's frame *n*, in the order of
/// the inputs, whatever order and sizes they came in.
///
/// Levels: every input counts with its full level, a sum too loud is rounded off by `SoftLimit`.
/// Channels: an input of one channel is heard in all, others channel by channel.
struct MicrophoneMix: Sendable {
    private struct Input: Sendable {
        let channels: Int
        /// Frames that wait for the other inputs, interleaved.
        var waiting: [Float] = []

        var frames: Int { waiting.count / channels }
    }

    /// Channels of the result (count).
    let channels: Int
    /// Frames given out so far (frames).
    private(set) var emitted: Int64 = 0
    private var inputs: [Input]

    /// - Parameter inputs: each input's channels (counts; at most `channels`).
    init(inputs: [Int], channels: Int) {
        self.channels = channels
        self.inputs = inputs.map { Input(channels: $0) }
    }

    /// Most frames an input is ahead of the slowest (frames).
    var lead: Int { inputs.map(\.frames).max() ?? 0 }

    /// Takes an input's next frames.
    /// - Returns: the mixed frames that every input has reached, interleaved; often none.
    mutating func push(_ samples: [Float], input: Int) -> [Float] {
        inputs[input].waiting += samples
        return mix(inputs.map(\.frames).min() ?? 0)
    }

    /// No more frames come: those that are shorter than the longest are silent from there on.
    mutating func finish() -> [Float] { mix(lead) }

    private mutating func mix(_ frames: Int) -> [Float] {
        guard frames > 0 else { return [] }
        var sum = [Float](repeating: 0, count: frames * channels)
        for index in inputs.indices { add(index, frames, to: &sum) }
        for index in sum.indices { sum[index] = SoftLimit.apply(sum[index]) }
        emitted += Int64(frames)
        return sum
    }

    private mutating func add(_ index: Int, _ frames: Int, to sum: inout [Float]) {
        let own = inputs[index].channels
        let count = min(frames, inputs[index].frames)
        for frame in 0..<count {
            for channel in 0..<channels {
                // one channel is heard everywhere, a missing one is silent
                let source = own == 1 ? 0 : channel
                guard source < own else { break }
                sum[frame * channels + channel] += inputs[index].waiting[frame * own + source]
            }
        }
        inputs[index].waiting.removeFirst(count * own)
    }
}
