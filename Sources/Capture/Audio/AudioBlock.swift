/// What the driver's thread says about one run of frames in an `AudioRing`.
struct AudioBlock: Sendable, Equatable {
    /// Where the frames begin (frames ever written before them).
    var start: Int
    /// How many there are (frames; 0 for a block that only carries news).
    var frames: Int
    /// When the first of them was captured (host clock, ns).
    var stamp: Int64
    /// Frames the device lost immediately before this block.
    var overrun: Int
    /// Frames discarded immediately before this block because the ring was full.
    var late: Int
    /// Whether the device's stream ends at exactly this place; the reason waits beside the ring.
    var isAnnouncement: Bool
}
