internal import Media

/// An animation's pictures, shown several times one after the other. Thread-bound.
final class LoopedFrames: FrameSupply {
    // immutable
    private let once: SourceFrames
    private let length: MediaTime
    private let loops: Int
    private let range: MediaTimeRange

    // owned by the calling thread
    private var loop = 0

    /// - Parameters:
    ///   - once: the whole animation.
    ///   - length: of one turn (seconds).
    ///   - range: of all rounds together.
    init(_ once: SourceFrames, length: MediaTime, loops: Int, range: MediaTimeRange) {
        self.once = once
        self.length = length
        self.loops = loops
        self.range = range
    }

    var format: VideoFormat { once.format }
    var damage: SourceDamage { once.damage }

    func close() { once.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        while loop < loops {
            guard var sample = try once.next() else {
                loop += 1
                once.restart()
                continue
            }
            let begin = (length * Int64(loop)).followed(by: sample.presentationTime)
            let end = begin.followed(by: sample.duration ?? .zero)
            guard begin < range.end else { return nil }
            guard end > range.start else { continue }
            let (from, to) = (max(begin, range.start), min(end, range.end))
            sample.presentationTime = from.since(range.start)
            sample.duration = to.since(from)
            return sample
        }
        return nil
    }
}
