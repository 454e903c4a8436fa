/// How many frames an overrun cost, from the stamps on both sides of it.
///
/// While frames come unbroken, the time the next one is due is the first stamp plus the frames
/// since, corrected by a running mean of how far the stamps were off (1/16 a block): a single
/// stamp may be a few milliseconds wrong on a card with a coarse pointer. After an overrun the
/// first new stamp is later than that by exactly what was lost.
struct OverrunAccount: Sendable, Equatable {
    let rate: Int
    /// Overruns so far.
    private(set) var overruns = 0
    /// Frames lost to them so far.
    private(set) var lostFrames = 0

    private var anchor: Int64?
    private var framesSince = 0
    private var offset: Int64 = 0
    private var isBroken = false

    init(rate: Int) { self.rate = rate }

    /// When the next frame is due (host clock, ns); `nil` before the first block.
    var due: Int64? {
        anchor.map { $0 + AudioTiming.nanoseconds(of: framesSince, rate: rate) + offset }
    }

    /// The driver overran: what is in its buffer is gone, and what comes until it runs again.
    mutating func overrun() {
        overruns += 1
        isBroken = anchor != nil
    }

    /// A block was read; answers how many frames are missing before it.
    mutating func block(frames: Int, stamp: Int64) -> Int {
        guard let due, !isBroken else {
            let lost = max(0, AudioTiming.frames(in: stamp - (due ?? stamp), rate: rate))
            lostFrames += lost
            (anchor, framesSince, offset, isBroken) = (stamp, frames, 0, false)
            return lost
        }
        offset += (stamp - due) / 16
        framesSince += frames
        return 0
    }
}
