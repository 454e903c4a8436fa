/// Stamps for blocks whose length is certain and whose latency is an estimate.
///
/// A server says now and then how old its next frame is: off by some milliseconds, more while the machine is busy. Frames however are counted. So the next stamp is
/// the last one plus the frames since, moved towards the estimates by their running mean (1/32 a
/// block once settled: 0.3 ms behind a clock that is 500 ppm off, at 20 ms a block). Estimates
/// that stay away by more than 40 ms for 2 s, or follow a suspend, are believed: frames are missing
/// that were not announced.
struct SteadyStamps: Sendable, Equatable {
    static let tolerance: Int64 = 40_000_000
    static let timeout: Int64 = 2_000_000_000

    let rate: Int
    private var due: Int64?
    private var blocks: Int64 = 0
    private var awaySince: Int64?
    private var isInterrupted = false

    init(rate: Int) { self.rate = rate }

    /// The stamp of a block, and how many frames are missing before it.
    struct Placement: Sendable, Equatable {
        var stamp: Int64
        var lost: Int
    }

    /// Places a block of `frames` whose first was captured at about `estimate`.
    /// - Parameter now: the host clock (ns).
    mutating func place(frames: Int, estimate: Int64, now: Int64) -> Placement {
        defer { skip(frames: frames) }
        guard let expected = due else { return restart(at: estimate, lost: 0) }
        let error = estimate - expected
        guard abs(error) > Self.tolerance || isInterrupted else {
            awaySince = nil
            blocks += 1
            let stamp = expected + error / min(blocks + 1, 32)
            due = stamp
            return Placement(stamp: stamp, lost: 0)
        }
        let since = awaySince ?? now
        awaySince = since
        guard isInterrupted || now - since >= Self.timeout else {
            return Placement(stamp: expected, lost: 0)
        }
        return restart(at: estimate, lost: max(0, AudioTiming.frames(in: error, rate: rate)))
    }

    /// Frames the server reported are missing.
    mutating func skip(frames: Int) {
        due = due.map { $0 + AudioTiming.nanoseconds(of: frames, rate: rate) }
    }

    /// The source was suspended: nothing was captured meanwhile.
    mutating func interrupt() { isInterrupted = due != nil }

    private mutating func restart(at stamp: Int64, lost: Int) -> Placement {
        (due, blocks, awaySince, isInterrupted) = (stamp, 0, nil, false)
        return Placement(stamp: stamp, lost: lost)
    }
}
