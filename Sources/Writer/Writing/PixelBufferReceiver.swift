public import Media

/// A video track's input for frames drawn by the caller, with a pool to draw them in. Thread-safe;
/// frames come from one thread or task at a time, in their order.
public final class PixelBufferReceiver: Sendable {
    /// Frames of the track's size and format, bounded and reused.
    public let pool: PixelBufferPool
    let receiver: SampleBufferReceiver
    private let format: VideoFormat

    init(receiver: SampleBufferReceiver, format: VideoFormat, pool: PixelBufferPool) {
        self.receiver = receiver
        self.format = format
        self.pool = pool
    }

    /// The track's index in events, status and result.
    public var track: Int { receiver.track }

    /// Takes a frame shown at a source time, suspending until there is room for it.
    /// - Throws: as `SampleBufferReceiver.append`.
    public func append(_ frame: PixelBuffer, at time: MediaTime) async throws(MediaError) {
        try await receiver.append(sample(frame, time))
    }

    /// Takes a frame without waiting.
    /// - Returns: as `SampleBufferReceiver.appendImmediately`.
    @discardableResult
    public func appendImmediately(
        _ frame: PixelBuffer, at time: MediaTime
    ) throws(MediaError) -> Bool {
        try receiver.appendImmediately(sample(frame, time))
    }

    /// No more frames.
    public func finish() { receiver.finish() }

    private func sample(_ frame: PixelBuffer, _ time: MediaTime) -> SampleBuffer {
        SampleBuffer(payload: .pixels(frame), format: .video(format), presentationTime: time)
    }
}
