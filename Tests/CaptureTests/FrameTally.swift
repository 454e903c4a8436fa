import Media

/// Counts what a listener is given, and keeps nothing of it but its stamps: for takes of many thousand frames.
/// Thread-safe.
final class FrameTally: Sendable {
    struct Value: Sendable {
        var frames = 0
        /// Of the frames (µs), in their order.
        var stamps: [Int64] = []
        /// Frames that the driver skipped, as reported.
        var driverGaps = 0
        /// Frames that were lost otherwise, as reported.
        var otherDrops = 0
        /// Numbers of the driver's that are missing, for which there was time between two stamps, and that no event
        /// reported: which, in how many µs, and how many were reported there.
        var unreported: [String] = []
        /// Nominal (µs).
        fileprivate let frameDuration: Int64
        fileprivate var last: UInt64?
        /// Driver's gaps since the last frame.
        fileprivate var gap = 0

        fileprivate init(frameDuration: Int64) { self.frameDuration = frameDuration }

        var description: String {
            "\(frames) frames, \(driverGaps) skipped by the driver, \(otherDrops) lost"
        }
    }

    private let state: BlockingLock<Value>

    init(rate: FrameRate) {
        state = BlockingLock(Value(frameDuration: rate.frameDuration.nanoseconds() / 1000))
    }

    var value: Value { state.read { $0 } }

    var handler: @Sendable (SourceEvent) -> Void {
        { [state] event in state.withLock { $0.take(event) } }
    }

    /// Whether the frames came, none of them more than a minute after the one before.
    func wait(frames count: Int) -> Bool {
        var seen = 0
        while seen < count {
            let next = state.wait(nanoseconds: 60_000_000_000) { value in
                value.frames > seen ? value.frames : nil
            }
            guard let next else { return false }
            seen = next
        }
        return true
    }
}

extension FrameTally.Value {
    fileprivate mutating func take(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            frames += 1
            stamps.append(sample.presentationTime.nanoseconds() / 1000)
            guard let number = sample.attachments.sequence else { return }
            // a driver may give a number twice
            if let last, number > last + 1 {
                let span = stamps[frames - 1] - stamps[frames - 2]
                let missing = min(Int(number - last) - 1, Int((span - 1) / frameDuration))
                if missing > gap { unreported.append("\(last) to \(number) in \(span), \(gap)") }
            }
            (last, gap) = (number, 0)
        case .dropped(let drop) where drop.cause == .driverGap:
            driverGaps += drop.count
            gap += drop.count
        case .dropped(let drop):
            otherDrops += drop.count
            gap += drop.count
        default: break
        }
    }
}
