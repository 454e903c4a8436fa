internal import Media

/// Interleaved frames that were made lately, so that what makes them is asked for them in order and once, while requests
/// overlap and go forward.
struct FrameTape {
    let channels: Int
    private var start: Int64 = 0
    private var samples: [Float] = []

    init(channels: Int) { self.channels = channels }

    /// Frames of a range.
    /// - Parameters:
    ///   - first: from which frame on they are kept for later requests, at most the range's.
    ///   - make: gives those that follow the kept ones.
    mutating func frames(
        _ range: Range<Int64>, keeping first: Int64,
        _ make: (Range<Int64>) throws(MediaError) -> [Float]
    ) throws(MediaError) -> ArraySlice<Float> {
        let end = start + Int64(samples.count / channels)
        if range.lowerBound < start || range.lowerBound > end {
            samples = []
            start = range.lowerBound
        } else if range.upperBound > end {
            let kept = max(start, min(first, range.lowerBound))
            samples.removeFirst(Int(kept - start) * channels)
            start = kept
        }
        let have = start + Int64(samples.count / channels)
        if range.upperBound > have { samples += try make(have..<range.upperBound) }
        let offset = Int(range.lowerBound - start) * channels
        return samples[offset..<offset + range.count * channels]
    }
}
