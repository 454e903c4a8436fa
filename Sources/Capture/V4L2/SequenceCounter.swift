/// Finds lost buffers in a driver's sequence numbers: 32 bits that wrap and need not begin at 0.
struct SequenceCounter: Sendable, Equatable {
    private var last: UInt32?
    private var counts = false
    /// The number of the present buffer, without the wraps.
    private(set) var extended: UInt64 = 0
    /// Whether the present buffer's number is the next after the last one's.
    private(set) var isNext = false

    /// How many of the buffers that a driver says are lost there was time for, at least one: a counter that runs on
    /// while nothing is streamed (v4l2loopback 0.12) jumps further than frames are missing. The stamps of a busy
    /// machine, or of a driver after a stall, can lie closer together than the frames.
    /// - Parameters:
    ///   - span: from the last buffer's stamp to this one's (ns); a span of nothing says nothing.
    ///   - frameDuration: nominal (ns; positive).
    static func plausible(_ lost: Int, within span: Int64, frameDuration: Int64) -> Int {
        guard lost > 0, span > 0 else { return lost }
        return min(lost, max(1, Int((span - 1) / frameDuration)))
    }

    /// Buffers lost between the last one and this.
    mutating func lost(before sequence: UInt32) -> Int {
        isNext = last.map { sequence == $0 &+ 1 } ?? false
        guard let last else {
            self.last = sequence
            extended = UInt64(sequence)
            return 0
        }
        self.last = sequence
        let step = sequence &- last
        // the same number again: a driver that does not count
        if step == 0 {
            extended += counts ? 0 : 1
            return 0
        }
        // backwards: the driver began anew, which says nothing about losses
        if step >= 0x8000_0000 {
            extended += 1
            return 0
        }
        counts = true
        extended += UInt64(step)
        return Int(step) - 1
    }
}
