internal import Media

/// When a receiver takes more without waiting and without dropping anything: an element each time, as long as there is
/// room, until the track is finished, the session is over or the task is cancelled.
///
/// `for await _ in receiver.readiness { … append one … }` never waits inside `append`; several may be appended in a turn
/// while `isReadyForMoreMediaData`. Outside a session it ends at once.
public struct ReceiverReadiness: AsyncSequence, Sendable {
    public typealias Element = Void
    public typealias Failure = Never

    let track: Int
    let writer: AssetWriter

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(track: track, writer: writer)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let track: Int
        let writer: AssetWriter

        public mutating func next() async -> Void? {
            await writer.waitUntilReady(track) ? () : nil
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
            await writer.waitUntilReady(track) ? () : nil
        }
    }
}

extension SampleBufferReceiver {
    /// Whether a sample as large as any before is taken now without waiting and without being dropped; `false`
    /// outside a session. What is true stays true until the next sample is appended.
    public var isReadyForMoreMediaData: Bool { writer.isReady(track) }

    /// An element each time more is taken: what drives a producer that is never to wait or to lose a sample.
    public var readiness: ReceiverReadiness { ReceiverReadiness(track: track, writer: writer) }
}

extension PixelBufferReceiver {
    /// As `SampleBufferReceiver.isReadyForMoreMediaData`.
    public var isReadyForMoreMediaData: Bool { receiver.isReadyForMoreMediaData }

    /// As `SampleBufferReceiver.readiness`.
    public var readiness: ReceiverReadiness { receiver.readiness }
}

extension AssetWriter {
    func isReady(_ track: Int) -> Bool {
        guard let (queue, weight) = nextRoom(track) else { return false }
        return queue.hasRoom(for: weight)
    }

    /// - Returns: whether there is room; `false` when nothing is taken any more.
    func waitUntilReady(_ track: Int) async -> Bool {
        while let (queue, weight) = nextRoom(track), !Task.isCancelled {
            if queue.hasRoom(for: weight) { return true }
            await queue.waitForRoom(weight)
        }
        return false
    }
}
