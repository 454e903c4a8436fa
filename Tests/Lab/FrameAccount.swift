/// Which buffer of the driver became which frame of the movie, and what became of the others.
struct FrameAccount {
    /// Frames that no buffer explains.
    private(set) var unexplained = 0
    /// Buffers between the first and last frame's that are in no frame.
    private(set) var absent: [DriverBuffers.Buffer] = []
    /// Sequence numbers the driver skipped between the first and last frame's buffer …
    private(set) var missing = 0
    /// … and right before the first or after the last, which belong to the take or not.
    private(set) var missingAtEdges = 0
    private(set) var pictures = 0
    /// Largest distance between a frame's time and its buffer's stamp (s).
    private(set) var largestError = 0.0

    /// - Parameters:
    ///   - times: of the movie's frames on the monotonic clock (s), in order.
    ///   - buffers: as the kernel lists them, in order, stamped on the same clock.
    init(times: [Double], buffers: [DriverBuffers.Buffer]) {
        pictures = times.count
        let moments = buffers.map { Take.moment(of: $0) }
        var matched: [Int] = []
        for time in times {
            let from = matched.last.map { $0 + 1 } ?? 0
            let nearest = moments.indices.dropFirst(from).min {
                abs(moments[$0] - time) < abs(moments[$1] - time)
            }
            guard let nearest, abs(moments[nearest] - time) < 0.005 else {
                unexplained += 1
                continue
            }
            largestError = max(largestError, abs(moments[nearest] - time))
            matched.append(nearest)
        }
        guard let first = matched.first, let last = matched.last else { return }
        let taken = Set(matched)
        absent = (first...last).filter { !taken.contains($0) }.map { buffers[$0] }
        missing = DriverBuffers(Array(buffers[first...last])).missing
        let wider = max(first - 1, 0)...min(last + 1, buffers.count - 1)
        missingAtEdges = DriverBuffers(Array(buffers[wider])).missing - missing
    }

    /// Whether a count of driver gaps in a report is the truth.
    func agrees(driverGaps: Int) -> Bool {
        (missing...(missing + missingAtEdges)).contains(driverGaps)
    }
}
