internal import Media

/// What passed of each track: enough to say whether two files hold the same samples at the same
/// times. A pure value.
struct SampleTrace: Sendable, Equatable {
    private(set) var counts: [Int]
    /// End of the last sample (container time).
    private(set) var end = MediaTime.zero
    private var hashes: [UInt64]

    init(tracks: Int) {
        counts = Array(repeating: 0, count: tracks)
        hashes = Array(repeating: 0xCBF2_9CE4_8422_2325, count: tracks)
    }

    var count: Int { counts.reduce(0, +) }

    mutating func add(_ sample: SampleBuffer, _ track: Int) {
        counts[track] += 1
        mix(UInt64(bitPattern: sample.presentationTime.nanoseconds()), track)
        mix(sample.isSync ? 1 : 0, track)
        if let block = sample.block {
            mix(block.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }, track)
        }
        let stop = sample.duration.flatMap { try? sample.presentationTime.adding($0) }
        end = max(end, stop ?? sample.presentationTime)
    }

    private mutating func mix(_ value: UInt64, _ track: Int) {
        hashes[track] = (hashes[track] ^ value) &* 0x0000_0100_0000_01B3
        hashes[track] = hashes[track] << 29 | hashes[track] >> 35
    }

    /// Lengths are not compared: the last sample's may only be known to the muxer.
    static func == (left: SampleTrace, right: SampleTrace) -> Bool {
        left.counts == right.counts && left.hashes == right.hashes
    }
}
