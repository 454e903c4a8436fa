internal import Media

/// Samples of one track on their way to its encoder thread, bounded in bytes.
typealias SampleQueue = BoundedQueue<SampleQueueItem>

enum SampleQueueItem: Sendable {
    case sample(SampleBuffer)
    /// The movie holds here: nothing may stay in the encoder that can be handed out.
    case pause
}

extension SampleQueue {
    /// Takes a sample, whatever the load: the caller has asked `hasRoom`.
    func push(_ sample: SampleBuffer, bytes: Int) { pushAnyway(.sample(sample), weight: bytes) }

    /// What was pushed before is the last for a while.
    func pushPause() { pushAnyway(.pause, weight: 0) }
}
