internal import Media
internal import Synchronization

/// The way from a driver's thread to the listener: the ring, and the delivery thread behind it.
///
/// The driver's thread calls `ring` and `wake()` (neither locks, allocates nor logs); everything
/// that makes values, copies or calls the listener happens on the delivery thread.
final class AudioFeed: Sendable {
    /// Why the device's thread ended by itself; its time is where the frames before it end.
    struct Interruption: Sendable {
        var reason: SourceInterruption.Reason
        /// One sentence for a person.
        var message: String
    }

    // immutable
    let ring: AudioRing
    let format: AudioFormat
    private let layout: DeviceSampleLayout
    private let clock: any MediaClock
    private let handler: @Sendable (SourceEvent) -> Void
    private let signal = WakeSignal()

    // shared
    private let isFinishing = Atomic<Bool>(false)
    private let interruption = Lock<Interruption?>(nil)
    private let thread = Lock<NamedThread?>(nil)

    /// Starts delivering.
    /// - Parameter seconds: how much the ring holds while the listener is slow.
    init(
        name: String, rate: Int, channels: Int, layout: DeviceSampleLayout, seconds: Int = 4,
        clock: any MediaClock, handler: @escaping @Sendable (SourceEvent) -> Void
    ) {
        self.layout = layout
        self.clock = clock
        self.handler = handler
        format = AudioFormat(
            coding: .raw(layout.sampleFormat), sampleRate: rate, channels: channels)
        ring = AudioRing(bytesPerFrame: layout.bytes * channels, capacity: rate * seconds)
        let delivery = NamedThread(name: name) { [self] in deliver() }
        thread.withLock { $0 = delivery }
    }

    /// Wakes the delivery thread: something was committed. Driver's thread.
    func wake() { signal.raise() }

    /// Puts the end of the device's stream behind the frames committed so far. Driver's thread, at
    /// most once, as the last thing it does.
    func interrupt(_ news: Interruption, at stamp: Int64) {
        interruption.withLock { $0 = news }
        ring.commitAnnouncement(stamp: stamp)
        wake()
    }

    /// Delivers what is in the ring and ends the delivery thread. Once, after the driver's thread
    /// has ended; never from the listener.
    func finish() {
        isFinishing.store(true, ordering: .releasing)
        wake()
        let delivery = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        delivery?.join()
    }
}

// MARK: - Delivery thread

extension AudioFeed {
    private func deliver() {
        var assembler = AudioAssembler(
            bytesPerFrame: ring.bytesPerFrame, rate: format.sampleRate)
        while true {
            let isLast = isFinishing.load(ordering: .acquiring)
            while ring.read({ block, bytes in take(block, bytes, &assembler) }) {}
            if isLast { break }
            _ = signal.wait(nanoseconds: 3_600_000_000_000)
            signal.lower()
        }
        assembler.flush(hand)
    }

    private func take(
        _ block: AudioBlock, _ bytes: UnsafeRawBufferPointer, _ assembler: inout AudioAssembler
    ) {
        assembler.take(block, bytes, hand)
        guard block.isAnnouncement, let news = interruption.withLock({ $0 }) else { return }
        assembler.flush(hand)
        handler(
            .interrupted(
                SourceInterruption(
                    reason: news.reason, time: .nanoseconds(assembler.end ?? block.stamp),
                    message: news.message)))
    }

    private func hand(_ piece: AudioAssembler.Piece) {
        switch piece {
        case .frames(let bytes, let stamp):
            send(layout.widened(bytes), stamp: stamp)
        case .drop(let cause, let frames, let stamp):
            handler(
                .dropped(SampleDrop(cause: cause, count: frames, time: .nanoseconds(stamp))))
        }
    }

    private func send(_ block: BlockBuffer, stamp: Int64) {
        let frames = block.count / max(1, format.bytesPerFrame)
        let duration = MediaTime(value: Int64(frames), timescale: Int32(format.sampleRate))
        handler(
            .sample(
                SampleBuffer(
                    payload: .audio(block), format: .audio(format),
                    presentationTime: .nanoseconds(stamp), duration: duration,
                    attachments: SampleAttachments(arrivalTime: clock.now()))))
    }
}
