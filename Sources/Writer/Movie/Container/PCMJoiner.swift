internal import Media

/// Joins runs of PCM that are shorter than a container's tick, so that each block has a time of its
/// own: cuts at pauses leave runs of any length. A pure value.
struct PCMJoiner: Sendable {
    /// Shortest run handed on (frames).
    let shortest: Int64
    private var held: SampleBuffer?

    /// - Parameter rate: frames per second (Hz).
    init(rate: Int) { shortest = Int64(max(1, rate / 200)) }

    /// The runs to write now.
    mutating func join(_ sample: SampleBuffer) -> SampleBuffer? {
        let joined = held.map { Self.joined($0, sample) } ?? sample
        guard (joined.duration?.value ?? shortest) < shortest else {
            held = nil
            return joined
        }
        held = joined
        return nil
    }

    /// What is left at the end.
    mutating func finish() -> SampleBuffer? {
        defer { held = nil }
        return held
    }

    private static func joined(_ first: SampleBuffer, _ second: SampleBuffer) -> SampleBuffer {
        guard let head = first.block, let tail = second.block else { return second }
        var result = first
        result.payload = .coded(
            BlockBuffer(count: head.count + tail.count) { target in
                head.withUnsafeBytes { target.copyMemory(from: $0) }
                tail.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[head.count...])
                        .copyMemory(from: $0)
                }
            })
        result.duration = MediaTime(
            value: (first.duration?.value ?? 0) + (second.duration?.value ?? 0),
            timescale: first.presentationTime.timescale)
        return result
    }
}
