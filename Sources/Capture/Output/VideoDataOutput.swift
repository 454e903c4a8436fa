public import Media
internal import Synchronization

/// Brings a camera's pictures to a listener. Thread-safe.
public final class VideoDataOutput: SampleSource {
    /// Raw format wanted; `nil` gives the camera's own samples, coded or raw. A camera's own raw
    /// pictures may lie in driver memory (`PixelBuffer.holdLimit`); wanted ones never do.
    public let wantedFormat: PixelFormat?
    private let state = Mutex(OutputState())

    public init(wantedFormat: PixelFormat? = nil) {
        self.wantedFormat = wantedFormat
    }

    /// The device behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { state.withLock { $0.configured().origin } }

    /// The format delivered; the connection's rotation and mirror are in its orientation.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { state.withLock { $0.configured().format } }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.handler = handler }
    }

    /// Whether samples pass. What does not is discarded by intent, not a drop.
    public func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

    func configure(
        origin: SourceOrigin, format: FormatDescription, connection: CaptureConnection
    ) throws(CaptureError) {
        state.withLock { state in
            state.grant = OutputState.Grant(origin: origin, format: format)
            state.isEnabled = connection.isEnabled
        }
    }

    func sourceFormatChanged(to format: FormatDescription) throws(CaptureError) {
        state.withLock { $0.grant?.format = format }
    }

    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void) {}

    func receive(_ event: SourceEvent) {
        state.withLock { $0.receiver(for: event) }?(event)
    }

    func end() {}
}
