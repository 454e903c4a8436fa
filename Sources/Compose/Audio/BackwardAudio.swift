internal import Media

/// A span of a source from its end to its beginning, at the same frame numbers. The source itself is read forward, a
/// piece at a time. Thread-bound.
final class BackwardAudio: AudioSource {
    /// Frames that are read at once (count): half a second at most rates.
    private static let pieceFrames: Int64 = 24_000
    /// Pieces that are kept (count).
    private static let pieces = 2

    private let source: any AudioSource
    /// The source's frames that are turned round; around them there is silence.
    private let limits: Range<Int64>
    /// By their number from the limits' beginning, the latest used last.
    private var kept: [(number: Int64, samples: [Float])] = []

    var channels: Int { source.channels }

    init(_ source: any AudioSource, _ limits: Range<Int64>) {
        (self.source, self.limits) = (source, limits)
    }

    func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        var samples = [Float](repeating: 0, count: count * channels)
        let wanted = (frame..<frame + Int64(count)).clamped(to: limits)
        var next = wanted.lowerBound
        while next < wanted.upperBound {
            // from the limits' beginning
            let last = limits.upperBound - 1 - next
            let piece = try piece(last / Self.pieceFrames)
            let place = last % Self.pieceFrames
            let run = min(wanted.upperBound - next, place + 1)
            for step in 0..<run {
                let (to, from) = (Int(next + step - frame), Int(place - step))
                for channel in 0..<channels {
                    samples[to * channels + channel] = piece[from * channels + channel]
                }
            }
            next += run
        }
        return samples.withUnsafeBytes { BlockBuffer($0) }
    }

    private func piece(_ number: Int64) throws(MediaError) -> [Float] {
        if let last = kept.last, last.number == number { return last.samples }
        if let index = kept.firstIndex(where: { $0.number == number }) {
            kept.append(kept.remove(at: index))
            return kept[kept.count - 1].samples
        }
        let first = limits.lowerBound + number * Self.pieceFrames
        let count = Int(min(Self.pieceFrames, limits.upperBound - first))
        let samples = try source.read(at: first, count: count).floats(count * channels)
        kept.append((number, samples))
        if kept.count > Self.pieces { kept.removeFirst() }
        return samples
    }
}
