public import Media

/// One track's input into a writer. Thread-safe; the samples of one track come from one thread or
/// task at a time, in their order.
public final class SampleBufferReceiver: Sendable {
    /// The track's index in events, status and result.
    public let track: Int
    let writer: AssetWriter

    init(track: Int, writer: AssetWriter) {
        self.track = track
        self.writer = writer
    }

    /// Takes a sample, suspending until there is room for it.
    ///
    /// Raw audio is placed by counting: it must be unbroken from the first run on (a hole of more than
    /// 20 ms is reported as `misused`, and what follows it comes early). A frame whose stamp is not
    /// after the one before, in ticks of the track, is dropped and reported.
    /// - Throws: `invalidState` outside a session; the failure that ended writing; `cancelled` in a cancelled task,
    ///   at once and without taking the sample: what was appended before stays valid.
    public func append(_ sample: SampleBuffer) async throws(MediaError) {
        try await writer.append(sample, track: track)
    }

    /// As `append`, but blocks the calling thread: for threads of one's own, never for a task.
    ///
    /// A video track that encodes also takes coded samples made by an equal encoder
    /// (`AssetWriterResult.Track.encoderFingerprint`), from the movie's start up to the first raw
    /// frame: they are written as they are, and the raw one begins a group of pictures.
    /// - Throws: as `append`; `unsupported` when coded samples come after raw ones.
    package func appendBlocking(_ sample: SampleBuffer) throws(MediaError) {
        try writer.appendBlocking(sample, track: track)
    }

    /// Takes a sample without waiting.
    /// - Returns: `false` when the frame was dropped (queue full, or out of order); it was counted
    ///   and reported. Audio is never dropped.
    /// - Throws: as `append`.
    @discardableResult
    public func appendImmediately(_ sample: SampleBuffer) throws(MediaError) -> Bool {
        try writer.appendImmediately(sample, track: track)
    }

    /// No more samples of this track: the others are not kept waiting for it.
    public func finish() { writer.finishTrack(track) }

    /// No track of it in the movie; before the session.
    package func leaveOut() { writer.leaveOut(track: track) }
}
