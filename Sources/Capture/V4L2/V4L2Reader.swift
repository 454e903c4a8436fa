internal import CV4L2
internal import Glibc
internal import Media

/// Turns filled buffers into events. Owned by the stream's thread.
struct V4L2Reader {
    private let setup: V4L2Setup
    private let clock: any MediaClock
    private let handler: @Sendable (SourceEvent) -> Void
    private var counter = SequenceCounter()
    private var stamps = StampReader()
    private var lost = LostUnits()
    /// Whether a sample was delivered from which decoding can start.
    private var isJoined = false
    /// The place of the last buffer, whole or damaged (host clock, ns).
    private var lastTime: Int64
    private let frameDuration: Int64

    init(
        setup: V4L2Setup, clock: any MediaClock, handler: @escaping @Sendable (SourceEvent) -> Void
    ) {
        self.setup = setup
        self.clock = clock
        self.handler = handler
        lastTime = clock.now().nanoseconds()
        frameDuration =
            setup.format.nominalRate?.frameDuration.nanoseconds() ?? 33_333_333
    }

    /// How long the camera may deliver nothing: 2 s, or five frames of a slow one.
    var stallLimit: MediaTime { .nanoseconds(max(2_000_000_000, 5 * frameDuration)) }

    /// Takes one buffer; answers why there will be no more.
    mutating func readOne(pollFailed: Bool) -> SourceInterruption? {
        do throws(V4L2Node.Failure) {
            guard let filled = try setup.buffers.dequeue() else {
                // an error state without a buffer: the queue is dead, not empty
                return pollFailed ? interruption(.deviceFailed) : nil
            }
            deliver(filled)
            return nil
        } catch {
            return interruption(
                error.errno == ENODEV || error.errno == ENXIO ? .deviceGone : .deviceFailed)
        }
    }

    private mutating func deliver(_ filled: DriverBuffers.Filled) {
        let arrival = clock.now().nanoseconds()
        let counted = counter.lost(before: filled.sequence)
        let time = hostTime(of: filled, arrival)
        let gap = SequenceCounter.plausible(
            counted, within: time - lastTime, frameDuration: frameDuration)
        if gap > 0 {
            // evenly between the last buffer and this one
            let first = lastTime + (time - lastTime) / Int64(gap + 1)
            handler(
                .dropped(SampleDrop(cause: .driverGap, count: gap, time: .nanoseconds(first))))
            lost.add(gap, at: .nanoseconds(first))
        }
        lastTime = time
        guard let (payload, isSync) = setup.payload(of: filled) else {
            handler(
                .dropped(SampleDrop(cause: .damaged, count: 1, time: .nanoseconds(time))))
            lost.add(1, at: .nanoseconds(time))
            return
        }
        guard isJoined || isSync else {
            handler(
                .dropped(SampleDrop(cause: .undecodable, count: 1, time: .nanoseconds(time))))
            lost.add(1, at: .nanoseconds(time))
            return
        }
        isJoined = true
        let before = lost.take()?.count ?? 0
        handler(
            .sample(
                SampleBuffer(
                    payload: payload, format: .video(setup.format),
                    presentationTime: .nanoseconds(time),
                    duration: setup.format.nominalRate?.frameDuration,
                    isSync: isSync,
                    attachments: SampleAttachments(
                        sequence: counter.extended, arrivalTime: .nanoseconds(arrival),
                        lostBefore: before))))
    }

    /// The start of exposure on the host clock. Stamps taken at the end of a frame are brought
    /// back by its duration, by 1/30 s at most: a slow rate is long exposure or waiting.
    private mutating func hostTime(of filled: DriverBuffers.Filled, _ arrival: Int64) -> Int64 {
        let kind: StampReader.Kind =
            switch filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) {
            case UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC): .monotonic
            case UInt32(V4L2_BUF_FLAG_TIMESTAMP_COPY): .copied
            default: .unknown
            }
        let time = stamps.hostTime(
            stamp: filled.stamp, kind: kind, arrival: arrival, isNext: counter.isNext)
        let isStart =
            filled.flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK)
            == UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
        return isStart || kind != .monotonic ? time : time - min(frameDuration, 33_333_333)
    }

    func interruption(_ reason: SourceInterruption.Reason) -> SourceInterruption {
        let name = setup.device.name
        let message =
            switch reason {
            case .deviceGone: "\(name) was unplugged; plug it in again to continue."
            case .deviceStalled: "\(name) stopped delivering frames; it is opened again."
            case .noSignal: "\(name) has lost its signal; recording continues when there is one."
            case .formatChanged: "\(name) changed its format; it is opened again."
            default: "The driver of \(name) reported a failure; it is opened again."
            }
        return SourceInterruption(reason: reason, time: .nanoseconds(lastTime), message: message)
    }
}
